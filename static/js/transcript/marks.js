/**
 * Marks of the searched words in the text, in articles near the view only.
 *
 * Found in the same text that search sees: all text of an article joined, without what the page itself added.
 */

import { listen, nodeAfter } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { foundSpans } from "../search/spans.js";
import { articlesNear } from "./near.js";
import { unfoldHits } from "./unfold-hit.js";

/** @import { State } from "../state/state.js" */
/** @import { Reading } from "./reading.js" */

/** Of a longer article only the beginning is marked: the work must stay within a frame. */
const MARKED_LENGTH = 1_000_000;

/**
 * @typedef {object} Marker
 * @property {(state: Readonly<State>, patterns: RegExp[]) => void} show
 * @property {() => void} look marks articles that have come
 * @property {(n: number) => DOMRect | null} open opens the folds around an entry's marks; where the first stands
 */

/**
 * @param {Reading} reading
 * @returns {Marker}
 */
export function makeMarker(reading) {
    const [marks, current] = [makeHighlight("leafpress-hit", 0), makeHighlight("leafpress-hit-now", 1)];
    /** @type {Map<HTMLElement, Range[]>} */
    let found = new Map();
    /** @type {Readonly<State> | null} */
    let state = null;
    /** @type {RegExp[]} */
    let patterns = [];

    /** @type {(ranges: Range[] | undefined) => void} the marks of the hit walked to */
    const point = (ranges) => {
        current.clear();
        ranges?.forEach((range) => current.add(range));
    };
    const draw = () => {
        if (state === null || (patterns.length === 0 && found.size === 0)) {
            return;
        }
        /** @type {Map<HTMLElement, Range[]>} */
        const near = new Map();
        for (const [n, element] of patterns.length === 0 ? [] : reading.lines() ?? articlesNear(reading)) {
            // Marks in steps that stand shut are not seen, and each would cost the browser work in every frame.
            if ((n < 0 || state.hits?.matches[n] === 1) && !element.classList.contains("shut")) {
                const ranges = found.get(element) ?? findRanges(element, patterns);
                ranges.forEach((range) => marks.add(range));
                near.set(element, ranges);
            }
        }
        for (const [element, ranges] of found) {
            if (!near.has(element)) {
                ranges.forEach((range) => marks.delete(range));
            }
        }
        point(state.hitAt < 0 ? undefined : near.get(reading.elementOf(state.hitAt) ?? document.body));
        found = near;
        // One that may not have its content yet is looked at again.
        const isContext = state.view === "context" || state.compare >= 0;
        for (const [element, ranges] of near) {
            if (ranges.length === 0 && (isContext || element.hasAttribute("aria-busy"))) {
                found.delete(element);
            }
        }
    };
    const drawSoon = oncePerFrame(draw);
    listen(window, "scroll", drawSoon);
    listen(window, "resize", drawSoon);

    return {
        show(next, nextPatterns) {
            if (nextPatterns !== patterns) {
                point(undefined);
                marks.clear();
                found = new Map();
                patterns = nextPatterns;
            }
            state = next;
            drawSoon();
        },
        look: drawSoon,
        open(n) {
            const element = reading.elementOf(n);
            if (element === undefined || patterns.length === 0) {
                return null;
            }
            const ranges = findRanges(element, patterns);
            unfoldHits(ranges, element);
            return ranges[0]?.getBoundingClientRect() ?? null;
        },
    };
}

/**
 * Ranges that are painted, which leaves the document alone (Chrome 105, Safari 17.2, Firefox 140). An older browser paints nothing.
 *
 * @param {string} name
 * @param {number} priority
 * @returns {Set<AbstractRange>}
 */
function makeHighlight(name, priority) {
    if (typeof Highlight !== "function") {
        return new Set();
    }
    const highlight = new Highlight();
    highlight.priority = priority;
    CSS.highlights.set(name, highlight);
    return highlight;
}

/**
 * @param {Element} element
 * @param {RegExp[]} patterns
 * @returns {Range[]} in the order of the text
 */
function findRanges(element, patterns) {
    const nodes = textNodes(element);
    /** @type {number[]} */
    const starts = [];
    let text = "";
    for (const node of nodes) {
        starts.push(text.length);
        text += node.data;
    }
    let at = 0;
    return foundSpans(text, patterns).map(([from, to]) => {
        while (starts[at + 1] <= from) {
            at++;
        }
        let last = at;
        while (starts[last + 1] < to) {
            last++;
        }
        const range = new Range();
        range.setStart(nodes[at], from - starts[at]);
        range.setEnd(nodes[last], to - starts[last]);
        return range;
    });
}

/**
 * @param {Element} element
 * @returns {Text[]}
 */
function textNodes(element) {
    const nodes = [];
    let length = 0;
    /** @type {Node | null} */
    let node = element.firstChild;
    while (node !== null && length < MARKED_LENGTH) {
        if (node instanceof Text) {
            nodes.push(node);
            length += node.length;
        }
        const own = node instanceof Element && node.hasAttribute("data-ui");
        node = (own ? null : node.firstChild) ?? nodeAfter(node, element);
    }
    return nodes;
}
