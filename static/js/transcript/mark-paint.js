/** How marks are painted: as highlights, which leave the document alone, or where a browser has none by <mark>. */

import { make } from "../base/dom.js";

const HIT = "leafpress-hit";
const HIT_NOW = "leafpress-hit-now";

/**
 * @typedef {object} Painter
 * @property {(element: HTMLElement, ranges: Range[]) => Range[]} paint gives back what `point` and `erase` need
 * @property {(element: HTMLElement, ranges: Range[]) => void} erase
 * @property {(ranges: Range[] | undefined) => void} point the marks of the hit walked to
 */

/**
 * @returns {Painter}
 */
export function makePainter() {
    return typeof Highlight === "function" && "highlights" in CSS ? highlightPainter() : elementPainter();
}

/**
 * @returns {Painter}
 */
function highlightPainter() {
    const [all, now] = [new Highlight(), new Highlight()];
    now.priority = 1;
    CSS.highlights.set(HIT, all);
    CSS.highlights.set(HIT_NOW, now);
    return {
        paint(_, ranges) {
            ranges.forEach((range) => all.add(range));
            return ranges;
        },
        erase(_, ranges) {
            ranges.forEach((range) => all.delete(range));
        },
        point(ranges) {
            now.clear();
            ranges?.forEach((range) => now.add(range));
        },
    };
}

/**
 * @returns {Painter}
 */
function elementPainter() {
    /** @type {HTMLElement | null} */
    let pointed = null;
    return {
        paint(_, ranges) {
            // From the end: wrapping splits text nodes, which moves only what comes after.
            ranges.toReversed().forEach(wrapRange);
            return ranges;
        },
        erase(element) {
            for (const mark of element.querySelectorAll("mark.hit")) {
                const parent = mark.parentNode;
                mark.replaceWith(...mark.childNodes);
                parent?.normalize();
            }
        },
        point(ranges) {
            pointed?.classList.remove(HIT_NOW);
            const node = ranges?.[0]?.startContainer ?? null;
            const at = node instanceof Element ? node : node?.parentElement;
            pointed = at?.closest("article") ?? null;
            pointed?.classList.add(HIT_NOW);
        },
    };
}

/**
 * @param {Range} range
 */
function wrapRange(range) {
    for (const [node, from, to] of textPieces(range).reverse()) {
        const piece = from > 0 ? node.splitText(from) : node;
        if (to - from < piece.length) {
            piece.splitText(to - from);
        }
        const mark = make("mark", "hit");
        piece.replaceWith(mark);
        mark.append(piece);
    }
}

/**
 * @param {Range} range
 * @returns {[Text, number, number][]}
 */
function textPieces(range) {
    const { startContainer: first, endContainer: last, startOffset, endOffset } = range;
    /** @type {[Text, number, number][]} */
    const pieces = [];
    const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
    walker.currentNode = first;
    /** @type {Node | null} */
    let node = first;
    while (node instanceof Text) {
        pieces.push([node, node === first ? startOffset : 0, node === last ? endOffset : node.length]);
        node = node === last ? null : walker.nextNode();
    }
    return pieces;
}
