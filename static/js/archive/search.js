/**
 * Searches all sessions. Word lists say which sessions may match; their texts are then read, the newest first, and held
 * against the query as the page of a session does.
 */

import { COMMIT, COMPACTION, FAILED, NOTABLE, PROMPT, PULL_REQUEST, PUSH, STOPPED, TEST_RUN } from "../outline/shared.js";
import { isHit, searchHead } from "../search/query.js";
import { load } from "./data.js";
import { isOf } from "./query.js";
import { listsWith, sessionsOf, termsOf } from "./words.js";

/** @import { Author, Row } from "./rows.js" */
/** @import { SessionQuery } from "./query.js" */
/** @import { Query, SearchSource } from "../search/query.js" */
/** @import { Term } from "./words.js" */

/**
 * @typedef {object} Message as src/catalog/message.rs writes it
 * @property {string} k the entry's key, or the beginning that no other has
 * @property {string} i kind
 * @property {string} [r] role
 * @property {number} [t] time
 * @property {string} [l] the text of its row, unless what was said has it
 * @property {string} [w] key words
 * @property {string[]} [o] tools
 * @property {boolean} [f] failed
 * @property {boolean} [s] stopped
 * @property {string[]} [m] landmarks
 * @property {string} [b] label
 * @property {string} [x] what was said
 */

/**
 * @typedef {object} Found
 * @property {Row} row
 * @property {Message[]} messages
 */

/** So many texts are read at once. */
const AT_ONCE = 32;

/** The texts of so many sessions are kept: the next key asks for most of them again. */
const KEPT = 200;

/** @type {Map<string, Promise<{files: string[], messages: Message[]}>>} */
const kept = new Map();

const LANDMARKS = new Map([
    ["commit", COMMIT],
    ["push", PUSH],
    ["pull-request", PULL_REQUEST],
    ["test", TEST_RUN],
]);

/**
 * The sessions that may match, in the order of `rows`.
 *
 * @param {Row[]} rows
 * @param {SessionQuery} asked
 * @returns {Promise<Row[]>}
 */
export async function candidates(rows, { own, query }) {
    const fitting = rows.filter((row) => isOf(own, row, null));
    const terms = (query?.texts ?? []).flatMap(termsOf);
    /** @type {Map<Author, (Set<number> | null)[]>} */
    const sets = new Map();
    await Promise.all(
        Array.from(new Set(fitting.map(({ by }) => by)), async (by) => {
            // Without its list a word may stand in every session.
            sets.set(by, await Promise.all(terms.map((term) => sessionsWith(by, term).catch(() => null))));
        }),
    );
    return fitting.filter(({ by, n }) => sets.get(by)?.every((set) => set === null || set.has(n)));
}

/**
 * @param {Author} by
 * @param {Term} term
 * @returns {Promise<Set<number>>}
 */
async function sessionsWith({ base, manifest: { words, tail } }, term) {
    const names = words === null ? [] : listsWith(words.shards, term).map((nth) => `words-${words.hash}/${nth}`);
    if (tail) {
        names.push(`tail-${tail}`);
    }
    /** @type {Set<number>} */
    const all = new Set();
    for (const list of await Promise.all(names.map((name) => load(name, base)))) {
        sessionsOf(list, term).forEach((session) => all.add(session));
    }
    return all;
}

/**
 * Reads sessions until enough are found.
 *
 * @param {Iterator<Row>} left the candidates that were not read yet
 * @param {SessionQuery} asked
 * @param {number} enough
 * @param {{found: (found: Found) => void, failed: (row: Row) => void, read: (count: number) => void, stopped: () => boolean}} tell
 * @returns {Promise<boolean>} whether all are read
 */
export async function readOn(left, asked, enough, tell) {
    let count = 0;
    while (!tell.stopped() && count < enough) {
        /** @type {Row[]} */
        const batch = [];
        for (let next; batch.length < AT_ONCE && !(next = left.next()).done; ) {
            batch.push(next.value);
        }
        if (batch.length === 0) {
            return true;
        }
        const read = await Promise.all(batch.map((row) => hitsOf(row, asked).catch(() => null)));
        if (tell.stopped()) {
            return false;
        }
        tell.read(batch.length);
        read.forEach((found, nth) => {
            if (found === null) {
                tell.failed(batch[nth]);
            } else if (found !== undefined) {
                count++;
                tell.found(found);
            }
        });
    }
    return false;
}

/**
 * @param {Row} row
 * @param {SessionQuery} asked
 * @returns {Promise<Found | undefined>} undefined where it does not match
 */
async function hitsOf(row, { own, query, inTitle }) {
    const needsFiles = own.some(({ name }) => name === "file");
    if (query === null && !needsFiles) {
        return { row, messages: [] };
    }
    const { files, messages } = await textsOf(row);
    if (needsFiles && !isOf(own, row, files)) {
        return undefined;
    }
    if (query === null) {
        return { row, messages: [] };
    }
    const hits = messages.filter((message) => isHit(query, sourceOf(message), 0));
    return hits.length > 0 || inTitle(row.title) ? { row, messages: hits } : undefined;
}

/**
 * @param {Row} row
 * @returns {Promise<{files: string[], messages: Message[]}>}
 */
function textsOf(row) {
    const name = `text/${row.text}`;
    const path = row.by.base + name;
    const texts = kept.get(path) ?? load(name, row.by.base, false).then(readText);
    // What was asked for last goes last.
    kept.delete(path);
    kept.set(path, texts);
    if (kept.size > KEPT) {
        kept.delete(/** @type {string} */ (kept.keys().next().value));
    }
    texts.catch(() => kept.delete(path));
    return texts;
}

/**
 * @param {string} text
 * @returns {{files: string[], messages: Message[]}}
 */
function readText(text) {
    const read = JSON.parse(text);
    let time = 0;
    for (const message of read.messages) {
        if (message.t !== undefined) {
            // The file has seconds since the message before.
            message.t = time += 1000 * message.t;
        }
    }
    return read;
}

/**
 * @param {Message} message
 * @returns {SearchSource}
 */
function sourceOf({ i, r, t, l, w, o, f, s, m, b, x }) {
    return {
        kind: () => i,
        role: () => r ?? "",
        marks: () => marksOf(i, f, s, m ?? []),
        tools: () => o ?? [],
        label: () => b ?? null,
        time: () => t ?? null,
        someText: (_, find) => find(searchHead(w ?? "", b ?? null, l ?? "")) || find((x ?? "").toLowerCase()),
    };
}

/**
 * @param {string} kind
 * @param {boolean | undefined} failed
 * @param {boolean | undefined} stopped
 * @param {string[]} landmarks
 * @returns {number}
 */
function marksOf(kind, failed, stopped, landmarks) {
    const bits = landmarks.reduce((all, name) => all | (LANDMARKS.get(name) ?? NOTABLE), 0);
    const isPrompt = kind === "user" ? PROMPT : 0;
    const isCompaction = kind === "compaction" ? COMPACTION : 0;
    return bits | isPrompt | isCompaction | (failed ? FAILED : 0) | (stopped ? STOPPED : 0);
}
