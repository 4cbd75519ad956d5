/**
 * The transcript: every entry is an article, in an order in which the path of any leaf is a subsequence of all.
 * What is in the document is a window of the path shown, so switching branches never moves an article.
 */

import { make } from "../base/dom.js";
import { runInSlices } from "../base/slices.js";
import { keyOfArticle } from "../chunks/articles.js";
import { PROMPT } from "../outline/shared.js";
import { heightOf } from "../state/steps.js";
import { drawCalls, drawSteps } from "./steps.js";
import { findDays, makeDayDrawer } from "./times.js";
import { makeWindow } from "./virtual-list.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */
/** @import { Pane } from "./reading.js" */
/** @import { Days } from "./times.js" */
/** @import { WindowWork } from "./virtual-list.js" */

/**
 * @typedef {object} TranscriptWork
 * @property {() => Readonly<State>} state
 * @property {(leaf: number) => {path: number[], states: string[]}} contextAt what became of each entry on the path to a leaf
 */

/**
 * @typedef {object} Transcript
 * @property {(leaf: number, listed: Uint8Array | null) => void} show the path of a leaf, or only what is listed of it
 * @property {(n: number) => void} markTarget -1 for none
 * @property {Pane} pane
 * @property {() => {shown: number, path: number}} counts entries listed, and on the path
 * @property {() => Iterable<HTMLElement>} live the articles in the document
 * @property {() => void} adopt prepares the articles that the document came with
 * @property {() => void} rest the reader has just done something: what is done while idle waits
 * @property {(n: number) => Promise<void>} filled when the article of an entry near the view has its content
 * @property {() => Promise<void>} unroll puts all that is listed into the document, for print
 * @property {() => void} rollUp
 * @property {() => void} fold draws anew which entries are seen, and which a line stands for
 */

/**
 * @param {HTMLElement} root
 * @param {Outline} outline
 * @param {Articles} articles
 * @param {Omit<WindowWork, "arrive" | "heightOf"> & TranscriptWork} work
 * @returns {Transcript}
 */
export function makeTranscript(root, outline, articles, work) {
    /** @type {(string | undefined)[]} */
    const states = new Array(outline.count);
    /** @type {number[]} */
    let path = [];
    let shownLeaf = -1;
    let target = -1;
    /** @type {Days} */
    let days = { first: new Set(), other: new Set() };
    const drawDay = makeDayDrawer();
    /** @type {WeakMap<HTMLElement, number>} the leaf that the calls of an article were drawn for */
    const called = new WeakMap();
    /** @type {(article: HTMLElement) => void} */
    const drawCallsOnce = (article) => {
        if (called.get(article) !== shownLeaf) {
            called.set(article, shownLeaf);
            drawCalls(outline, shownLeaf, article);
        }
    };
    const dress = (/** @type {number} */ n, /** @type {HTMLElement} */ article) => {
        const head = article.querySelector(":scope > .entry-head");
        if ((outline.marks[n] & PROMPT) !== 0) {
            head?.setAttribute("data-nth", String(outline.prompt[n]));
        }
        drawEdge(article);
        drawSteps(outline, work.state(), n, article);
        drawDay(article, n, days);
    };
    const pathWindow = makeWindow(root, articles, {
        ...work,
        heightOf: (n) => heightOf(outline, work.state(), n),
        arrive(n, article) {
            article.hidden = false;
            article.classList.toggle("target", n === target);
            if (article.dataset.context !== states[n]) {
                article.dataset.context = states[n] ?? "none";
            }
            dress(n, article);
            drawCallsOnce(article);
        },
        prepare(article) {
            work.prepare(article);
            const n = outline.byKey.get(keyOfArticle(article)) ?? -1;
            dress(n, article);
            drawCalls(outline, shownLeaf, article);
        },
    });

    return {
        show(leaf, listed) {
            if (leaf !== shownLeaf) {
                shownLeaf = leaf;
                const context = work.contextAt(leaf);
                path = context.path;
                path.forEach((n, at) => {
                    states[n] = context.states[at];
                });
            }
            const list = listed === null ? path : path.filter((n) => listed[n] === 1);
            days = findDays(outline, list);
            pathWindow.setList(list);
            // For paper, which has to say what is missing.
            setOrRemove(root, "data-left-out", path.length - list.length);
        },
        markTarget(n) {
            const before = target;
            target = n;
            for (const entry of [before, n].filter(pathWindow.holds)) {
                articles.elementOf(entry).classList.toggle("target", entry === n);
            }
        },
        pane: {
            entries: pathWindow.list,
            span: pathWindow.span,
            elementOf: (n) => (pathWindow.holds(n) ? articles.elementOf(n) : undefined),
            reach: (n) => (pathWindow.reach(n) ? articles.elementOf(n) : undefined),
        },
        counts: () => ({ shown: pathWindow.list().length, path: path.length }),
        adopt() {
            const plain = pathWindow.placed().map(articles.elementOf)[Symbol.iterator]();
            runInSlices({
                step() {
                    const { value, done } = plain.next();
                    if (done !== true) {
                        work.prepare(value);
                    }
                    return done !== true;
                },
            });
        },
        live: () => pathWindow.placed().map(articles.elementOf),
        rest: pathWindow.rest,
        async filled(n) {
            await articles.packs.openFor(n);
            await new Promise((done) => requestAnimationFrame(done));
        },
        fold: pathWindow.refold,
        unroll: pathWindow.unroll,
        rollUp: pathWindow.rollUp,
    };
}

/**
 * What the dotted line at an entry's edge says to the pointer.
 *
 * @param {HTMLElement} article
 */
function drawEdge(article) {
    article.querySelector(":scope > .edge")?.remove();
    const said = { summarised: "No longer", cleared: "No longer", excluded: "Not" }[article.dataset.context ?? ""];
    if (said !== undefined) {
        const edge = make("span", "edge");
        edge.title = `${said} in the model's context`;
        article.prepend(edge);
    }
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {number} count 0 removes it
 */
function setOrRemove(element, name, count) {
    if (count > 0) {
        element.setAttribute(name, String(count));
    } else {
        element.removeAttribute(name);
    }
}
