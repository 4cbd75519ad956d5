/**
 * The query of an archive: that of a page, and operators that ask of a session: `project:`, `agent:`, `session:`, `file:`.
 * Rust has the same (src/outline/query/of_sessions.rs).
 */

import { isHit, operatorCondition, parseQuery, tokensOf } from "../search/query.js";
import { askedOf } from "./words.js";

/** @import { Query } from "../search/query.js" */
/** @import { Session } from "./sessions.js" */
/** @import { Term } from "./words.js" */

/** Operators of sessions are taken out; the others, phrases and words are passed over as wholes. */
const OWN =
    /(-(?![\p{White_Space}-]|$))?(?:(project|agent|session|file):(?:"(?=\p{White_Space}*[^"\p{White_Space}])([^"]*)"?|([^"\p{White_Space}]\P{White_Space}*))|(?:role|tool|is|label|before|after):"[^"]*"?|"[^"]*"?|\P{White_Space}+)/giu;

/**
 * @typedef {object} OwnTerm
 * @property {string} name
 * @property {string} value
 * @property {boolean} negated
 */

/**
 * @typedef {object} ArchiveQuery
 * @property {OwnTerm[]} own
 * @property {string} ofMessages what is asked of messages, as typed
 * @property {Query | null} messages the same; null where nothing is
 * @property {boolean} needsTexts whether a session's texts must be read to tell whether it is found
 * @property {Term[]} terms what the word lists are asked for
 */

/**
 * @param {string} query
 * @returns {ArchiveQuery | null} null when it asks for nothing
 */
export function readQuery(query) {
    /** @type {OwnTerm[]} */
    const own = [];
    const kept = [];
    for (const [whole, dash, name, quoted, bare] of query.matchAll(OWN)) {
        if (name === undefined) {
            kept.push(whole);
        } else {
            own.push({ name: name.toLowerCase(), value: oneLine(quoted ?? bare), negated: dash !== undefined });
        }
    }
    const ofMessages = kept.join(" ");
    const messages = parseQuery(ofMessages);
    if (own.length === 0 && messages === null) {
        return null;
    }
    const files = own.filter(({ name, negated }) => name === "file" && !negated);
    return {
        own,
        ofMessages,
        messages,
        needsTexts: messages !== null || own.some(({ name }) => name === "file"),
        terms: [...(messages?.texts ?? []).flatMap(askedOf), ...files.flatMap(({ value }) => askedOfPart(value))],
    };
}

/**
 * @param {string} text
 * @returns {string} in lower case, each run of white space one blank
 */
function oneLine(text) {
    return text.toLowerCase().replace(/\p{White_Space}+/gu, " ").trim();
}

/**
 * Of a part of a path, which may begin in the middle of a word.
 *
 * @param {string} part
 * @returns {Term[]}
 */
function askedOfPart(part) {
    return /^[\p{L}\p{M}\p{N}]/u.test(part) ? askedOf(part).slice(1) : askedOf(part);
}

/**
 * @param {ArchiveQuery | null} query
 * @param {Session} session
 * @returns {boolean} whether it is what is asked of sessions, as far as its row says
 */
export function isOfRow(query, session) {
    return query === null || query.own.every(({ name, value, negated }) => {
        switch (name) {
            case "project":
                return oneLine(session.project ?? "").includes(value) !== negated;
            case "agent": {
                // `claude-code` and "Claude Code" are the same.
                const agent = oneLine(session.agent);
                return (agent.startsWith(value) || agent.replaceAll(" ", "-").startsWith(value)) !== negated;
            }
            case "session":
                return oneLine(session.id).startsWith(value) !== negated;
            default:
                return negated || session.files !== undefined;
        }
    });
}

/**
 * @param {ArchiveQuery} query
 * @param {string[]} files that a session changed
 * @returns {boolean} whether they are those asked for
 */
export function hasFiles(query, files) {
    return query.own.every(({ name, value, negated }) => name !== "file" || files.some((file) => oneLine(file).includes(value)) !== negated);
}

/**
 * Whether a title alone meets the query: it has the words and phrases, and none of those excluded. What is asked of an
 * entry, no title meets.
 *
 * @param {ArchiveQuery} query
 * @param {string} title
 * @returns {boolean}
 */
export function isOfTitle({ ofMessages, messages }, title) {
    if (messages === null || messages.texts.length === 0) {
        return false;
    }
    const isOfWords = tokensOf(ofMessages).every(({ operator, value }) => operator === "" || operatorCondition(operator, value) === null);
    const text = oneLine(title);
    const nothing = { kind: () => "", role: () => "", marks: () => 0, tools: () => [], label: () => null, time: () => null };
    return isOfWords && isHit(messages, { ...nothing, someText: (_, find) => find(text) }, 0);
}
