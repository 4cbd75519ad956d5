/** A thin map beside the text: where prompts, failures, compactions, forks and hits are, and what is in view. */

import { chooseEntry, leaveFootprint } from "../actions/places.js";
import { byId, listen } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { COMPACTION, FAILED, FORK, LANDMARK, NOTABLE, PROMPT } from "../outline/shared.js";
import { rowText } from "../outline/texts.js";
import { topOf } from "../transcript/edges.js";
import { stopScrolling } from "../transcript/scrolling.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Reading } from "../transcript/reading.js" */

/** Places are measured again this often while the page scrolls: heights far away are estimates. */
const MEASURE_MS = 250;

/** A click this near to a mark goes to its entry. */
const MARK_REACH = 5;

/** From below to above; the later are drawn over the earlier. */
const MAP_MARKS = /** @type {const} */ ([
    { mark: FORK, color: "--map-fork", from: 0, to: 0.45, thick: 2 },
    { mark: PROMPT, color: "--map-prompt", from: 0.1, to: 0.9, thick: 2 },
    { mark: LANDMARK, color: "--map-landmark", from: 0.3, to: 0.7, thick: 4 },
    { mark: NOTABLE, color: "--map-notable", from: 0.55, to: 1, thick: 4 },
    { mark: COMPACTION, color: "--map-compaction", from: 0, to: 1, thick: 4 },
    { mark: FAILED, color: "--map-failure", from: 0, to: 1, thick: 3 },
]);

/** All of them. */
const SHOWN_MARKS = MAP_MARKS.reduce((bits, { mark }) => bits | mark, 0);

/** @typedef {{n: number, y: number, bits: number, hit: boolean}} MapMark y in the document, from 0 to 1 */

/**
 * @param {Parts} parts
 * @returns {() => void} draws it again
 */
export function startMap(parts) {
    const canvas = /** @type {HTMLCanvasElement} */ (byId("map"));
    /** @type {MapMark[]} */
    let marks = [];
    let measuredAt = 0;
    let measuredHeight = 0;
    /**
     * Where entries stand, kept while the text lies as it lay: hits come and go more often.
     *
     * @type {Map<number, number>}
     */
    let tops = new Map();
    let laidOut = "";

    const draw = oncePerFrame(() => {
        if (canvas.offsetParent === null && getComputedStyle(canvas).display === "none") {
            return;
        }
        const height = document.documentElement.scrollHeight;
        const now = performance.now();
        if (measuredHeight === 0 || (height !== measuredHeight && now - measuredAt > MEASURE_MS)) {
            const { leaf, compare, view, only } = parts.store.get();
            const layout = `${height} ${leaf} ${compare} ${view} ${only}`;
            if (layout !== laidOut) {
                [tops, laidOut] = [new Map(), layout];
            }
            marks = measureMarks(parts, height, tops);
            [measuredAt, measuredHeight] = [now, height];
        }
        drawMap(canvas, marks, height);
    });
    const again = () => {
        measuredHeight = 0;
        draw();
    };
    listen(window, "scroll", draw);
    listen(window, "scrollend", again);
    new ResizeObserver(again).observe(canvas);
    new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
        listen(matchMedia(query), "change", draw);
    }
    listenToMap(parts, canvas, () => marks);
    return again;
}

/**
 * @param {Parts} parts
 * @param {number} height
 * @param {Map<number, number>} tops what was measured already, in pixels of the document
 * @returns {MapMark[]}
 */
function measureMarks({ outline, store, reading }, height, tops) {
    const matches = store.get().hits?.matches;
    const entries = reading.entries();
    const guess = topGuesser(reading, entries, height);
    /** @type {MapMark[]} */
    const marks = [];
    for (const [at, n] of entries.entries()) {
        const bits = outline.marks[n] & SHOWN_MARKS;
        const hit = matches?.[n] === 1;
        const top = bits === 0 && !hit ? undefined : (tops.get(n) ?? measuredTop(reading.elementOf(n)) ?? guess(at));
        if (top !== undefined) {
            if (reading.elementOf(n) !== undefined) {
                tops.set(n, top);
            }
            marks.push({ n, y: top / height, bits, hit });
        }
    }
    return marks;
}

