/** Going to entries, leaves and views: each changes the state, scrolls, and writes the address. */

import { paramsOf } from "../address/write.js";
import { byId } from "../base/dom.js";
import { foldsShowing } from "../outline/folds.js";
import { callAfter, callsTo, leafShowing, sentTo } from "../outline/paths.js";
import { toggledToShow } from "../state/steps.js";

/** @import { ScrollMark } from "../address/history.js" */
/** @import { Footprint } from "../address/trail.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Order, State, View } from "../state/state.js" */
/** @import { Reading } from "../transcript/reading.js" */
/** @import { Parts } from "./parts.js" */

/**
 * Shows a place. A change of leaf and a followed link make a new step in the history, the rest does not.
 *
 * @param {Parts} parts
 * @param {number} leaf
 * @param {number} target
 * @param {boolean} followed
 * @param {View} [wanted] the view shown unless given
 * @param {number} [compare] the leaf beside it; a comparison ends unless given
 */
export function showPlace(parts, leaf, target, followed, wanted = parts.store.get().view, compare = -1) {
    const { outline, store, contextView, reading } = parts;
    // The context shown, unless only that at the end has the entry. What the model did not see is on the path only.
    const calls = wanted !== "context" || compare >= 0 ? [] : target < 0 ? [-1] : [store.get().call, -1];
    const found = calls.find((at) => target < 0 || contextView.holds(sentTo(outline, leaf, at), target));
    const inChanges = wanted === "changes" && compare < 0 && (target < 0 || (store.get().order === "prompt" && parts.changes?.holds(target) === true));
    const [view, call] = /** @type {[View, number]} */ (found === undefined ? [inChanges ? wanted : "path", -1] : ["context", found]);
    leaveFootprint(parts);
    change(parts, { leaf, target, compare, view, call, ...arrival(outline, store.get(), leaf, target) }, followed);
    if (target >= 0) {
        reading.goTo(target);
    }
}

/**
 * What a new place does: the cursor goes there, no fold and no line of steps hides it, and a hit is the one walked to.
 *
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {number} leaf
 * @param {number} target
 * @returns {Pick<State, "cursor" | "folds" | "hitAt" | "toggled">}
 */
export function arrival(outline, state, leaf, target) {
    const { folds, hits, hitAt } = state;
    return {
        cursor: target >= 0 ? target : leaf,
        folds: foldsShowing(outline, folds, target),
        hitAt: hits?.matches[target] === 1 ? target : hitAt,
        toggled: toggledToShow(outline, state, target),
    };
}

/**
 * Remembers where the reader is, for the way back.
 *
 * @param {Parts} parts
 */
export function leaveFootprint(parts) {
    const { leaf, target, compare, view, call, order, file } = parts.store.get();
    parts.trail.remember({ leaf, target, compare, view, call, order, file, mark: parts.reading.scrollMark() });
}

/**
 * @param {Parts} parts
 * @param {Footprint} print
 */
export function returnTo(parts, { mark, ...place }) {
    const { outline, store, reading } = parts;
    const now = store.get();
    change(parts, { ...place, ...arrival(outline, now, place.leaf, place.target) });
    parts.notice.clear();
    reading.wander();
    arriveAt(reading, -1, mark);
    reading.focus(outline.byKey.get(mark?.at ?? "") ?? place.target);
}

/**
 * Path or Context: what the call got that got the entry being read, or another. The reader stays at the same entry where
 * both have it.
 *
 * @param {Parts} parts
 * @param {View} view
 * @param {number} [given] that other entry, -1 for the end of the branch
 */
