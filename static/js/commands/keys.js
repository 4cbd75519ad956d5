/** Single keys of the page. With a modifier, in a field, in the tree and in dialogs they are not ours. */

import { COMMANDS } from "../actions/commands.js";
import { eventTarget, isTyping, listen } from "../base/dom.js";
import { singleKeysOn } from "../ui/single-keys.js";

/** @import { CommandActions } from "./run.js" */

/** The second `g` of a pair comes within this time. */
const PAIR_MS = 800;

/** In the tree, letters jump to rows; these keys go on to the page. */
const NEVER_TYPED = ["?", "/"];

/**
 * @param {CommandActions} actions
 * @param {() => boolean} isBusy whether something else has the keyboard
 */
export function startKeys(actions, isBusy) {
    const byKey = actionsByKey(actions);
    let last = { key: "", at: 0 };
    listen(document, "keydown", (event) => {
        if (isForeign(event) || isBusy()) {
            return;
        }
        const paired = last.key === event.key && event.timeStamp - last.at < PAIR_MS;
        last = { key: paired ? "" : event.key, at: event.timeStamp };
        const action = byKey.get(event.key) ?? (paired ? byKey.get(`${event.key} ${event.key}`) : undefined);
        if (action !== undefined) {
            event.preventDefault();
            action();
        }
    });
}

/**
 * @param {CommandActions} actions
 * @returns {Map<string, () => void>}
 */
function actionsByKey(actions) {
    /** @type {Map<string, () => void>} */
    const byKey = new Map();
    for (const { id, keys, hiddenKeys = [] } of COMMANDS) {
        if (id !== null) {
            keys.forEach((key, nth) => byKey.set(key, () => actions[id](nth)));
            hiddenKeys.forEach((key, nth) => byKey.set(key, () => actions[id](nth)));
        }
    }
    return byKey;
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isForeign(event) {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    const inTree = eventTarget(event, "[role=tree]:not([data-pointer])") !== null && !NEVER_TYPED.includes(event.key);
    return modified || inTree || event.defaultPrevented || event.isComposing || isTyping(event) || !singleKeysOn();
}
