/** One side of a comparison: a head, and copies of the articles of its entries, without their ids. */

import { counted, make, makeButton } from "../base/dom.js";
import { SIDES } from "../outline/branches.js";
import { pathTo } from "../outline/paths.js";
import { isWithoutText } from "../outline/filters.js";
import { FILTER_BITS, PROMPT } from "../outline/shared.js";
import { labelText, titleOf } from "../outline/texts.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Pane } from "../transcript/reading.js" */

/** So many entries of a side are laid out at a time; the others come when asked for. */
const SIDE_STEP = 100;

/** Entries laid out before the one that is jumped to. */
const SIDE_BEFORE = 10;

/**
 * @typedef {object} Side
 * @property {number} leaf
 * @property {string} name
 * @property {HTMLElement} element
 * @property {Pane} pane
 * @property {() => HTMLElement[]} articles
 * @property {() => void} begin lays out its beginning, once it is in the document
 * @property {() => void} stop
 * @property {() => void} fold draws anew which steps are seen
 *
 * @typedef {object} SideOf
 * @property {number} end its leaf
 * @property {number} ancestor the last entry of the other branch too, -1 for none
 * @property {number} nth 0 for the branch shown
 * @property {Uint8Array | null} listed what the filter leaves, null for all
 *
 * @typedef {object} SideWork
 * @property {Articles} articles
 * @property {(article: HTMLElement) => void} prepare for each that got its content
 * @property {(n: number, article: HTMLElement, leaf: number) => void} fold draws which steps of the path to a leaf are seen
 * @property {(change: () => void) => void} hold changes heights while what is being read stays where it is
 * @property {() => void} changed after articles have come
 * @property {(ends: readonly [number, number], ancestor: number) => Promise<HTMLElement | null> | undefined} files which files two branches changed; undefined where the session edited none
 */

/**
 * @param {Outline} outline
 * @param {SideOf} of
 * @param {SideWork} work
 * @returns {Side}
 */
export function makeSide(outline, { end, ancestor, nth, listed }, work) {
    const own = pathTo(outline, end).filter((n) => n > ancestor);
    const entries = listed === null ? own : own.filter((n) => listed[n] === 1);
    const element = make("section", "side");
    const name = sideName(outline, end, own);
    element.setAttribute("aria-label", `${SIDES[nth]}: ${name}`);
    const [earlier, later] = [-1, 1].map((step) => makeButton("side-more", "", () => more(step)));
    const last = make("p", "side-end", sideEnd(own.length, entries.length));
    element.append(makeSideHead(outline, { end, nth, own, name }), earlier, later, last);
    /** @type {Map<number, HTMLElement>} */
    const shells = new Map();
    let [from, to] = [0, 0];
    let live = true;

    /** @type {(n: number) => void} */
    const fill = (n) => {
        const [shell, article] = [shells.get(n), work.articles.read(n)];
        if (shell !== undefined && article !== undefined && shell.childElementCount === 0) {
            copyInto(shell, article);
            work.prepare(shell);
            work.fold(n, shell, end);
        }
    };
    /** @type {(n: number) => Promise<void>} */
    const fillLater = async (n) => {
        await work.articles.packs.openFor(n);
        if (live && shells.has(n)) {
            work.hold(() => fill(n));
            work.changed();
        }
    };
    /** @type {(n: number) => HTMLElement} */
    const shellOf = (n) => {
        const shell = makeSideShell(outline, n);
        shells.set(n, shell);
        return shell;
    };
    /** @type {(nextFrom: number, nextTo: number) => void} */
    const place = (nextFrom, nextTo) => {
        const [first, end] = [Math.max(0, nextFrom), Math.min(entries.length, nextTo)];
        if (first > to || end < from) {
            shells.forEach((shell) => shell.remove());
            shells.clear();
            [from, to] = [first, first];
        }
        const [before, after] = [entries.slice(first, from), entries.slice(to, end)];
        earlier.after(...before.map(shellOf));
        later.before(...after.map(shellOf));
        [from, to] = [Math.min(from, first), Math.max(to, end)];
        drawMore(earlier, from, "earlier", entries.length);
        drawMore(later, entries.length - to, "more", entries.length);
        last.hidden = to < entries.length;
        for (const n of [...after, ...before]) {
            fill(n);
            if (work.articles.isShut(n) && shells.get(n)?.childElementCount === 0) {
                void fillLater(n);
            }
        }
        work.changed();
    };
    /** @type {(step: number) => void} */
    const more = (step) => {
        const first = entries[step < 0 ? from - 1 : to];
        work.hold(() => (step < 0 ? place(from - SIDE_STEP, to) : place(from, to + SIDE_STEP)));
        shells.get(first)?.focus({ preventScroll: true });
    };
    return {
        leaf: end,
        name,
        element,
        articles: () => Array.from(shells.values()),
        begin: () => place(0, SIDE_STEP),
        stop() {
            live = false;
        },
        fold() {
            shells.forEach((shell, n) => work.fold(n, shell, end));
        },
        pane: {
            entries: () => entries,
            span: () => [from, to],
            elementOf: (n) => shells.get(n),
            reach(n) {
                const at = entries.indexOf(n);
                if (at >= 0 && !shells.has(n)) {
                    place(at - SIDE_BEFORE, at + SIDE_STEP);
                }
                return shells.get(n);
            },
        },
    };
}

