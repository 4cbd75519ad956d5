/** When labels were set, said in the tree for those who want it. */

import { byId, listen } from "../base/dom.js";
import { LABEL_TIMES, remember } from "../base/storage.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Store } from "../state/state.js" */

/** The largest step that tells the time apart: the hour today, the day this year, else the date. */
const LABEL_TIME_FORMS = {
    today: new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }),
    thisYear: new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }),
    ever: new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" }),
};

/**
 * @param {number} ms
 * @returns {string} empty for a time that no calendar has
 */
export function labelTime(ms) {
    const time = new Date(ms);
    const now = new Date();
    if (Number.isNaN(time.getTime())) {
        return "";
    }
    if (time.toDateString() === now.toDateString()) {
        return LABEL_TIME_FORMS.today.format(time);
    }
    const { thisYear, ever } = LABEL_TIME_FORMS;
    return (time.getFullYear() === now.getFullYear() ? thisYear : ever).format(time);
}

/**
 * @param {Outline} outline
 * @param {Store} store
 */
export function startLabelTimes(outline, store) {
    const button = byId("label-times");
    button.hidden = outline.labelTimes.size === 0;
    listen(button, "click", () => {
        const labelTimes = !store.get().labelTimes;
        store.update({ labelTimes });
        remember(LABEL_TIMES, String(labelTimes));
    });
}
