/** A click on the line of a run of steps, and the browser's own search in one that is collapsed. */

import { eventTarget } from "../base/dom.js";
import { keyOfArticle } from "../chunks/articles.js";
import { PROMPT } from "../outline/shared.js";
import { flip, isRunOpen, progressOf, toggledToShow } from "../state/steps.js";
import { keepEye } from "../transcript/keep-eye.js";

/** @import { Parts } from "./parts.js" */

/**
 * Opens and closes the run or the quiet entries whose line was clicked.
 *
 * @param {Parts} parts
 * @param {Event} event
 * @returns {boolean} whether a line was clicked
 */
export function clickSteps({ outline, store }, event) {
    const line = eventTarget(event, "button[class$=-toggle]");
    const n = outline.byKey.get(keyOfArticle(line?.closest("article") ?? null)) ?? -1;
    if (line === null || n < 0) {
        return false;
    }
    const toggled = new Set(store.get().toggled);
    if (line.matches(".progress-toggle")) {
        const isOpen = line.getAttribute("aria-expanded") === "true";
        progressOf(outline, store.get(), n).forEach((first) => (isOpen ? toggled.delete(~first) : toggled.add(~first)));
    } else {
        flip(toggled, line.matches(".quiet-toggle") ? ~n : n);
    }
    store.update({ toggled });
    return true;
}

/**
 * Opens all steps of the turn that is being read, or closes them where all stand open.
 *
 * @param {Parts} parts
 */
export function toggleTurn({ outline, store, reading }) {
    const entries = reading.entries();
    const here = Math.max(0, reading.seen(entries));
    const state = store.get();
    /** @type {number[]} the runs of the turn */
    let runs = [];
    for (const [at, n] of entries.entries()) {
        if ((outline.marks[n] & PROMPT) !== 0) {
            if (at > here) {
                break;
            }
            runs = [];
        }
        if (outline.run[n] === n && !outline.asides.has(n)) {
            runs.push(n);
        }
    }
    const isOpening = runs.some((n) => !isRunOpen(outline, state, n));
    const toggled = new Set(state.toggled);
    runs.filter((n) => isRunOpen(outline, state, n) !== isOpening).forEach((n) => flip(toggled, n));
    keepEye(() => store.update({ toggled }));
}

/**
 * The browser's own search has found something in an entry that is shut.
 *
 * @param {Parts} parts
 * @param {Event} event
 */
export function openFound({ outline, store }, event) {
    const article = event.target instanceof Element ? event.target.closest("article") : null;
    const n = outline.byKey.get(keyOfArticle(article)) ?? -1;
    store.update({ toggled: toggledToShow(outline, store.get(), n) });
}
