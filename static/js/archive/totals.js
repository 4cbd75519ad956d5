/** The totals above the list. A history that several sessions have in common counts once. */

import { make, setText } from "../base/dom.js";
import { durationText, moneyText, shortCount } from "../outline/figures.js";

/** @import { Figures, Row } from "./rows.js" */

/**
 * @param {HTMLElement} heading
 * @param {HTMLElement} list
 * @param {Row[]} rows
 */
export function drawTotals(heading, list, rows) {
    setText(heading, `${rows.length.toLocaleString("en-US")} ${rows.length === 1 ? "session" : "sessions"}`);
    const sum = (/** @type {keyof Figures} */ name) => rows.reduce((all, row) => all + ((row.own ?? row)[name] ?? 0), 0);
    const [prompts, failures, tokens, cost, worked] = /** @type {const} */ (["prompts", "failures", "tokens", "cost", "worked"]).map(sum);
    const files = rows.reduce((all, { files: count }) => all + (count ?? 0), 0);
    /** @type {[string, string, string?][]} */
    const facts = [
        ...counted(new Set(rows.flatMap(({ by }) => by.name || [])).size, "author"),
        ...counted(new Set(rows.map(({ agent }) => agent)).size, "agent"),
        ...counted(new Set(rows.flatMap(({ project }) => project ?? [])).size, "project"),
        ...counted(prompts, "prompt"),
        ...(worked > 0 ? [/** @type {[string, string]} */ ([durationText(worked), "worked"])] : []),
        ...counted(files, "changed file"),
        ...counted(failures, "failure", "bad"),
        ...(tokens > 0 ? [/** @type {[string, string]} */ ([shortCount(tokens), "tokens"])] : []),
        ...(cost > 0 ? [/** @type {[string, string]} */ ([moneyText(cost), "where prices are known"])] : []),
    ];
    list.replaceChildren(
        ...facts.map(([figure, words, name = ""]) => {
            const item = make("li", name);
            item.append(make("b", "", figure), ` ${words}`);
            return item;
        }),
    );
}

/**
 * @param {number} count
 * @param {string} noun
 * @param {string} [name]
 * @returns {[string, string, string?][]} nothing for none
 */
function counted(count, noun, name) {
    return count === 0 ? [] : [[count.toLocaleString("en-US"), count === 1 ? noun : `${noun}s`, name]];
}
