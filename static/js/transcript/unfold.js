/**
 * How much of the text stands open: tool output, thinking, messages that a terminal does not show.
 *
 * The reader chooses for all at once; a single fold is the browser's own `details` and keeps what was done to it
 * until the next choice.
 */

import { runInSlices } from "../base/slices.js";
import { USUAL_UNFOLD } from "../state/choices.js";
import { articlesNear } from "./near.js";
import { showAllLines } from "./unfold-hit.js";

/** @import { Unfold } from "../state/choices.js" */
/** @import { Reading } from "./reading.js" */

/**
 * @param {Element} within
 * @param {Unfold} unfold
 */
export function unfoldWithin(within, { output, thinking, hidden, detail }) {
    const wanted = new Map([
        ["card", detail === "full"],
        ["more", output === "full"],
        ["thinking", thinking === "shown"],
        ["hidden-message", hidden === "shown"],
    ]);
    for (const details of within.getElementsByTagName("details")) {
        const open = wanted.get(details.className) ?? details.open;
        if (open !== details.open) {
            details.open = open;
        }
        if (details.className === "more") {
            showAllLines(details);
        }
    }
}

/**
 * Applies the choices to the articles shown, near the view at once and elsewhere in the background; to others
 * when they are shown.
 *
 * @param {Reading} reading
 * @param {() => Iterable<Element | undefined>} others articles that are not in the list being read
 * @returns {{all: (unfold: Unfold) => void, fresh: (element: Element, unfold: Unfold) => void}} `all` after every
 *     change of the page, `fresh` for an article that has just got its content
 */
export function makeUnfolder(reading, others) {
    /** @type {WeakMap<Element, Unfold>} */
    const done = new WeakMap();
    /** @type {[number[], Unfold]} */
    let last = [[], USUAL_UNFOLD];
    let stop = () => {};
    /** @type {(element: Element | undefined, unfold: Unfold) => void} */
    const one = (element, unfold) => {
        if (element !== undefined && (done.get(element) ?? USUAL_UNFOLD) !== unfold) {
            done.set(element, unfold);
            unfoldWithin(element, unfold);
        }
    };
    /** @type {(unfold: Unfold) => void} */
    const all = (unfold) => {
        const entries = reading.entries();
        if (entries === last[0] && unfold === last[1]) {
            return;
        }
        last = [entries, unfold];
        stop();
        articlesNear(reading).forEach(([, element]) => one(element, unfold));
        let [next, to] = reading.span();
        const rest = others()[Symbol.iterator]();
        stop = runInSlices({
            step() {
                if (next < to) {
                    one(reading.elementOf(entries[next++]), unfold);
                    return true;
                }
                const { value, done: isLast } = rest.next();
                one(value, unfold);
                return isLast !== true;
            },
        });
    };
    return {
        all,
        fresh(element, unfold) {
            // While it was empty a choice may have been applied to it.
            done.delete(element);
            one(element, unfold);
        },
    };
}
