/** The reader's choices: the level of detail, and what is expanded. */

import { paramsOf } from "../address/write.js";
import { DETAIL_STORED, remember } from "../base/storage.js";
import { DETAILS } from "../outline/shared.js";
import { CHOICES } from "../state/choices.js";
import { NO_TOGGLES } from "../state/steps.js";
import { keepEye } from "../transcript/keep-eye.js";

/** @import { Parts } from "./parts.js" */

/**
 * @param {Parts} parts
 * @param {string} name
 * @param {string} [value] the next one unless given
 */
export function chooseUnfold(parts, name, value) {
    const choice = CHOICES.find((other) => other.name === name);
    if (choice === undefined) {
        return;
    }
    const { label, values } = choice;
    const { unfold } = parts.store.get();
    const chosen = value ?? values[(values.findIndex((other) => other === unfold[name]) + 1) % values.length];
    remember(`leafpress:${name}`, chosen);
    keepEye(() => parts.store.update({ unfold: { ...unfold, [name]: chosen } }));
    parts.notice.mention(`${label}: ${chosen}`);
}

/**
 * Shows more or less of every turn; what the reader looks at stays where it is.
 *
 * @param {Parts} parts
 * @param {string} detail
 */
export function chooseDetail(parts, detail) {
    const { outline, store, addressBar, notice } = parts;
    const { unfold } = store.get();
    if (!DETAILS.includes(detail) || detail === unfold.detail) {
        return;
    }
    remember(DETAIL_STORED, detail);
    keepEye(() => store.update({ unfold: { ...unfold, detail }, toggled: NO_TOGGLES }));
    addressBar.replace(paramsOf(outline, store.get()));
    notice.mention(`Detail: ${detail}`);
}
