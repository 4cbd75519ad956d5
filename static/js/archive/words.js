/**
 * Which sessions may have what a query asks for, by the lists of words.
 *
 * Rust splits texts and queries in the same way (src/catalog/words.rs); `tests/fixtures/vectors/words.json` holds both to it.
 */

import { load } from "./load.js";

/** From so many characters on, the last word of a text is the beginning of the words that it finds. */
const BEGINNING = 3;

/** Longer runs are not indexed. */
const LONGEST = 64;

/** Scripts that write no blanks between words: the index has each pair of neighbors. */
const UNSPACED =
    "\\u0e00-\\u0fff\\u1000-\\u109f\\u1780-\\u17ff\\u3041-\\u30ff\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\u{20000}-\\u{323af}";

/** A run of letters and digits: of an unspaced script, or of others, where accents may stand behind their letters. */
const RUN = new RegExp(
    `((?:(?=[${UNSPACED}])[\\p{Alphabetic}\\p{N}])+)|(?![${UNSPACED}])[\\p{Alphabetic}\\p{N}](?:(?![${UNSPACED}])[\\p{Alphabetic}\\p{N}\\u0300-\\u036f])*`,
    "gu",
);

/**
 * @typedef {object} Term
 * @property {string} word
 * @property {boolean} isBeginning whether it is the beginning of words
 */

/**
 * What each session that may have a text of a query has.
 *
 * @param {string} text in lower case
 * @returns {Term[]} empty where it has no words
 */
export function askedOf(text) {
    const runs = Array.from(text.matchAll(RUN));
    return runs.flatMap(([run, unspaced], at) => {
        const letters = Array.from(run);
        if (unspaced === undefined) {
            const isBeginning = at === runs.length - 1 && letters.length >= BEGINNING;
            return letters.length > LONGEST ? [] : [{ word: run, isBeginning }];
        }
        if (letters.length === 1) {
            return [{ word: run, isBeginning: true }];
        }
        return letters.slice(1).map((letter, nth) => ({ word: letters[nth] + letter, isBeginning: false }));
    });
}

/**
 * @param {string} word
 * @returns {string} the name of the list that has it
 */
export function shardOf(word) {
    const plain = /^([a-z0-9])([a-z0-9]?)/.exec(word);
    return plain === null ? `u${((word.codePointAt(0) ?? 0) >> 6).toString(16)}` : plain[1] + (plain[2] || "_");
}

/**
 * @typedef {object} WordList
 * @property {string} text
 * @property {string[]} words
 * @property {number[]} places where the sessions of each begin in the text
 */

/**
 * @param {string} text words in order: `2le 1 a;` shares two characters with the one before, and stands in sessions 0 and 10
 * @returns {WordList}
 */
export function readList(text) {
    const words = [];
    const places = [];
    let word = "";
    for (let at = 0, end; (end = text.indexOf(";", at)) >= 0; at = end + 1) {
        const blank = text.indexOf(" ", at);
        const shared = parseInt(text[at], 36);
        // Beyond the first plane a character has two units.
        const start = /[\ud800-\udfff]/.test(word) ? Array.from(word).slice(0, shared).join("") : word.slice(0, shared);
        word = start + text.slice(at + 1, blank);
        words.push(word);
        places.push(blank + 1);
    }
    return { text, words, places };
}

/**
 * @param {WordList} list
 * @param {Term} term
 * @param {(session: number) => void} found
 */
export function eachSession({ text, words, places }, term, found) {
    for (let at = 0; at < words.length; at++) {
        if (term.isBeginning ? words[at].startsWith(term.word) : words[at] === term.word) {
            let session = -1;
            for (const delta of text.slice(places[at], text.indexOf(";", places[at])).split(" ")) {
                session += parseInt(delta, 36);
                found(session);
            }
        }
    }
}

/**
 * @typedef {object} Manifest
 * @property {number} format
 * @property {[string, string, number][]} months
 * @property {{hash: string, shards: string[]} | null} [words]
 * @property {string | null} [tail]
 */

/**
 * @typedef {object} Words
 * @property {(terms: Term[]) => Promise<Set<number> | null>} sessionsWith those that may have all of them; null where nothing
 *     is asked. Rejected where a list cannot be read
 */

/**
 * @param {Manifest} manifest
 * @returns {Words}
 */
export function makeWords({ words, tail }) {
    /** @type {Map<string, Promise<WordList>>} */
    const lists = new Map();
    const shards = new Set(words?.shards);
    /** @type {(name: string) => Promise<WordList>} */
    const list = (name) => {
        const known = lists.get(name) ?? load(name).then((value) => readList(typeof value === "string" ? value : value.words));
        lists.set(name, known);
        // It may be there when it is asked for again.
        known.catch(() => lists.delete(name));
        return known;
    };
    return {
        async sessionsWith(terms) {
            /** @type {Set<number> | null} */
            let all = null;
            const perTerm = terms.map((term) => {
                const shard = shardOf(term.word);
                const names = [...(shards.has(shard) ? [`words-${words?.hash}/${shard}`] : []), ...(tail ? [`tail-${tail}`] : [])];
                return Promise.all(names.map(list));
            });
            for (const [at, ofTerm] of (await Promise.all(perTerm)).entries()) {
                /** @type {Set<number>} */
                const found = new Set();
                for (const one of ofTerm) {
                    eachSession(one, terms[at], (session) => (all === null || all.has(session)) && found.add(session));
                }
                all = found;
            }
            return all;
        },
    };
}
