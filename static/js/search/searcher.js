/**
 * Search over what a reader can see, in every branch: an entry's key words, label, row text and article.
 *
 * Texts are lower-cased when first needed, and kept within a limit. Packs are opened one after the other as the
 * search comes to them, but for those that cannot hold what is looked for.
 */

import { runInSlices } from "../base/slices.js";
import { isWithoutText } from "../outline/filters.js";
import { makeGrams } from "./grams.js";
import { isHit, parseQuery, searchHead } from "./query.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Query, SearchSource } from "./query.js" */

/** Hits found late in a long search are shown this often; each showing lays the tree out again. */
const PUBLISH_MS = 300;

/** Texts that are kept for the next search, in characters. */
const KEPT_TEXT = 24_000_000;

/**
 * @typedef {object} Hits
 * @property {Uint8Array} matches 1 for each entry found so far
 * @property {number} count of those that a filter can show: a turn without text has no row
 * @property {boolean} done
 */

/**
 * @typedef {object} Searcher
 * @property {(n: number, marks: RegExp[]) => string} around the words around the first hit in an entry's text; empty where none is
 * @property {(query: string) => Promise<Uint8Array | null>} find all hits; null for an empty query
 * @property {(query: string, publish: (hits: Hits | null) => void) => void} start for the search field: the
 *     first hits at once, then more and more; ends the one started before
 */

/**
 * @param {Outline} outline
 * @param {Articles} articles
 * @returns {SearchSource & Pick<Searcher, "around"> & {wait: (query: Query, n: number) => Promise<void> | null}} `wait` before an entry is looked at
 */
function makeSource(outline, articles) {
    const { roles, role } = outline.context;
    /** @type {(string | undefined)[]} */
    const heads = new Array(outline.count);
    /** @type {(string | undefined)[]} */
    const bodies = new Array(outline.count);
    let kept = 0;
    const grams = makeGrams(articles.packs.count);
    /** Whether a shut text must be read to tell whether an entry is a hit. */
    let isAsked = false;
    /** @type {(n: number) => boolean} */
    const isShut = (n) => bodies[n] === undefined && articles.isShut(n);
    /** @type {(n: number) => string | null} */
    const label = (n) => outline.labels.get(n) ?? null;
    /** @type {(n: number) => string} */
    const head = (n) => searchHead(outline.wordTable[outline.words[n]] ?? "", label(n), outline.text[n]);
    /** @type {(n: number) => string} */
    const body = (n) => {
        const known = bodies[n];
        if (known !== undefined) {
            return known;
        }
        const text = (articles.textOf(n) ?? "").toLowerCase();
        if (kept + text.length <= KEPT_TEXT) {
            kept += text.length;
            bodies[n] = text;
        }
        return text;
    };
    /** @type {ReturnType<typeof makeSource>} */
    const source = {
        wait(query, n) {
            if (!isShut(n)) {
                return null;
            }
            const loading = grams.load();
            if (loading !== null) {
                return loading;
            }
            isAsked = false;
            if (!isHit(query, source, n) || !isAsked) {
                return null;
            }
            const next = articles.packs.packOf(n) + 1;
            return query.texts.every((text) => grams.mayHold(next, text))
                ? articles.packs.openForAndNext(n)
                : articles.packs.openFor(n);
        },
        kind: (n) => outline.kinds[outline.kind[n]] ?? "",
        role: (n) => roles[role[n]] ?? "",
        marks: (n) => outline.marks[n],
        tools: (n) => outline.tools.get(n) ?? [],
        label,
        time: (n) => outline.time[n],
        around(n, marks) {
            const text = body(n);
            for (const mark of marks) {
                const at = text.search(mark);
                if (at >= 0) {
                    const written = articles.textOf(n) ?? "";
                    // Some letters change their number with their case.
                    return wordsAround(written.length === text.length ? written : text, at);
                }
            }
            return "";
        },
        someText(n, find, text, unknown) {
            if (find((heads[n] ??= head(n)))) {
                return true;
            }
            if (!isShut(n)) {
                return find(body(n));
            }
            const mayHold = grams.mayHold(articles.packs.packOf(n), text);
            isAsked ||= mayHold;
            return mayHold && unknown;
        },
    };
    return source;
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
                searchInSlices(outline, (n) => isHit(parsed, source, n), (n) => source.wait(parsed, n), (hits) => {
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
            stop = searchInSlices(outline, (n) => isHit(parsed, source, n), (n) => source.wait(parsed, n), publish);
        },
    };
}

/**
 * @param {Outline} outline
 * @param {(n: number) => boolean} matches
 * @param {(n: number) => Promise<void> | null} wait
 * @param {(hits: Hits) => void} publish called at the first hits, now and then, and at the end
 * @returns {() => void}
 */
function searchInSlices(outline, matches, wait, publish) {
    const { count } = outline;
    const found = new Uint8Array(count);
    let hits = 0;
    let next = 0;
    let published = 0;
    let publishedAt = 0;
    return runInSlices({
        wait: () => (next < count ? wait(next) : null),
        step() {
            if (next < count && matches(next)) {
                found[next] = 1;
                hits += isWithoutText(outline, next) ? 0 : 1;
            }
            next++;
            return next < count;
        },
        pause(done) {
            const due = hits > published && (published === 0 || performance.now() - publishedAt > PUBLISH_MS);
            if (done || due) {
                published = hits;
                publish({ matches: found, count: hits, done });
                publishedAt = performance.now();
            }
        },
    });
}
