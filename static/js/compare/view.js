/**
 * Two branches side by side from where they part: one scroll for both, the page's own, so that the browser's search,
 * its keys and paper do what they do everywhere; a side that has come to its end says so. A phone has a tab for each.
 */

import { keysOf } from "../actions/commands.js";
import { ANCHOR } from "../address/link.js";
import { counted, eventTarget, listen, make, makeButton } from "../base/dom.js";
import { commonAncestor, pathTo } from "../outline/paths.js";
import { titleOf } from "../outline/texts.js";
import { coverTop } from "../transcript/edges.js";
import { makeSide } from "./side.js";
import { makeCompareTable } from "./table.js";
import { makeCompareTabs } from "./tabs.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Pane } from "../transcript/reading.js" */
/** @import { Side, SideWork } from "./side.js" */
/** @import { CompareTabs } from "./tabs.js" */

/**
 * @typedef {object} CompareOwn
 * @property {(leaf: number, other: number, listed: Uint8Array | null) => void} show
 * @property {() => void} hide
 * @property {() => Side[]} sides the one of the branch shown first; none while nothing is compared
 * @property {(n: number) => boolean} holds whether an entry is on either side
 * @property {() => void} fold draws anew which steps are seen
 * @property {() => HTMLElement[]} live the articles in the document
 *
 * @typedef {Pane & CompareOwn} Compare
 */

/**
 * @typedef {object} CompareAsked with what the page's script asks for the view
 * @property {HTMLElement} root
 * @property {Outline} outline
 * @property {SideWork} work
 * @property {(view: Compare) => void} take
 */

/**
 * @param {CompareAsked} asked
 * @returns {Compare}
 */
export function makeCompare({ root, outline, work }) {
    /** @type {Side[]} */
    let sides = [];
    /** The one that the reader is at: moves go along it. */
    let active = 0;
    const at = () => sides[active];
    /** @type {CompareTabs | null} */
    let tabs = null;
    /** What stands at the top of the view: the tabs where there are any, else the heads of the sides. */
    const measure = () => {
        const own = tabs?.element.getBoundingClientRect().height ?? 0;
        const heads = own > 0 ? [own] : Array.from(root.querySelectorAll(".side-head"), (head) => head.getBoundingClientRect().height);
        const height = Math.max(0, ...heads);
        coverTop(height);
        root.style.setProperty("--side-head", `${height}px`);
    };
    /** @type {(event: Event) => void} */
    const activate = (event) => {
        const side = eventTarget(event, ".side");
        active = Math.max(0, sides.findIndex(({ element }) => element === side));
    };
    listen(root, "focusin", activate);
    listen(root, "pointerdown", activate);
    listen(window, "resize", measure);
    return {
        show(leaf, other, listed) {
            const [ancestor, before] = [commonAncestor(outline, leaf, other), sides];
            before.forEach((side) => side.stop());
            const kept = before[active]?.leaf;
            sides = [leaf, other].map((end, nth) => makeSide(outline, { end, ancestor, nth, listed }, work));
            active = Math.max(0, sides.findIndex((side) => side.leaf === kept));
            const columns = make("div", "sides");
            columns.append(...sides.map(({ element }) => element));
            tabs = makeCompareTabs(sides.map(({ name }) => name), columns, (nth) => {
                active = nth;
            });
            tabs.show(active);
            const table = makeCompareTable(outline, [leaf, other], ancestor);
            root.replaceChildren(makeCompareHead(outline, leaf, ancestor), table, tabs.element, columns);
            void work.files([leaf, other], ancestor)?.then((files) => {
                if (table.isConnected && files !== null) {
                    table.after(files);
                    measure();
                }
            });
            measure();
            sides.forEach((side) => side.begin());
        },
        hide() {
            sides.forEach((side) => side.stop());
            sides = [];
            tabs = null;
            root.replaceChildren();
            measure();
        },
        sides: () => sides,
        fold: () => sides.forEach((side) => side.fold()),
        holds: (n) => sides.some((side) => side.pane.entries().includes(n)),
        live: () => sides.flatMap((side) => side.articles()),
        entries: () => at()?.pane.entries() ?? [],
        span: () => at()?.pane.span() ?? [0, 0],
        elementOf: (n) => sides.map((side) => side.pane.elementOf(n)).find((element) => element !== undefined),
        reach(n) {
            const own = sides.findIndex((side) => side.pane.entries().includes(n));
            if (own >= 0) {
                active = own;
                tabs?.show(own);
            }
            return sides[own]?.pane.reach(n);
        },
        beside: () => sides.map((side) => side.pane),
    };
}

/**
 * What both have, folded to a line, and the way out.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {number} ancestor -1 for none
 * @returns {HTMLElement}
 */
function makeCompareHead(outline, leaf, ancestor) {
    const head = make("header", "compare-head");
    const close = makeButton("compare-close", "Close");
    close.title = "Close the comparison (Esc)";
    const other = makeButton("compare-other", "Another branch");
    other.title = `Compare with another branch (${keysOf("compare")})`;
    const line = make("p", "compare-common");
    if (ancestor < 0) {
        line.textContent = "The branches have different roots";
    } else {
        const count = pathTo(outline, ancestor).length;
        const link = make("a", "to-common", titleOf(outline, ancestor) || "entry without text");
        link.setAttribute("href", `${ANCHOR}${outline.keys[ancestor]}`);
        line.append("Same until ", link, ` (${counted(count, "entry", "entries")})`);
    }
    head.append(make("h2", "", "Comparison of two branches"), other, close, line);
    return head;
}
