/** A query of all sessions: that of the page, and operators that ask for the session. Rust: src/outline/query/of_sessions.rs. */

import { operatorCondition, parseQuery, tokensOf } from "../search/query.js";

/** @import { Row } from "./rows.js" */
/** @import { Query } from "../search/query.js" */

const OWN = /(^|\s)(-?)(project|agent|author|session|file):(?:"([^"]+)"?|([^\s"]\S*))/giu;

/**
 * @typedef {object} Own
 * @property {boolean} negated
 * @property {string} name
 * @property {string} value
 */

/**
 * @typedef {object} SessionQuery
 * @property {Own[]} own what is asked of the session
 * @property {Query | null} query what is asked of a message
 * @property {string} rest the part of the query that asks for it, as typed
 * @property {(title: string) => boolean} inTitle whether a title alone meets it
 */

/**
 * @param {string} text
 * @returns {SessionQuery | null} null when it asks for nothing
 */
export function readQuery(text) {
    /** @type {Own[]} */
    const own = [];
    // Within quotes there are no operators.
    const parts = text.split(/((?<=^|\s)-?"[^"]*"?)/u);
    const rest = parts.map((part, nth) => (nth % 2 === 1 ? part : part.replace(OWN, take))).join("");
    const query = parseQuery(rest);
    if (query === null && own.length === 0) {
        return null;
    }
    const tokens = tokensOf(rest).filter(({ raw }) => raw.trim() !== "");
    const isText = tokens.every(({ operator, value }) => operator === "" || operatorCondition(operator, value) === null);
    const inTitle = (/** @type {string} */ title) => {
        const lower = title.toLowerCase();
        return query !== null && query.texts.length > 0 && isText && tokens.every(({ raw, negated }) => lower.includes(raw) !== negated);
    };
    return { own, query, rest, inTitle };

    /** @type {(match: string, before: string, dash: string, name: string, quoted?: string, bare?: string) => string} */
    function take(_match, before, dash, name, quoted, bare) {
        const value = (quoted ?? bare ?? "").toLowerCase();
        own.push({ negated: dash !== "", name: name.toLowerCase(), value });
        return before;
    }
}

/**
 * Whether a session meets what is asked of it, as far as its row says: a file it changed may stand in its texts alone.
 *
 * @param {Own[]} own
 * @param {Row} row
 * @param {string[] | null} files its changed files; null where they are not read yet
 * @returns {boolean}
 */
export function isOf(own, row, files) {
    return own.every(({ negated, name, value }) => {
        const has = (/** @type {string} */ text) => text.toLowerCase().includes(value);
        switch (name) {
            case "project":
                return has(row.project ?? "") !== negated;
            case "agent":
                return row.agent.toLowerCase().replaceAll(" ", "-").startsWith(value) !== negated;
            // Of a team's archive.
            case "author":
                return has(row.by.name) !== negated;
            case "session":
                return row.id.toLowerCase().startsWith(value) !== negated;
            default:
                return files === null || files.some(has) !== negated;
        }
    });
}
