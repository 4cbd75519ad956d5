/**
 * Marks of the searched words in the text, in articles near the view only.
 *
 * Found in the same text that search sees: all text of an article joined, without what the page itself added.
 */

import { listen, nodeAfter } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { foundSpans } from "../search/spans.js";
import { makePainter } from "./mark-paint.js";
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
    const painter = makePainter();
    /** @type {Map<HTMLElement, Range[]>} */
    let found = new Map();
    /** @type {Readonly<State> | null} */
    let state = null;
    /** @type {RegExp[]} */
    let patterns = [];

    const draw = () => {
        if (state === null || (patterns.length === 0 && found.size === 0)) {
            return;
        }
        /** @type {Map<HTMLElement, Range[]>} */
        const near = new Map();
        for (const [n, element] of patterns.length === 0 ? [] : articlesNear(reading)) {
            // Marks in steps that stand shut are not seen, and each would cost the browser work in every frame.
            if (state.hits?.matches[n] === 1 && !element.classList.contains("shut")) {
                near.set(element, found.get(element) ?? painter.paint(findRanges(element, patterns)));
            }
        }
        for (const [element, ranges] of found) {
            if (!near.has(element)) {
                painter.erase(ranges);
            }
        }
        painter.point(state.hitAt < 0 ? undefined : near.get(reading.elementOf(state.hitAt) ?? document.body));
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
                painter.point(undefined);
                found.forEach((ranges, element) => painter.erase(ranges));
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
