/**
 * The context view: what a call of the model got, as a list of its own.
 *
 * Shells come first, in slices; bodies are copied from the articles near the reader at once and elsewhere in
 * the background, up to a limit, since each copy costs the memory of its original.
 */

import { lastAtMost } from "../base/ascending.js";
import { listen } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { runInSlices } from "../base/slices.js";
import { sentTo } from "../outline/paths.js";
import { lastAbove } from "../transcript/edges.js";
import { foldContext } from "./context.js";
import { makeContextHead } from "./head.js";
import { contextItems, contextSummary } from "./items.js";
import { fillMessageShell, makeMessageShell, shownBy } from "./message.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Pane } from "../transcript/reading.js" */
/** @import { Context, ContextFacts } from "./context.js" */
/** @import { ContextItem } from "./items.js" */

/** So many bodies are copied in the background, for the browser's own search; the others when approached. */
const COPIES_AHEAD = 4000;

/** Bodies copied around the place where the reader is. */
const NEAR_BEFORE = 15;
const NEAR_AFTER = 45;

/**
 * @typedef {object} ContextOwn
 * @property {(leaf: number, call: number) => void} show what a call on the path to a leaf got; without one, all at its end
 * @property {() => Promise<void>} finish copies all that is missing, for print
 * @property {() => boolean} isComplete
 * @property {(last: number, n: number) => boolean} holds whether the entry is in the context that ends with another
 *
 * @typedef {Pane & ContextOwn} ContextView
 */

/**
 * @typedef {object} ContextMessages one built list
 * @property {number} last the entry that it ends with
 * @property {ContextItem[]} items
 * @property {Map<number, number>} first entry to its first item
 * @property {number[]} entries
 * @property {number[]} starts the first item of each of them, ascending
 * @property {HTMLElement[]} shells as many as are built
 * @property {Uint8Array} filled
 * @property {number} count of items filled
 */

/**
 * @param {HTMLElement} root
 * @param {Outline} outline
 * @param {ContextFacts} facts
 * @param {Articles} articles
 * @param {(body: Element) => void} prepare for bodies copied from articles that the reader may not have seen
 * @param {(change: () => void) => void} hold changes heights while what is being read stays where it is
 * @returns {ContextView}
 */
export function makeContextView(root, outline, facts, articles, prepare, hold) {
    const head = makeContextHead(outline);
    root.append(head.element);
    /** @type {{last: number, context: Context, items: ContextItem[], first: Map<number, number>} | null} */
    let folded = null;
    /** @type {ContextMessages | null} */
    let list = null;
    let stop = () => {};

    /** @type {(last: number) => NonNullable<typeof folded>} */
    const fold = (last) => {
        if (folded?.last !== last) {
            const context = foldContext(outline, facts, last);
            const items = contextItems(facts, context);
            folded = { last, context, items, first: firstItems(items) };
        }
        return folded;
    };
    /** @type {(built: ContextMessages, at: number) => void} */
    const buildTo = (built, at) => {
        const more = [];
        for (let next = built.shells.length; next <= at && next < built.items.length; next++) {
            const shell = makeMessageShell(outline, built.items[next]);
            built.shells.push(shell);
            more.push(shell);
        }
        root.append(...more);
    };
    /** @type {(built: ContextMessages, at: number) => boolean} false while a pack is shut */
    const fill = (built, at) => {
        if (at >= built.items.length || built.filled[at] === 1) {
            return true;
        }
        buildTo(built, at);
        if (fillMessageShell(built.shells[at], articles.read, built.items[at], prepare)) {
            built.filled[at] = 1;
            built.count++;
            return true;
        }
        return false;
    };
    /** @type {(built: ContextMessages, at: number) => Promise<unknown> | null} */
    const packFor = (built, at) => {
        const item = built.items[at];
        if (item === undefined || item.type === "gap" || built.filled[at] === 1) {
            return null;
        }
        const shut = [shownBy(item), item.entry].filter(articles.isShut);
        return shut.length === 0 ? null : Promise.all(shut.map(articles.packs.openFor));
    };
    /** @type {(built: ContextMessages, at: number) => void} */
    const fillAround = (built, at) => {
        for (let near = Math.max(0, at - NEAR_BEFORE); near < at + NEAR_AFTER; near++) {
            if (!fill(built, near)) {
                void fillLater(built, near);
            }
        }
    };
    /** @type {(built: ContextMessages, at: number) => Promise<void>} */
    const fillLater = async (built, at) => {
        await packFor(built, at);
        if (built === list) {
            hold(() => fill(built, at));
        }
    };
    /** @type {(built: ContextMessages) => void} */
    const buildInBackground = (built) => {
        let next = 0;
        stop = runInSlices({
            step() {
                if (built.shells.length < built.items.length) {
                    buildTo(built, built.shells.length);
                    return true;
                }
                const opening = packFor(built, next);
                if (opening !== null) {
                    return opening;
                }
                fill(built, next++);
                return next < Math.min(built.items.length, COPIES_AHEAD);
            },
        });
    };
    /** @type {(n: number) => HTMLElement | undefined} */
    const elementOf = (n) => list?.shells[list.first.get(n) ?? -1];

    /** @type {() => [number, number]} */
    const span = () => {
        return list === null ? [0, 0] : [0, lastAtMost(list.starts, list.shells.length - 1) + 1];
    };
    const onScroll = oncePerFrame(() => {
        if (list !== null && !root.hidden && list.count < list.items.length) {
            const at = lastAbove(list.entries, elementOf, innerHeight / 2, span());
            fillAround(list, list.first.get(list.entries[at]) ?? 0);
        }
    });
    listen(window, "scroll", onScroll);

    return {
        show(leaf, call) {
            const last = sentTo(outline, leaf, call);
            const { context, items, first } = fold(last);
            head.draw(leaf, last === leaf ? -1 : call, contextSummary(context, items));
            if (list?.last === last) {
                return;
            }
            stop();
            const entries = Array.from(first.keys());
            const filled = new Uint8Array(items.length);
            list = { last, items, first, entries, starts: Array.from(first.values()), shells: [], filled, count: 0 };
            // The head stays: the focus may be in it.
            while (head.element.nextSibling !== null) {
                head.element.nextSibling.remove();
            }
            fillAround(list, 0);
            buildInBackground(list);
        },
        async finish() {
            const built = list;
            for (let at = 0; built !== null && built === list && at < built.items.length; at++) {
                await packFor(built, at);
                fill(built, at);
            }
        },
        holds: (last, n) => fold(last).first.has(n),
        isComplete: () => list === null || list.count === list.items.length,
        entries: () => list?.entries ?? [],
        span,
        elementOf,
        reach(n) {
            const at = list?.first.get(n);
            if (list !== null && at !== undefined) {
                buildTo(list, at);
                fillAround(list, at);
            }
            return elementOf(n);
        },
    };
}

/**
 * @param {ContextItem[]} items
 * @returns {Map<number, number>} entry to its first item
 */
function firstItems(items) {
    /** @type {Map<number, number>} */
    const first = new Map();
    items.forEach(({ entry }, at) => {
        if (!first.has(entry)) {
            first.set(entry, at);
        }
    });
    return first;
}
