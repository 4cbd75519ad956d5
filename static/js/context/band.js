/**
 * The band on top of the context view: for each call of the branch the tokens that it reported. A script of its own,
 * which is only in pages of sessions that report any.
 *
 * The page's script says by an event what is shown, and follows a click on an element with `data-call`.
 */

import { hasModifier, listen } from "../base/dom.js";
import { callsOf } from "./band-calls.js";
import { drawBand } from "./band-draw.js";
import { makeCallTable } from "./band-table.js";

/** @import { Call } from "./band-calls.js" */
/** @import { BandShown } from "./head.js" */

/** How far Page Up and Page Down lead. */
const PAGE = 20;

/** @type {HTMLElement | null} */
let band = null;
let shownLeaf = -1;
/** @type {(call: number) => void} */
let mark = () => {};

listen(window, /** @type {any} */ ("calls"), (/** @type {any} */ event) => {
    /** @type {BandShown} */
    const { outline, path, call } = event.detail;
    const leaf = path[path.length - 1];
    if (leaf !== shownLeaf) {
        shownLeaf = leaf;
        const hadFocus = band !== null && band.contains(document.activeElement);
        band?.remove();
        const calls = callsOf(outline, path);
        band = calls.length === 0 ? null : makeBand(calls);
        if (band !== null) {
            document.querySelector(".context-head")?.append(band);
            if (hadFocus) {
                /** @type {HTMLElement} */ (band.firstElementChild).focus();
            }
        }
    }
    mark(call);
});

/**
 * @param {Call[]} calls
 * @returns {HTMLElement}
 */
function makeBand(calls) {
    const { element, slider, say, show } = drawBand(calls);
    const last = calls.length - 1;
    let shown = last;
    let at = last;
    let isReported = true;
    const point = (/** @type {number} */ nth) => {
        at = Math.max(0, Math.min(last, nth));
        say(at, true);
    };
    // Where nothing is pointed at, the figures are those of the call shown.
    const rest = () => {
        at = shown < 0 ? last : shown;
        say(isReported ? at : -1, false);
    };
    mark = (n) => {
        shown = n < 0 ? -1 : calls.findIndex(({ entry }) => entry >= n);
        isReported = n < 0 || calls[shown]?.entry === n;
        show(shown);
        rest();
    };
    const open = () => element.querySelectorAll("[data-call]")[at]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const placeOf = (/** @type {MouseEvent} */ event) => {
        const box = slider.getBoundingClientRect();
        return Math.floor(((event.clientX - box.left) / box.width) * (last + 1));
    };
    listen(slider, "pointermove", (event) => point(placeOf(event)));
    listen(slider, "pointerleave", rest);
    listen(slider, "click", (event) => {
        // The nearest call, wherever above it the pointer is; its own event follows.
        if (event.isTrusted) {
            event.stopPropagation();
            point(placeOf(event));
            open();
        }
    }, { capture: true });
    listen(slider, "keydown", (event) => {
        const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowUp: at + 1, PageUp: at - PAGE, PageDown: at + PAGE, Home: 0, End: last }[event.key];
        if (hasModifier(event) || (to === undefined && event.key !== "Enter")) {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
        if (to === undefined) {
            open();
        } else {
            point(to);
        }
    });
    element.append(makeCallTable(calls));
    return element;
}
