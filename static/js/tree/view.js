/**
 * The tree list on the screen: a virtual list, in which only rows near the view exist.
 *
 * To assistive technology it is one WAI-ARIA tree with one tab stop. The element keeps the focus and names the
 * row under the cursor by `aria-activedescendant`; that row always exists, even when scrolled out of sight.
 */

import { listen } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { rowAt, rowTop } from "./heights.js";
import { LEVEL_CELLS, makeRow } from "./row.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Measure, TreeRendering } from "./row.js" */

/** Rows kept ready above and below the view. */
const SPARE_ROWS = 12;

/** Text keeps the rest of the width: indentation, the row's own edges and the fold mark take this share. */
const INDENT_SHARE = 0.4;

/**
 * @typedef {object} RowPlace where a row is to stand
 * @property {number} row -1 for none
 * @property {number | null} offset from the upper edge of the view; null, or out of the view: in its middle
 *
 * @typedef {object} TreeView
 * @property {(rendering: TreeRendering, place: RowPlace) => void} show a new layout, scrolled so that a row is in view
 * @property {(rendering: TreeRendering) => void} mark the same layout, another cursor
 * @property {(row: number) => void} reveal scrolls as little as needed
 * @property {(row: number) => number} offsetOf a row's distance from the upper edge of the view
 * @property {(row: number) => void} locate marks the row of the entry being read, -1 for none
 * @property {() => void} wake draws what was shown while nobody could see it
 * @property {() => number} pageSize rows that fit the view
 */

/**
 * @param {HTMLElement} tree
 * @param {Outline} outline
 * @param {() => boolean} isSeen nothing is drawn in a drawer that is closed
 * @returns {TreeView}
 */
export function makeTreeView(tree, outline, isSeen) {
    const space = /** @type {HTMLElement} */ (tree.firstElementChild);
    /** @type {Map<number, HTMLElement>} */
    const drawn = new Map();
    /** @type {TreeRendering | null} */
    let rendering = null;
    let measure = measureTree(tree);
    let here = -1;
    /** Where a row is to stand once the tree is seen. @type {RowPlace | null} */
    let waiting = null;

    const drawWindow = () => {
        if (rendering === null || waiting !== null) {
            return;
        }
        const wanted = rowsNear(tree, measure, rendering);
        for (const [row, element] of drawn) {
            if (!wanted.has(row)) {
                element.remove();
                drawn.delete(row);
            }
        }
        for (const row of wanted) {
            if (!drawn.has(row)) {
                const element = makeRow(outline, rendering, row, measure);
                drawn.set(row, element);
                space.append(element);
            }
        }
        markCursor(tree, drawn, rendering);
        markHere(drawn, here);
    };
    const empty = () => {
        space.replaceChildren();
        drawn.clear();
        space.style.setProperty("block-size", `${rendering === null ? 0 : rowTop(rendering.layout, measure, rendering.layout.length)}px`);
    };
    const topOf = (/** @type {number} */ row) => (rendering === null ? 0 : rowTop(rendering.layout, measure, row));

    listen(tree, "scroll", oncePerFrame(drawWindow));
    new ResizeObserver(
        oncePerFrame(() => {
            const { levels, rowHeight } = measure;
            measure = measureTree(tree);
            // Where only the room for rows has changed, as by a search, those drawn stay.
            if (measure.levels !== levels || measure.rowHeight !== rowHeight) {
                empty();
            }
            drawWindow();
        }),
    ).observe(tree);

    /** @type {(place: RowPlace, where: "nearest" | "center") => void} */
    const place = ({ row, offset }, where) => {
        if (offset !== null) {
            tree.scrollTop = topOf(row) - offset;
        }
        reveal(tree, topOf(row), measure, row, where);
        drawWindow();
    };
    return {
        show(next, wanted) {
            // Rows of another layout have other numbers.
            here = rendering?.layout === next.layout ? here : -1;
            const { isSearch } = next.layout;
            if ((rendering?.layout.isSearch ?? false) !== isSearch) {
                tree.classList.toggle("searching", isSearch);
                measure = measureTree(tree);
            }
            rendering = next;
            waiting = isSeen() ? null : wanted;
            // Scrolled while empty: rows that were drawn for another place would be laid out for nothing.
            empty();
            if (waiting === null) {
                place(wanted, "center");
            }
        },
        mark(next) {
            rendering = next;
            drawWindow();
        },
        reveal(row) {
            if (waiting !== null || !isSeen()) {
                waiting = { row, offset: null };
                return;
            }
            place({ row, offset: null }, "nearest");
        },
        wake() {
            const wanted = waiting;
            waiting = null;
            if (wanted !== null) {
                empty();
                place(wanted, "center");
            }
        },
        locate(row) {
            here = row;
            markHere(drawn, here);
        },
        // Asked of a tree that is not seen, its scroll would lay out the page.
        offsetOf: (row) => (waiting === null ? topOf(row) - tree.scrollTop : 0),
        pageSize: () => Math.max(1, Math.floor(tree.clientHeight / measure.rowHeight) - 1),
    };
}

