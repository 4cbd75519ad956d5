/**
 * What is being read: the entries of the view shown, top to bottom, and where among them the reader stands.
 *
 * Path and Context are two lists of articles; moves, the map and the history see only this one face of them.
 */

import { eventTarget, listen } from "../base/dom.js";
import { JUMP_ROOM, lastAbove, topEdge, topOf } from "./edges.js";
import { flash, scrollUntilStill } from "./scrolling.js";

/** @import { ScrollMark } from "../address/history.js" */
/** @import { Outline } from "../outline/outline.js" */

/** Heights that become known move what stands at the top by less. */
const LANDING_ROOM = 8;

/** Keys that scroll: after one the reader is no longer where the last jump led. */
const SCROLL_KEYS = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", " "]);

/**
 * @typedef {object} Pane one of the two lists
 * @property {() => number[]} entries top to bottom, those shown only
 * @property {() => [number, number]} span places among them of the first that is built, and one past the last
 * @property {(n: number) => HTMLElement | undefined} elementOf undefined too while it is not built
 * @property {(n: number) => HTMLElement | undefined} reach builds it first
 * @property {() => Pane[]} [beside] the lists that are shown side by side, where they are several
 * @property {() => [-1, HTMLElement][]} [lines] what near the view has the searched words, where that is not the entries
 */

/**
 * @typedef {object} Reading
 * @property {() => number[]} entries
 * @property {() => [number, number]} span
 * @property {() => Pane[]} panes all that are shown
 * @property {() => [-1, HTMLElement][] | undefined} lines
 * @property {(n: number) => HTMLElement | undefined} elementOf
 * @property {(entries: number[]) => number} here the place in the list of the entry being read, -1 before the first
 * @property {(entries: number[]) => number} seen the same for what the page says of it: at the end of the page the last entries never come to the top
 * @property {(n: number) => void} goTo scrolls to an entry of the view shown and flashes it
 * @property {(scroll: () => void) => void} jump scrolls, and again when heights change, until the reader scrolls
 * @property {(n: number) => void} focus
 * @property {() => ScrollMark | null} scrollMark
 * @property {(mark: ScrollMark) => void} restore
 * @property {(change: () => void) => void} hold changes heights while what is being read stays where it is
 * @property {() => void} wander the reader has scrolled by hand
 */

/**
 * @param {Outline} outline
 * @param {() => Pane} pane the one shown
 * @returns {Reading}
 */
export function makeReading(outline, pane) {
    let jumpedTo = -1;
    /** @type {(() => void) | null} the last jump, until the reader scrolls by hand */
    let again = null;
    /** @type {{element: HTMLElement, top: number} | null} what stood at the top of the view when it had come to rest */
    let landing = null;
    /** @type {(entries: number[]) => number} */
    const atTop = (entries) => lastAbove(entries, pane().elementOf, topEdge() + JUMP_ROOM, pane().span());
    const wander = () => {
        jumpedTo = -1;
        again = null;
    };
    const topmost = () => {
        const entries = pane().entries();
        const element = pane().elementOf(entries[atTop(entries)]);
        return element === undefined ? null : { element, top: topOf(element) };
    };
    /** Whether something else has scrolled since: the browser's own search, the focus, a script. */
    const isElsewhere = () =>
        landing !== null && (!landing.element.isConnected || Math.abs(topOf(landing.element) - landing.top) > LANDING_ROOM);
    /** @type {(scroll: () => void) => void} */
    const jump = (scroll) => {
        again = scroll;
        landing = null;
        scrollUntilStill(scroll, () => {
            landing = topmost();
        });
    };
    listenToScrolling(wander);
    return {
        entries: () => pane().entries(),
        span: () => pane().span(),
        panes: () => pane().beside?.() ?? [pane()],
        lines: () => pane().lines?.(),
        elementOf: (n) => pane().elementOf(n),
        here(entries) {
            // Near the end an entry cannot come to the top, and would be jumped to again and again.
            const jumped = jumpedTo < 0 ? -1 : entries.indexOf(jumpedTo);
            return jumped < 0 ? atTop(entries) : jumped;
        },
        seen(entries) {
            const jumped = jumpedTo < 0 ? -1 : entries.indexOf(jumpedTo);
            if (jumped >= 0) {
                return jumped;
            }
            const { scrollHeight } = document.documentElement;
            const isAtEnd = scrollY > 0 && scrollY + innerHeight > scrollHeight - JUMP_ROOM;
            // The page goes on for 40 % of the view below its last entry (base.css).
            return isAtEnd ? lastAbove(entries, pane().elementOf, 0.6 * innerHeight, pane().span()) : atTop(entries);
        },
        goTo(n) {
            const element = pane().reach(n);
            if (element !== undefined) {
                jumpedTo = n;
                jump(() => element.scrollIntoView({ block: "start" }));
                flash(element);
            }
        },
        jump,
        focus: (n) => pane().elementOf(n)?.focus({ preventScroll: true }),
        scrollMark() {
            const entries = pane().entries();
            const at = atTop(entries);
            const element = pane().elementOf(entries[at]);
            return element === undefined ? null : { at: outline.keys[entries[at]], offset: topOf(element) };
        },
        restore(mark) {
            const element = pane().reach(outline.byKey.get(mark.at) ?? -1);
            if (element !== undefined && !element.hidden) {
                jump(() => scrollBy(0, topOf(element) - mark.offset));
            }
        },
        hold(change) {
            if (isElsewhere()) {
                wander();
            }
            const eye = topmost();
            change();
            if (again !== null) {
                jump(again);
            } else if (eye?.element.isConnected) {
                scrollBy({ top: topOf(eye.element) - eye.top, behavior: "instant" });
            }
        },
        wander,
    };
}

/**
 * @param {() => void} wander
 */
function listenToScrolling(wander) {
    listen(window, "wheel", wander);
    listen(window, "touchmove", wander);
    listen(window, "pointerdown", (event) => {
        // On the page's own scroll bar.
        if (event.target === document.documentElement) {
            wander();
        }
    });
    listen(window, "keydown", (event) => {
        if (!event.defaultPrevented && SCROLL_KEYS.has(event.key) && eventTarget(event, "[role=tree], dialog, input, button") === null) {
            wander();
        }
    });
}
