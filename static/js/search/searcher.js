/**
 * Search over what a reader can see, in every branch: an entry's key words, label, row text and article.
 *
 * Texts are lower-cased when first needed, and kept within a limit. Packs are opened one after the other as the
 * search comes to them, but for those that cannot hold what is looked for.
 */

import { painted } from "../base/painted.js";
import { runInSlices } from "../base/slices.js";
import { isWithoutText } from "../outline/filters.js";
import { rowText } from "../outline/texts.js";
import { makeGrams } from "./grams.js";
import { isHit, parseQuery, searchHead } from "./query.js";
import { foundSpans } from "./spans.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Query, SearchSource } from "./query.js" */

/** Hits found late in a long search are shown this often; each showing lays the tree out again. */
const PUBLISH_MS = 300;

/** So many of the first hits are shown at once: they fill the tree. */
const FIRST_HITS = 30;

/** Texts that are kept for the next search, in characters. */
const KEPT_TEXT = 24_000_000;

/** Entries whose heads are looked through as one text: few hold what is rare. */
const HEADS_AT_ONCE = 64;

/**
 * @typedef {object} Hits
 * @property {Uint8Array} matches 1 for each entry found so far
 * @property {number} count of those that a filter can show: a turn without text has no row
 * @property {boolean} done
 */

/**
 * @typedef {object} Searcher
 * @property {(n: number, marks: RegExp[]) => {words: string, count: number}} around the words around the first hit in an entry's
 *     text, empty where none is, and how many there are
 * @property {(query: string) => Promise<Uint8Array | null>} find all hits; null for an empty query
 * @property {(query: string, publish: (hits: Hits | null) => void) => void} start for the search field: the
 *     first hits at once, then more and more; ends the one started before
 */

/**
 * @param {Outline} outline
 * @param {Articles} articles
 * @returns {SearchSource & Pick<Searcher, "around"> & {look: (query: Query, n: number) => boolean | Promise<void>}} `look`
 *     says whether an entry is a hit, or gives what to wait for before it is asked again
 */
function makeSource(outline, articles) {
    const { roles, role } = outline.context;
    const { packs } = articles;
    const hasHead = makeHeads(outline);
    /** @type {(string | undefined)[]} */
    const bodies = new Array(outline.count);
    let kept = 0;
    const grams = makeGrams(packs.count);
    /** Whether a shut text must be read to tell whether an entry is a hit. */
    let isAsked = false;
    /** @type {(n: number) => string} */
    const body = (n) => {
        const known = bodies[n];
        if (known !== undefined) {
            return known;
        }
        const text = articles.textOf(n)?.toLowerCase();
        // A shut one is asked for where only a row is drawn; a search opens it.
        if (text !== undefined && kept + text.length <= KEPT_TEXT) {
            kept += text.length;
            bodies[n] = text;
        }
        return text ?? "";
    };
    /** @type {ReturnType<typeof makeSource>} */
    const source = {
        look(query, n) {
            isAsked = false;
            const hit = isHit(query, source, n);
            if (!hit || !isAsked) {
                return hit;
            }
            const next = packs.packOf(n) + 1;
            const open = query.texts.every((text) => grams.mayHold(next, text)) ? packs.openForAndNext : packs.openFor;
            return grams.load() ?? open(n);
        },
        kind: (n) => outline.kinds[outline.kind[n]] ?? "",
        role: (n) => roles[role[n]] ?? "",
        marks: (n) => outline.marks[n],
        tools: (n) => outline.tools.get(n) ?? [],
        label: (n) => outline.labels.get(n) ?? null,
        time: (n) => outline.time[n],
        around(n, marks) {
            const text = body(n);
            const spans = foundSpans(text, marks);
            const [at] = spans[0] ?? [-1];
            const written = articles.textOf(n) ?? "";
            // Some letters change their number with their case.
            return { count: spans.length, words: at < 0 ? "" : wordsAround(written.length === text.length ? written : text, at) };
        },
        someText(n, find, text, unknown) {
            if (hasHead(n, find)) {
                return true;
            }
            const pack = packs.packOf(n);
            if (pack >= 0 && !grams.mayHold(pack, text)) {
                return false;
            }
            if (bodies[n] === undefined && articles.isShut(n)) {
                isAsked = true;
                return unknown;
            }
            return find(body(n));
        },
    };
    return source;
}

