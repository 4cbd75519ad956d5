/**
 * The search through all sessions: word lists name those that may have what is asked for, then the texts of each are
 * read, the newest first, and the page's own matcher decides.
 */

import { isHit } from "../search/query.js";
import { hasFiles, isOfTitle } from "./query.js";

/** @import { Message, Texts } from "./messages.js" */
/** @import { ArchiveQuery } from "./query.js" */
/** @import { Session } from "./sessions.js" */
/** @import { Words } from "./words.js" */

/** Texts on their way at once: each waits for the disk more than for the processor. */
const AT_ONCE = 8;

/** The search rests when it has found so many sessions and read so many, and goes on when the reader asks for more. */
const PORTION = { found: 30, read: 200 };

/** Of a session, so many hits are shown. */
const HITS = 3;

/** Between two drawings of what has been found. */
const PUBLISH_MS = 120;

/**
 * @typedef {object} Found
 * @property {Session} session
 * @property {Message[]} hits the first ones; none where its title alone matches
 * @property {number} count of all its hits
 */

/**
 * @typedef {object} Results
 * @property {Found[]} found grows
 * @property {number} messages how many hits they have
 * @property {number} unread sessions whose texts cannot be read
 * @property {boolean} isIncomplete whether the word lists could not be read
 * @property {"working" | "resting" | "done"} state
 */

/**
 * @typedef {object} Search
 * @property {(query: ArchiveQuery, sessions: Session[], publish: (results: Results) => void) => void} start ends the one
 *     started before; the newest session comes first
 * @property {() => void} more lets a resting search go on
 * @property {() => void} stop
 */

/**
 * @param {Words} words
 * @param {(name: string) => Promise<Texts>} readTexts
 * @returns {Search}
 */
export function makeSearch(words, readTexts) {
    /** Changes with each search, so that one that was ended notices. */
    let running = 0;
    let goOn = () => {};
    /** @type {Search["start"]} */
    const start = async (query, sessions, publish) => {
        const mine = ++running;
        /** @type {Results} */
        const results = { found: [], messages: 0, unread: 0, isIncomplete: false, state: "working" };
        let publishedAt = -Infinity;
        let published = -1;
        const show = (/** @type {Results["state"]} */ state) => {
            results.state = state;
            const isDue = results.found.length > published && (published <= 0 || performance.now() - publishedAt > PUBLISH_MS);
            if (state !== "working" || isDue) {
                publish(results);
                published = results.found.length;
                publishedAt = performance.now();
            }
        };
        const candidates = await candidatesOf(query, sessions, words, results);
        if (mine !== running) {
            return;
        }
        let limit = { ...PORTION };
        /** @type {Map<number, Promise<Found | null>>} */
        const ahead = new Map();
        for (let at = 0; at < candidates.length; at++) {
            if (at >= limit.read && results.found.length >= limit.found) {
                const more = new Promise((done) => (goOn = () => done(undefined)));
                show("resting");
                await more;
                limit = { found: results.found.length + PORTION.found, read: at + PORTION.read };
            }
            for (let next = at; next < Math.min(candidates.length, at + AT_ONCE); next++) {
                if (!ahead.has(next)) {
                    ahead.set(next, look(query, candidates[next], readTexts).catch(() => (results.unread++, null)));
                }
            }
            const found = await ahead.get(at);
            ahead.delete(at);
            if (mine !== running) {
                return;
            }
            if (found) {
                results.found.push(found);
                results.messages += found.count;
            }
            show("working");
        }
        show("done");
    };
    return {
        start,
        more: () => goOn(),
        stop: () => {
            running++;
            // What waits ends.
            goOn();
        },
    };
}

/**
 * @param {ArchiveQuery} query
 * @param {Session[]} sessions
 * @param {Words} words
 * @param {Results} results
 * @returns {Promise<Session[]>}
 */
async function candidatesOf(query, sessions, words, results) {
    try {
        const named = await words.sessionsWith(query.terms);
        return named === null ? sessions : sessions.filter(({ n }) => named.has(n));
    } catch {
        results.isIncomplete = true;
        return sessions;
    }
}

/**
 * @param {ArchiveQuery} query
 * @param {Session} session
 * @param {(name: string) => Promise<Texts>} readTexts
 * @returns {Promise<Found | null>}
 */
async function look(query, session, readTexts) {
    const { files, messages, source } = await readTexts(session.text);
    if (!hasFiles(query, files)) {
        return null;
    }
    const asked = query.messages;
    if (asked === null) {
        return { session, hits: [], count: 0 };
    }
    const hits = messages.filter((_, n) => isHit(asked, source, n));
    return hits.length > 0 || isOfTitle(query, session.title) ? { session, hits: hits.slice(0, HITS), count: hits.length } : null;
}
