/**
 * The words of a query and the lists that say which sessions have a word. Rust splits texts and writes the lists
 * (src/catalog/words.rs, src/archive/words.rs); `tests/browser/archive.rs` compares what both find.
 */

/** From so many characters on, the last word of a text is the beginning of the words that it finds. */
const BEGINNING = 3;

/** Longer runs are no words but data. */
const LONGEST = 64;

/** Runs of letters and digits: of scripts without blanks between words, and of others. */
const UNSPACED =
    "\\u0e00-\\u0fff\\u1000-\\u109f\\u1780-\\u17ff\\u3041-\\u30ff\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\u{20000}-\\u{323af}";
const RUN = new RegExp(
    `(?![\\u0300-\\u036f])(?:(?:(?=[${UNSPACED}])[\\p{Alphabetic}\\p{N}])+|(?:(?![${UNSPACED}])[\\p{Alphabetic}\\p{N}\\u0300-\\u036f])+)`,
    "gu",
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");

/**
 * @typedef {object} Term
 * @property {string} word
 * @property {boolean} begins whether it is the beginning of the words that it finds
 */

/**
 * What each session that may match has, of one text of a query.
 *
 * @param {string} text in lower case
 * @returns {Term[]}
 */
export function termsOf(text) {
    const runs = Array.from(text.matchAll(RUN), ([run]) => run);
    return runs.flatMap((run, nth) => {
        const letters = Array.from(run);
        if (!IS_UNSPACED.test(run)) {
            const begins = nth === runs.length - 1 && letters.length >= BEGINNING;
            return letters.length > LONGEST ? [] : [{ word: run, begins }];
        }
        if (letters.length === 1) {
            return [{ word: run, begins: true }];
        }
        return letters.slice(1).map((letter, at) => ({ word: letters[at] + letter, begins: false }));
    });
}

/**
 * The lists that may have a term.
 *
 * @param {string[]} firsts the first word of each list, in the order of code points
 * @param {Term} term
 * @returns {number[]} their places
 */
export function listsWith(firsts, { word, begins }) {
    const asked = ordered(word);
    const isAfter = (/** @type {string} */ first) => ordered(first) > asked;
    return [...firsts.keys()].filter((nth) => {
        const [first, next] = [firsts[nth], firsts[nth + 1]];
        return (!isAfter(first) || (begins && first.startsWith(word))) && (next === undefined || isAfter(next));
    });
}

/**
 * JavaScript compares halves of characters, of which those beyond the first plane would come before some of it.
 *
 * @param {string} word
 * @returns {string}
 */
function ordered(word) {
    return word.replace(/[\ud800-\udbff]/g, "\uffff$&");
}

/**
 * @param {string} list
 * @param {Term} term
 * @returns {Set<number>} the numbers of the sessions that have it
 */
export function sessionsOf(list, { word, begins }) {
    /** @type {Set<number>} */
    const sessions = new Set();
    let last = "";
    for (const piece of list.split(";")) {
        const [head, ...deltas] = piece.split(" ");
        if (head === "") {
            continue;
        }
        const shared = parseInt(head[0], 36);
        // Letters beyond the first plane are two units each.
        const before = /[\ud800-\udbff]/u.test(last) ? Array.from(last).slice(0, shared).join("") : last.slice(0, shared);
        last = before + head.slice(1);
        if (last === word || (begins && last.startsWith(word))) {
            let session = -1;
            for (const delta of deltas) {
                session += parseInt(delta, 36);
                sessions.add(session);
            }
        }
    }
    return sessions;
}
