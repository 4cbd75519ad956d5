/** Single keys of the page. With a modifier, in a field, in the tree and in dialogs they are not ours. */

import { chooseDetail, chooseUnfold } from "../actions/choices.js";
import { move, MOVE_KINDS, moveBack, moveToHit } from "../actions/moves.js";
import { chooseView, leaveFootprint } from "../actions/places.js";
import { eventTarget, isTyping, listen } from "../base/dom.js";
import { CHOICES, DETAILS } from "../state/choices.js";
import { singleKeysOn } from "../ui/single-keys.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { View } from "../state/state.js" */

/** The second `g` of a pair comes within this time. */
const PAIR_MS = 800;

/**
 * @param {Map<string, () => void>} actions by key; a pair is written `g g`
 * @param {() => boolean} isBusy whether something else has the keyboard
 */
export function startKeys(actions, isBusy) {
    let last = { key: "", at: 0 };
    listen(document, "keydown", (event) => {
        if (isForeign(event) || isBusy()) {
            return;
        }
        const paired = last.key === event.key && event.timeStamp - last.at < PAIR_MS;
        last = { key: paired ? "" : event.key, at: event.timeStamp };
        const action = actions.get(event.key) ?? (paired ? actions.get(`${event.key} ${event.key}`) : undefined);
        if (action !== undefined) {
            event.preventDefault();
            action();
        }
    });
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isForeign(event) {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    const inTree = eventTarget(event, "[role=tree]:not([data-pointer])") !== null && event.key !== "?";
    return modified || inTree || event.defaultPrevented || event.isComposing || isTyping(event) || !singleKeysOn();
}

/**
 * @param {Parts} parts
 * @param {{leaves: () => void, compare: () => void, overlay: () => void}} dialogs
 * @returns {Map<string, () => void>}
 */
export function keyActions(parts, dialogs) {
    /** @type {Map<string, () => void>} */
    const actions = new Map();
    for (const kind of MOVE_KINDS) {
        for (const [key, step] of /** @type {[string, 1 | -1][]} */ ([[kind.keys[0], 1], [kind.keys[1], -1]])) {
            actions.set(key, () => {
                const n = move(parts, kind, step);
                if (n >= 0) {
                    parts.reading.focus(n);
                }
            });
        }
    }
    for (const [key, step] of /** @type {[string, 1 | -1][]} */ ([["n", 1], ["N", -1]])) {
        actions.set(key, () => {
            moveToHit(step);
            parts.reading.focus(parts.store.get().target);
        });
    }
    actions.set("b", () => moveBack(parts));
    actions.set("v", () => chooseView(parts, otherView(parts)));
    for (const { name, key } of CHOICES) {
        actions.set(key, () => chooseUnfold(parts, name));
    }
    DETAILS.forEach((detail, at) => actions.set(String(at + 1), () => chooseDetail(parts, detail)));
    actions.set("l", dialogs.leaves);
    actions.set("d", dialogs.compare);
    actions.set("?", dialogs.overlay);
    actions.set("g g", () => jumpToEdge(parts, 0));
    actions.set("G", () => jumpToEdge(parts, document.documentElement.scrollHeight));
    // The browser's own glide aims at where the edge was, and articles come in on its way.
    actions.set("Home", () => jumpToEdge(parts, 0));
    actions.set("End", () => jumpToEdge(parts, document.documentElement.scrollHeight));
    return actions;
}

/**
 * @param {Parts} parts
 * @param {number} y
 */
function jumpToEdge(parts, y) {
    leaveFootprint(parts);
    parts.reading.wander();
    // Heights far away are estimates: the end moves while one goes there.
    parts.reading.jump(() => scrollTo(0, y === 0 ? 0 : document.documentElement.scrollHeight));
}

/**
 * @param {Parts} parts
 * @returns {View}
 */
function otherView(parts) {
    return parts.store.get().view === "path" ? "context" : "path";
}
