/** The figures of two branches since they parted, as a table. */

import { make } from "../base/dom.js";
import { SIDES } from "../outline/branches.js";
import { durationText, spentSince, spentWords } from "../outline/figures.js";
import { pathTo } from "../outline/paths.js";
import { FAILED, PROMPT, RESPONSE, STOPPED } from "../outline/shared.js";
import { titleOf } from "../outline/texts.js";

/** @import { Outline } from "../outline/outline.js" */

/**
 * @param {Outline} outline
 * @param {readonly [number, number]} ends the two leaves, the current one first
 * @param {number} ancestor the last entry on both paths, -1 for none
 * @returns {HTMLElement}
 */
export function makeCompareTable(outline, ends, ancestor) {
    const sides = ends.map((end) => figuresOf(outline, end, ancestor));
    const table = make("table", "compare-table");
    const head = document.createElement("tr");
    head.append(document.createElement("td"), ...SIDES.map((name) => headerCell(name, "col")));
    table.append(head);
    for (const [name, at] of /** @type {[string, number][]} */ (COMPARE_ROWS.map((name, at) => [name, at]))) {
        // Most branches have none: a row says so only beside one that has.
        const nothing = name === "Stops" ? "0" : "";
        if (sides.every((side) => side[at] === nothing)) {
            continue;
        }
        const row = document.createElement("tr");
        row.append(headerCell(name, "row"), ...sides.map((side) => make("td", "", side[at] || "–")));
        table.append(row);
    }
    return table;
}

const COMPARE_ROWS = ["Entries", "Turns", "Time", "Tokens", "Cost", "Files read", "Files changed", "Failures", "Stops", "Last response"];

/** So many files are named; the others are counted. */
const NAMED_FILES = 6;

/**
 * @param {string} name
 * @param {string} scope
 * @returns {HTMLElement}
 */
function headerCell(name, scope) {
    const cell = make("th", "", name);
    cell.setAttribute("scope", scope);
    return cell;
}

/**
 * @param {Outline} outline
 * @param {number} end
 * @param {number} ancestor
 * @returns {string[]} in the order of `COMPARE_ROWS`; empty for what is not known
 */
function figuresOf(outline, end, ancestor) {
    const own = pathTo(outline, end).filter((n) => n > ancestor);
    const count = (/** @type {number} */ bits) => own.filter((n) => (outline.marks[n] & bits) !== 0).length;
    const spent = spentSince(outline, ancestor, end) ?? [0, 0, 0, 0, 0];
    const failures = count(FAILED);
    const stops = count(STOPPED);
    const cost = spentWords([0, 0, 0, 0, spent[4], spent[5]]).join("");
    const tokens = spentWords([spent[0], spent[1], spent[2], spent[3], 0]).join("");
    const times = own.map((n) => outline.time[n]).filter((time) => time !== null);
    const elapsed = times.length < 2 ? "" : durationText(times[times.length - 1] - times[0]);
    const turns = count(PROMPT);
    return [String(own.length), String(turns), elapsed, tokens, cost, filesText(outline, own, 0), filesText(outline, own, 1), String(failures), String(stops), lastResponse(outline, own)];
}

/**
 * @param {Outline} outline
 * @param {readonly number[]} own
 * @returns {string} how a branch ended, in its own words; empty where it did not
 */
function lastResponse(outline, own) {
    const last = own.findLast((n) => outline.roles[n] === RESPONSE);
    return last === undefined ? "" : titleOf(outline, last);
}

/**
 * @param {Outline} outline
 * @param {readonly number[]} own
 * @param {0 | 1} changed
 * @returns {string} `3: src/a.rs, src/b.rs, …`
 */
function filesText({ files, touched }, own, changed) {
    const found = new Set(own.flatMap((n) => touched.get(n) ?? []).filter((file) => file % 2 === changed));
    const names = Array.from(found, (file) => files[Math.floor(file / 2)]);
    if (names.length === 0) {
        return "";
    }
    const more = names.length > NAMED_FILES ? ` and ${names.length - NAMED_FILES} more` : "";
    return `${names.length}: ${names.slice(0, NAMED_FILES).join(", ")}${more}`;
}
