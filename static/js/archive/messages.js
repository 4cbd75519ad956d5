/** The texts of a session, and what a query may ask of its messages. */

import { inflate } from "../chunks/inflate.js";
import { COMMIT, COMPACTION, FAILED, NOTABLE, PROMPT, PULL_REQUEST, PUSH, STOPPED, TEST_RUN } from "../outline/shared.js";
import { searchHead } from "../search/query.js";
import { load } from "./load.js";

/** @import { SearchSource } from "../search/query.js" */

/** Texts that are kept for the next letter of a query, in characters. */
const KEPT_TEXT = 60_000_000;

/** What landmarks are called; all others are notable. */
const LANDMARKS = new Map([
    ["commit", COMMIT],
    ["push", PUSH],
    ["pull-request", PULL_REQUEST],
    ["test", TEST_RUN],
]);

/**
 * @typedef {object} Message one entry that says something (src/catalog/message.rs)
 * @property {string} k the entry's key
 * @property {string} i its kind
 * @property {string} [r] the role of its message
 * @property {number} [t] its time
 * @property {string} [l] the text of its row
 * @property {string} [w] the row's key words
 * @property {string[]} [o] tools
 * @property {boolean} [f] failed
 * @property {boolean} [s] stopped
 * @property {string[]} [m] landmarks
 * @property {string} [b] label
 * @property {string} [x] what was said
 */

/**
 * @typedef {object} Texts
 * @property {string[]} files that the session changed
 * @property {Message[]} messages
 * @property {SearchSource} source
 */

/**
 * @returns {(name: string) => Promise<Texts>} rejected where they cannot be read
 */
export function makeTextReader() {
    /** By name, the last used one last. @type {Map<string, {texts: Promise<Texts>, size: number}>} */
    const kept = new Map();
    let size = 0;
    return (name) => {
        const one = kept.get(name) ?? { texts: read(name), size: 0 };
        kept.delete(name);
        kept.set(name, one);
        return one.texts.then(
            ({ length, ...texts }) => {
                size += one.size === 0 && kept.get(name) === one ? length : 0;
                one.size = length;
                for (const [oldest, { size: its }] of kept) {
                    if (size <= KEPT_TEXT || oldest === name) {
                        break;
                    }
                    kept.delete(oldest);
                    size -= its;
                }
                return texts;
            },
            (error) => {
                kept.delete(name);
                throw error;
            },
        );
    };
}

/**
 * @param {string} name
 * @returns {Promise<Texts & {length: number}>}
 */
async function read(name) {
    const text = await inflate(await load(`text/${name}`));
    const { files = [], messages = [] } = JSON.parse(text);
    // In lower case they are kept once more.
    return { files, messages, source: sourceOf(messages), length: 2 * text.length };
}

/**
 * @param {Message[]} messages
 * @returns {SearchSource}
 */
function sourceOf(messages) {
    /** @type {string[]} */
    const heads = [];
    /** @type {string[]} */
    const bodies = [];
    return {
        kind: (n) => messages[n].i,
        role: (n) => messages[n].r ?? "",
        marks: (n) => marksOf(messages[n]),
        tools: (n) => messages[n].o ?? [],
        label: (n) => messages[n].b ?? null,
        time: (n) => messages[n].t ?? null,
        someText(n, find) {
            const { w = "", b = null, l = "", x = "" } = messages[n];
            return find((heads[n] ??= searchHead(w, b, l))) || find((bodies[n] ??= x.toLowerCase()));
        },
    };
}

/**
 * @param {Message} message
 * @returns {number}
 */
function marksOf({ i, f, s, m = [] }) {
    const own = (i === "user" ? PROMPT : 0) | (i === "compaction" ? COMPACTION : 0) | (f ? FAILED : 0) | (s ? STOPPED : 0);
    return m.reduce((bits, name) => bits | (LANDMARKS.get(name) ?? NOTABLE), own);
}