/**
 * What search sees of entries beside their articles.
 *
 * @param {Outline} outline
 * @returns {(n: number, find: (text: string) => boolean) => boolean} whether it is found in that of an entry
 */
function makeHeads(outline) {
    /** Of many entries each. @type {string[]} */
    const texts = [];
    /** Where each entry's own ends in them. */
    const ends = new Int32Array(outline.count);
    /** @type {(block: number) => string} */
    const read = (block) => {
        let text = "";
        for (let n = block * HEADS_AT_ONCE; n < Math.min(outline.count, (block + 1) * HEADS_AT_ONCE); n++) {
            text += searchHead(outline.wordTable[outline.words[n]] ?? "", outline.labels.get(n) ?? null, rowText(outline, n));
            ends[n] = text.length;
        }
        return text;
    };
    /** What was found last: entries are asked one after the other. @type {WeakMap<Function, {block: number, has: boolean}>} */
    const last = new WeakMap();
    return (n, find) => {
        const block = Math.floor(n / HEADS_AT_ONCE);
        const text = (texts[block] ??= read(block));
        let found = last.get(find);
        if (found?.block !== block) {
            found = { block, has: find(text) };
            last.set(find, found);
        }
        return found.has && find(text.slice(n % HEADS_AT_ONCE === 0 ? 0 : ends[n - 1], ends[n]));
    };
}

/** So much of a text is shown before a hit and behind its beginning. */
const AROUND = { before: 10, after: 80 };

/**
 * @param {string} text
 * @param {number} at
 * @returns {string} one line
 */
function wordsAround(text, at) {
    const to = Math.min(text.length, at + AROUND.after);
    let from = Math.max(0, at - AROUND.before);
    // From the beginning of a word, where one is near.
    const cut = from === 0 ? -1 : text.slice(from, at).search(/\s\S/u);
    from += cut + 1;
    const words = text.slice(from, to).replace(/\s+/gu, " ");
    return `${from > 0 ? "…" : ""}${words}${to < text.length ? "…" : ""}`;
}

/**
 * @param {Outline} outline
 * @param {Articles} articles
 * @returns {Searcher}
 */
export function makeSearcher(outline, articles) {
    const source = makeSource(outline, articles);
    let stop = () => {};
    return {
        around: source.around,
        find(query) {
            const parsed = parseQuery(query);
            if (parsed === null) {
                return Promise.resolve(null);
            }
            return new Promise((resolve) => {
                searchInSlices(outline, (n) => source.look(parsed, n), (hits) => {
                    if (hits.done) {
                        resolve(hits.matches);
                    }
                });
            });
        },
        start(query, publish) {
            stop();
            const parsed = parseQuery(query);
            if (parsed === null) {
                publish(null);
                return;
            }
            stop = searchInSlices(outline, (n) => source.look(parsed, n), publish);
        },
    };
}

/**
 * @param {Outline} outline
 * @param {(n: number) => boolean | Promise<void>} look
 * @param {(hits: Hits) => void} publish called at the first hits, now and then, and at the end
 * @returns {() => void}
 */
function searchInSlices(outline, look, publish) {
    const { count } = outline;
    const found = new Uint8Array(count);
    let hits = 0;
    let next = 0;
    let published = 0;
    let publishedAt = 0;
    return runInSlices({
        step() {
            const hit = next < count && look(next);
            if (typeof hit !== "boolean") {
                return hit;
            }
            if (hit) {
                found[next] = 1;
                hits += isWithoutText(outline, next) ? 0 : 1;
            }
            next++;
            return next >= count ? false : hits < FIRST_HITS || published > 0 || Promise.resolve();
        },
        pause(done) {
            const isFirst = published === 0;
            const due = hits > published && (isFirst || performance.now() - publishedAt > PUBLISH_MS);
            if (done || due) {
                published = hits;
                publish({ matches: found, count: hits, done });
                publishedAt = performance.now();
            }
            // The first hits are painted before the search goes on.
            return isFirst && due ? painted() : undefined;
        },
    });
}
