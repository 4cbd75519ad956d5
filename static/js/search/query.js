/**
 * The grammar of the search field: words, "phrases", operators such as `role:user`, `-` before what must not be.
 *
 * Rust has the same grammar; `tests/fixtures/vectors/search.json` holds both to it. Whatever cannot be read as
 * an operator is an ordinary word, so no query is ever wrong.
 */

import { COMMIT, COMPACTION, FAILED, NOTABLE, PROMPT, PULL_REQUEST, PUSH, STOPPED, TEST_RUN } from "../outline/shared.js";

/**
 * @typedef {object} SearchSource what conditions ask of an entry
 * @property {(n: number) => string} kind
 * @property {(n: number) => string} role of the message it gives, "" for none
 * @property {(n: number) => number} marks
 * @property {(n: number) => readonly string[]} tools
 * @property {(n: number) => string | null} label
 * @property {(n: number) => number | null} time
 * @property {(n: number, find: (text: string) => boolean, text: string, unknown: boolean) => boolean} someText
 *     key words, label and row text as one, then the article's text, all in lower case; `text` is what `find` looks
 *     for, `unknown` the answer where the article's text cannot be read yet
 */

/** @typedef {(source: SearchSource, n: number) => boolean} Condition */

/**
 * @typedef {object} Query
 * @property {Condition[]} conditions all must hold; the cheap ones come first
 * @property {RegExp[]} marks finds what is to be marked in a text in lower case
 * @property {string[]} texts the words and phrases of a hit
 */

/**
 * @typedef {object} Token
 * @property {string} raw as typed, without the dash
 * @property {string} operator lower case, "" for words and phrases
 * @property {string} value
 * @property {boolean} negated
 */

/** Between the texts of an entry that a phrase must not span. */
const TEXT_BREAK = "\0";

const TOKEN = /(-(?![\p{White_Space}-]|$))?(?:(role|tool|is|label|before|after):(?:"([^"]*)"?|(\P{White_Space}*))|"([^"]*)"?|(\P{White_Space}+))/giu;

const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:t(\d\d:\d\d))?)?)?$/u;

/**
 * @param {string} query
 * @returns {Token[]}
 */
export function tokensOf(query) {
    return Array.from(query.toLowerCase().matchAll(TOKEN), (match) => {
        const [whole, dash, operator = "", quoted, bare, phrase, word] = match;
        return {
            raw: phrase ?? word ?? whole.slice((dash ?? "").length),
            operator,
            value: quoted ?? bare ?? "",
            negated: dash !== undefined,
        };
    });
}

/**
 * @param {string} query
 * @returns {Query | null} null when it asks for nothing
 */
export function parseQuery(query) {
    /** @type {Condition[]} */
    const quick = [];
    /** @type {Condition[]} */
    const slow = [];
    /** @type {RegExp[]} */
    const marks = [];
    const texts = [];
    for (const token of tokensOf(query)) {
        const operator = token.operator === "" ? null : operatorCondition(token.operator, token.value);
        if (operator !== null) {
            quick.push(token.negated ? (source, n) => !operator(source, n) : operator);
        } else if (token.raw.trim() !== "") {
            slow.push(textCondition(token.raw, token.negated));
            if (!token.negated) {
                marks.push(patternOf(token.raw));
                texts.push(token.raw);
            }
        }
    }
    const conditions = [...quick, ...slow];
    return conditions.length === 0 ? null : { conditions, marks, texts };
}

/**
 * @param {Query} query
 * @param {SearchSource} source
 * @param {number} n
 * @returns {boolean}
 */
export function isHit(query, source, n) {
    return query.conditions.every((condition) => condition(source, n));
}

/**
 * Any run of white space in a phrase stands for any other: lines break where the reader sees a blank.
 *
 * @param {string} text
 * @returns {RegExp}
 */
function patternOf(text) {
    const parts = text.split(/\p{White_Space}+/u).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"));
    return new RegExp(parts.join("\\p{White_Space}+"), "gu");
}

