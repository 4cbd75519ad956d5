/**
 * What in a search looks like an operator and is none: a misspelled name, a value that does not exist. Rust has the
 * same rules; `tests/fixtures/vectors/search-advice.json` holds both to them.
 */

import { operatorCondition, readDate, tokensOf } from "./query.js";

const OPERATORS = ["role", "tool", "is", "label", "after", "before"];
const STATES = ["error", "stop", "prompt", "compaction", "labeled", "commit", "push", "pull-request", "test", "notable"];

/** Names and values further from what was typed are not what was meant. */
const MAX_EDITS = 2;

/**
 * @param {string} query
 * @returns {string[]} what to tell the reader; empty when each word means what it looks like
 */
export function queryAdvice(query) {
    return tokensOf(query).flatMap(({ raw, operator, value }) => {
        if (operator !== "") {
            return value === "" || operatorCondition(operator, value) !== null ? [] : [valueAdvice(operator, value)];
        }
        const match = /^([^:"]*):(.+)$/u.exec(raw);
        const meant = match === null || /\p{White_Space}/u.test(raw) || query.includes(`"${raw}`) ? null : nearestOf(match[1], OPERATORS);
        return meant === null || match === null ? [] : [`unknown operator \`${match[1]}:\`; did you mean \`${meant}:${match[2]}\`?`];
    });
}

/**
 * @param {string} operator
 * @param {string} value that it does not have
 * @returns {string}
 */
function valueAdvice(operator, value) {
    if (operator === "is") {
        const meant = nearestOf(value, STATES);
        const known = STATES.map((state) => `is:${state}`).join(", ");
        return `unknown state \`is:${value}\`; ${meant === null ? `the states are ${known}` : `did you mean \`is:${meant}\`?`}`;
    }
    const meant = nearestDate(value);
    return `\`${operator}:${value}\` is not a date; ${meant === null ? `write \`${operator}:2026-01-31\`` : `did you mean \`${operator}:${meant}\`?`}`;
}

/**
 * @param {string} typed
 * @param {readonly string[]} known
 * @returns {string | null} the first with the fewest edits, where that is near enough
 */
function nearestOf(typed, known) {
    const all = known.map((word) => ({ word, edits: editsBetween([...typed], [...word]) }));
    const least = all.reduce((best, other) => (other.edits < best.edits ? other : best));
    // Of a short word two edits leave nothing.
    const letters = Math.floor(Math.max(0, [...typed].length - 1) / 2) + 1;
    return least.edits <= Math.min(MAX_EDITS, letters, Math.floor(least.word.length / 2)) ? least.word : null;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {number} letters to insert, delete, replace or swap with their neighbor
 */
function editsBetween(a, b) {
    if (Math.abs(a.length - b.length) > MAX_EDITS) {
        return MAX_EDITS + 1;
    }
    const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
    for (let i = 1; i <= a.length; i++) {
        const row = [i];
        for (let j = 1; j <= b.length; j++) {
            let least = Math.min(rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1), rows[i - 1][j] + 1, row[j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
                least = Math.min(least, rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    return rows[a.length][b.length];
}

/**
 * @param {string} text
 * @returns {string | null} with a month and a day that the calendar has: `2025-13` becomes `2025-12`
 */
function nearestDate(text) {
    const match = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/u.exec(text);
    if (match === null) {
        return null;
    }
    const [, year, month, day] = match;
    /** @type {(text: string, most: number) => number} */
    const within = (number, most) => Math.min(most, Math.max(1, Number(number)));
    const start = month === undefined ? year : `${year}-${String(within(month, 12)).padStart(2, "0")}`;
    if (day === undefined) {
        return start;
    }
    // At most three days too many.
    for (let last = within(day, 31); last > 0; last--) {
        const date = `${start}-${String(last).padStart(2, "0")}`;
        if (readDate(date) !== null) {
            return date;
        }
    }
    return null;
}