/**
 * @param {HTMLElement} tree
 * @returns {Measure}
 */
function measureTree(tree) {
    const style = getComputedStyle(tree);
    const [rowHeight, promptSpace, levelWidth, edges] = ["row-height", "prompt-space", "level-width", "row-edges"].map((name) =>
        Number.parseFloat(style.getPropertyValue(`--${name}`)),
    );
    const room = tree.clientWidth * INDENT_SHARE - edges;
    return { rowHeight, promptSpace, levels: Math.max(LEVEL_CELLS + 1, Math.floor(room / levelWidth)) };
}

/**
 * @param {HTMLElement} tree
 * @param {Measure} measure
 * @param {TreeRendering} rendering
 * @returns {Set<number>}
 */
function rowsNear(tree, measure, rendering) {
    const first = rowAt(rendering.layout, measure, tree.scrollTop) - SPARE_ROWS;
    const count = Math.ceil(tree.clientHeight / measure.rowHeight) + 2 * SPARE_ROWS;
    /** @type {Set<number>} */
    const rows = new Set();
    for (let row = Math.max(0, first); row < Math.min(rendering.layout.length, first + count); row++) {
        rows.add(row);
    }
    if (rendering.cursor >= 0) {
        rows.add(rendering.cursor);
    }
    return rows;
}

/**
 * @param {HTMLElement} tree
 * @param {number} top of the row
 * @param {Measure} measure
 * @param {number} row
 * @param {"nearest" | "center"} where
 */
function reveal(tree, top, measure, row, where) {
    const room = tree.clientHeight - measure.rowHeight;
    const outOfView = top < tree.scrollTop || top > tree.scrollTop + room;
    if (row < 0 || !outOfView) {
        return;
    }
    const nearest = top < tree.scrollTop ? top : top - room;
    tree.scrollTop = where === "center" ? top - room / 2 : nearest;
}

/**
 * @param {Map<number, HTMLElement>} drawn
 * @param {number} here
 */
function markHere(drawn, here) {
    for (const [row, element] of drawn) {
        if (row === here) {
            element.setAttribute("aria-current", "location");
        } else {
            element.removeAttribute("aria-current");
        }
    }
}

/**
 * @param {HTMLElement} tree
 * @param {Map<number, HTMLElement>} drawn
 * @param {TreeRendering} rendering
 */
function markCursor(tree, drawn, rendering) {
    for (const [row, element] of drawn) {
        element.classList.toggle("cursor", row === rendering.cursor);
    }
    const cursor = drawn.get(rendering.cursor);
    if (cursor === undefined) {
        tree.removeAttribute("aria-activedescendant");
    } else {
        tree.setAttribute("aria-activedescendant", cursor.id);
    }
}