/**
 * @param {string} text
 * @param {boolean} negated
 * @returns {Condition}
 */
function textCondition(text, negated) {
    const pattern = patternOf(text);
    /** @type {(text: string) => boolean} */
    const find = /\p{White_Space}/u.test(text) ? (within) => within.search(pattern) >= 0 : (within) => within.includes(text);
    return (source, n) => source.someText(n, find, text, !negated) !== negated;
}

/**
 * @param {string} operator
 * @param {string} value
 * @returns {Condition | null} null when it says nothing that could be asked
 */
export function operatorCondition(operator, value) {
    switch (operator) {
        case "role":
            return roleCondition(value);
        case "tool":
            return (source, n) => source.tools(n).some((tool) => tool.toLowerCase().includes(value));
        case "label":
            return (source, n) => source.label(n)?.toLowerCase().includes(value) ?? false;
        case "is":
            return stateCondition(value);
        default:
            return timeCondition(operator, value);
    }
}

/**
 * @param {string} value
 * @returns {Condition | null}
 */
function roleCondition(value) {
    if (value === "") {
        return null;
    }
    const kind = value === "tool" ? "tool-result" : value;
    return (source, n) => source.kind(n) === kind || source.role(n).toLowerCase() === value;
}

/**
 * @param {string} value
 * @returns {Condition | null}
 */
function stateCondition(value) {
    if (value === "labeled") {
        return (source, n) => source.label(n) !== null;
    }
    const bits = new Map([
        ["error", FAILED],
        ["stop", STOPPED],
        ["prompt", PROMPT],
        ["compaction", COMPACTION],
        ["commit", COMMIT],
        ["push", PUSH],
        ["pull-request", PULL_REQUEST],
        ["test", TEST_RUN],
        ["notable", NOTABLE],
    ]).get(value);
    return bits === undefined ? null : (source, n) => (source.marks(n) & bits) !== 0;
}

/**
 * @param {string} operator
 * @param {string} value
 * @returns {Condition | null}
 */
function timeCondition(operator, value) {
    const date = readDate(value);
    if (date === null) {
        return null;
    }
    return (source, n) => {
        const time = source.time(n);
        return time !== null && (operator === "before" ? time < date : time >= date);
    };
}

/**
 * The first moment of a year, month, day or minute, UTC.
 *
 * @param {string} text
 * @returns {number | null} null for what the calendar does not have
 */
export function readDate(text) {
    const match = DATE.exec(text);
    if (match === null) {
        return null;
    }
    const [, year, month = "01", day = "01", minute = "00:00"] = match;
    const written = `${year}-${month}-${day}T${minute}`;
    const date = new Date(`${written}Z`);
    // Some parsers carry 30 February over into March.
    return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(written) ? null : date.getTime();
}

/**
 * @typedef {object} PlainEntry an entry as the vectors have it
 * @property {string} kind
 * @property {string | null} role
 * @property {number} marks
 * @property {string[]} tools
 * @property {string | null} label
 * @property {number | null} time
 * @property {string} words
 * @property {string} text
 * @property {string} body
 */

/**
 * @param {string} query
 * @param {PlainEntry} entry
 * @returns {boolean}
 */
export function matchesPlain(query, entry) {
    const parsed = parseQuery(query);
    const head = searchHead(entry.words, entry.label, entry.text);
    return (
        parsed === null ||
        isHit(
            parsed,
            {
                kind: () => entry.kind,
                role: () => entry.role ?? "",
                marks: () => entry.marks,
                tools: () => entry.tools,
                label: () => entry.label,
                time: () => entry.time,
                someText: (_, find) => find(head) || find(entry.body.toLowerCase()),
            },
            0,
        )
    );
}

/**
 * @param {string} words
 * @param {string | null} label
 * @param {string} text
 * @returns {string}
 */
export function searchHead(words, label, text) {
    return [words, label ?? "", text].join(TEXT_BREAK).toLowerCase();
}