/**
 * Entries that are not in the document share the space that stands for them.
 *
 * @param {Reading} reading
 * @param {number[]} entries
 * @param {number} height of the document
 * @returns {(at: number) => number} from a place in the list to pixels of the document
 */
function topGuesser(reading, entries, height) {
    const [from, to] = reading.span();
    const begin = measuredTop(reading.elementOf(entries[from])) ?? 0;
    const end = measuredTop(reading.elementOf(entries[to - 1])) ?? height;
    return (at) => (at < from ? (at / from) * begin : end + ((at - to + 1) / Math.max(1, entries.length - to + 1)) * (height - end));
}

/**
 * @param {HTMLElement | undefined} element
 * @returns {number | undefined}
 */
function measuredTop(element) {
    return element === undefined ? undefined : topOf(element) + scrollY;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {MapMark[]} marks
 * @param {number} height
 */
function drawMap(canvas, marks, height) {
    const pen = canvas.getContext("2d");
    const [wide, high, dense] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio];
    if (pen === null || wide === 0) {
        return;
    }
    canvas.width = Math.round(wide * dense);
    canvas.height = Math.round(high * dense);
    pen.scale(dense, dense);
    const style = getComputedStyle(canvas);
    /** @type {(color: string) => void} */
    const dip = (color) => {
        // A custom property is what was written, light and dark; a property in use is the color itself.
        canvas.style.color = `var(${color})`;
        pen.fillStyle = style.color;
    };
    dip("--map-view");
    pen.fillRect(0, (scrollY / height) * high, wide, Math.max(8, (innerHeight / height) * high));
    for (const { mark, color, from, to, thick } of MAP_MARKS) {
        dip(color);
        for (const { y, bits } of marks) {
            if ((bits & mark) !== 0) {
                pen.fillRect(1 + from * (wide - 2), Math.round(y * high), (to - from) * (wide - 2), thick);
            }
        }
    }
    dip("--map-hit");
    for (const { y, hit } of marks) {
        if (hit) {
            pen.fillRect(wide * 0.6, Math.round(y * high) - 1, wide * 0.4, 4);
        }
    }
}

/**
 * @param {Parts} parts
 * @param {HTMLCanvasElement} canvas
 * @param {() => MapMark[]} marks
 */
function listenToMap(parts, canvas, marks) {
    /** @type {(event: PointerEvent) => number} */
    const heightOf = (event) => (event.clientY - canvas.getBoundingClientRect().top) / canvas.clientHeight;
    /** @type {(event: PointerEvent) => MapMark | undefined} */
    const markAt = (event) => {
        const y = heightOf(event);
        const near = marks().toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0];
        return near !== undefined && Math.abs(near.y - y) * canvas.clientHeight <= MARK_REACH ? near : undefined;
    };
    const scrollThere = (/** @type {PointerEvent} */ event) => {
        parts.reading.wander();
        // A drag that begins on a mark has jumped there first.
        stopScrolling();
        const middle = heightOf(event) * document.documentElement.scrollHeight;
        scrollTo({ top: middle - innerHeight / 2, behavior: "instant" });
    };
    listen(canvas, "pointerdown", (event) => {
        if (event.button !== 0) {
            return;
        }
        event.preventDefault();
        canvas.setPointerCapture(event.pointerId);
        const mark = markAt(event);
        if (mark !== undefined) {
            chooseEntry(parts, mark.n);
        } else {
            leaveFootprint(parts);
            scrollThere(event);
        }
    });
    listen(canvas, "pointermove", (event) => {
        if (canvas.hasPointerCapture(event.pointerId)) {
            scrollThere(event);
        } else {
            const mark = markAt(event);
            canvas.title = mark === undefined ? "Legend in the menu" : rowText(parts.outline, mark.n);
        }
    });
}