export function chooseView(parts, view, given) {
    const { outline, store, reading } = parts;
    const now = store.get();
    if (view === now.view && now.compare < 0 && given === undefined) {
        return;
    }
    const entries = given === undefined ? reading.entries() : [];
    // By file no entry is the one being read: then the last one that was.
    const read = entries[reading.seen(entries)] ?? (now.view === "changes" ? now.target : -1);
    const mark = reading.scrollMark();
    const isBelowHead = scrollY > innerHeight / 2;
    const target = given ?? read;
    change(parts, { compare: -1, view, target, call: callAfter(callsTo(outline, now.leaf), target) });
    parts.addressBar.rememberScroll();
    reading.wander();
    // The list that had the focus is gone.
    const lostFocus = document.activeElement === document.body || document.activeElement?.closest("[hidden]") !== null;
    if (view === "changes") {
        scrollTo(0, 0);
        if (isBelowHead) {
            void parts.changes?.goToStop(read);
        }
        return;
    }
    const near = read < 0 ? -1 : nearestShown(reading.entries(), read);
    if (near < 0) {
        scrollTo(0, 0);
    } else {
        if (mark?.at === outline.keys[near]) {
            reading.restore(mark);
        } else {
            reading.goTo(near);
        }
        if (lostFocus) {
            reading.focus(near);
        }
    }
}

/**
 * What changed by prompt or by file. The reader stays at the same file.
 *
 * @param {Parts} parts
 * @param {Order} [order] the other one unless given
 */
export function chooseOrder(parts, order) {
    const now = parts.store.get();
    const wanted = order ?? (now.view === "changes" && now.order === "prompt" ? "file" : "prompt");
    if (now.view !== "changes" || wanted !== now.order) {
        leaveFootprint(parts);
        const back = parts.changes?.hold();
        change(parts, { view: "changes", compare: -1, order: wanted, file: "" });
        parts.reading.wander();
        back?.();
    }
}

/**
 * What the turn of an entry changed.
 *
 * @param {Parts} parts
 * @param {number} n
 */
export function showTurnChanges(parts, n) {
    leaveFootprint(parts);
    change(parts, { view: "changes", compare: -1, order: "prompt", file: "" }, true);
    void parts.changes?.goToStop(n);
}

/**
 * A file in the view Changes.
 *
 * @param {Parts} parts
 * @param {string} file
 */
export function showChanges(parts, file) {
    leaveFootprint(parts);
    change(parts, { view: "changes", compare: -1, order: "file", file }, true);
    void parts.changes?.goToFile(file);
}

/**
 * Another branch or view makes a new step in the history.
 *
 * @param {Parts} parts
 * @param {Partial<State>} to
 * @param {boolean} [followed] then it makes one in any case
 */
function change({ outline, store, addressBar }, to, followed) {
    const now = store.get();
    const next = { ...now, ...to };
    const isStep = /** @type {const} */ (["leaf", "view", "call", "compare", "order"]).some((name) => next[name] !== now[name]);
    // Before the change: a new step remembers where the reader was.
    addressBar[followed || isStep ? "push" : "replace"](paramsOf(outline, next));
    store.update(to);
}

/**
 * @param {number[]} entries
 * @param {number} n
 * @returns {number} `n`, or the first entry after it in the document, -1 for none
 */
export function nearestShown(entries, n) {
    return entries.includes(n) ? n : entries.find((entry) => entry >= n) ?? entries.at(-1) ?? -1;
}

/**
 * An entry where it is shown, in a comparison too; else on its branch.
 *
 * @param {Parts} parts
 * @param {number} n
 * @param {boolean} followed
 */
function showEntry(parts, n, followed) {
    const { leaf, compare, view } = parts.store.get();
    if (compare >= 0 && parts.compare?.holds(n) === true) {
        showPlace(parts, leaf, n, followed, view, compare);
    } else {
        showPlace(parts, leafShowing(parts.outline, n, leaf), n, followed);
    }
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
export function chooseEntry(parts, n) {
    parts.notice.clear();
    showEntry(parts, n, false);
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
export function followEntry(parts, n) {
    parts.notice.clear();
    showEntry(parts, n, true);
    parts.reading.focus(n);
}

/**
 * @param {Reading} reading
 * @param {number} target
 * @param {ScrollMark | null} mark
 */
export function arriveAt(reading, target, mark) {
    if (mark !== null) {
        reading.restore(mark);
    } else if (target >= 0) {
        reading.goTo(target);
    } else if (scrollY > 0) {
        scrollTo(0, 0);
    }
}

/**
 * @param {Parts} parts
 */
export function arriveAtCompare({ reading }) {
    const view = byId("compare-view");
    reading.wander();
    reading.jump(() => view.scrollIntoView({ block: "start" }));
    view.focus({ preventScroll: true });
}
