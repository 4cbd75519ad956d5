/** What is made when the reader comes near: single elements, and lists of them. */

import { lastAtMost } from "../base/ascending.js";
import { make } from "../base/dom.js";

/** How far from the screen things are made, in pixels. */
const NEAR = "1500px 0px";

/** Elements of a list are made together up to about this height, in pixels: so few placeholders stand for a long list. */
const GROUP_HEIGHT = 2000;

/**
 * @typedef {object} Near
 * @property {(element: HTMLElement, fill: () => void) => void} when calls once when the reader comes near
 * @property {(element: HTMLElement) => void} now calls it at once
 * @property {() => Promise<void>} all calls all that wait, and those that come to wait by that
 * @property {() => void} forget
 */

/** @returns {Near} */
export function makeNear() {
    /** @type {Map<Element, () => void>} */
    const waiting = new Map();
    /** @type {(element: Element) => void} */
    const now = (element) => {
        const fill = waiting.get(element);
        waiting.delete(element);
        observer.unobserve(element);
        fill?.();
    };
    const observer = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => now(entry.target)), { rootMargin: NEAR });
    return {
        when(element, fill) {
            waiting.set(element, fill);
            observer.observe(element);
        },
        now,
        async all() {
            while (waiting.size > 0) {
                Array.from(waiting.keys()).forEach(now);
                // Lines come from packs that are opened.
                await new Promise((done) => setTimeout(done));
            }
        },
        forget() {
            observer.disconnect();
            waiting.clear();
        },
    };
}

/**
 * @typedef {object} Unit an element of a list
 * @property {number} height about so many pixels
 * @property {() => HTMLElement} make
 *
 * @typedef {object} LazyList
 * @property {HTMLElement[]} nodes to be put into the document
 * @property {(nth: number) => HTMLElement | undefined} at an element, or what stands in its place
 * @property {(nth: number) => HTMLElement | undefined} reach makes it first
 */

/**
 * @param {readonly Unit[]} units
 * @param {Near} near
 * @returns {LazyList}
 */
export function makeLazyList(units, near) {
    /** @type {HTMLElement[]} */
    const made = [];
    /** @type {number[]} the first unit of each group */
    const starts = [];
    /** @type {HTMLElement[]} */
    const holders = [];
    let height = GROUP_HEIGHT;
    for (const [nth, unit] of units.entries()) {
        if (height >= GROUP_HEIGHT) {
            starts.push(nth);
            holders.push(make("div", "holder"));
            height = 0;
        }
        height += unit.height;
        holders[holders.length - 1].style.setProperty("block-size", `${height}px`);
    }
    for (const [group, holder] of holders.entries()) {
        near.when(holder, () => {
            for (let nth = starts[group]; nth < (starts[group + 1] ?? units.length); nth++) {
                made[nth] = units[nth].make();
            }
            holder.replaceWith(...made.slice(starts[group], starts[group + 1] ?? units.length));
        });
    }
    return {
        nodes: holders,
        at: (nth) => made[nth] ?? holders[lastAtMost(starts, nth)],
        reach(nth) {
            if (made[nth] === undefined && nth >= 0 && nth < units.length) {
                near.now(holders[lastAtMost(starts, nth)]);
            }
            return made[nth];
        },
    };
}