/**
 * @param {HTMLElement} button
 * @param {number} left
 * @param {string} which
 * @param {number} all
 */
function drawMore(button, left, which, all) {
    button.hidden = left === 0;
    button.textContent = `Show ${Math.min(left, SIDE_STEP)} ${which} of ${all} entries`;
}

/**
 * @param {number} own
 * @param {number} shown
 * @returns {string}
 */
function sideEnd(own, shown) {
    if (own === 0) {
        return "No entries of its own: the other branch continues from its end";
    }
    const hidden = own === shown ? "" : `; the filter hides ${counted(own - shown, "entry", "entries")}`;
    return `End of this branch${hidden}`;
}

/**
 * The last label of a side, else its first prompt, else its last words.
 *
 * @param {Outline} outline
 * @param {number} end
 * @param {number[]} own
 * @returns {string}
 */
function sideName(outline, end, own) {
    const labelled = own.findLast((n) => outline.labels.has(n));
    const words = own.find((n) => (outline.marks[n] & PROMPT) !== 0) ?? own.findLast((n) => hasWords(outline, n));
    return labelText(outline, labelled ?? -1) ?? (titleOf(outline, words ?? end) || "no text");
}

/**
 * Settings and turns without text say nothing of what a branch ended with.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {boolean}
 */
function hasWords(outline, n) {
    const isDefault = (outline.modes[n] & (FILTER_BITS.get("default") ?? 0)) !== 0;
    return isDefault && !isWithoutText(outline, n);
}

/**
 * @param {Outline} outline
 * @param {Omit<SideOf, "listed" | "ancestor"> & {own: number[], name: string}} of
 * @returns {HTMLElement}
 */
function makeSideHead(outline, { end, nth, own, name }) {
    const head = make("header", "side-head");
    const isLabel = own.some((n) => labelText(outline, n) === name);
    const open = makeButton("side-open", "Open");
    open.dataset.leaf = String(end);
    const title = make("h3", "", isLabel ? undefined : name);
    if (isLabel) {
        title.append(make("span", "entry-label", name));
    }
    head.append(title, open, make("p", "side-facts", SIDES[nth]));
    return head;
}

/**
 * @param {Outline} outline
 * @param {number} n
 * @returns {HTMLElement}
 */
function makeSideShell(outline, n) {
    const shell = make("article", "");
    shell.tabIndex = -1;
    shell.dataset.entry = outline.keys[n];
    shell.dataset.kind = outline.kinds[outline.kind[n]];
    return shell;
}

/**
 * What the article shows, but for the way to its neighbors and what the script gave it there.
 *
 * @param {HTMLElement} shell
 * @param {HTMLElement} article
 */
function copyInto(shell, article) {
    const kept = ["brief", "calls-only"].filter((name) => article.classList.contains(name));
    shell.className = kept.join(" ");
    shell.append(...Array.from(article.children, (child) => child.cloneNode(true)));
    shell.querySelectorAll(":scope > nav.fork, :scope > .entry-head > button.raw").forEach((own) => own.remove());
}
