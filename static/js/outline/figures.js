/** Tokens and money in few letters, as src/render/figures.rs writes them. */

import { FORK } from "./shared.js";

/** @import { Outline, SpentColumns } from "./outline.js" */

/** Names of the columns of tokens. */
const TOKEN_NAMES = ["in", "out", "cache read", "cache write"];

/** From here on a figure has a letter for its power of ten. */
const FAR = 1e12;

/**
 * @param {number} number
 * @returns {string} `1.0e300`
 */
function farText(number) {
    return number.toExponential(1).replace("+", "");
}

/**
 * @param {number} count
 * @returns {string}
 */
export function shortCount(count) {
    if (Math.abs(count) >= FAR) {
        return farText(count);
    }
    if (count < 1e3) {
        return String(Math.round(count));
    }
    if (count < 1e4) {
        return `${(count / 1e3).toFixed(1)}k`;
    }
    return count < 1e6 ? `${Math.round(count / 1e3)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/**
 * @param {number} dollars
 * @returns {string} empty for nothing
 */
export function moneyText(dollars) {
    if (dollars >= FAR) {
        return `$${farText(dollars)}`;
    }
    if (dollars >= 1) {
        return `$${dollars.toFixed(2)}`;
    }
    if (dollars >= 0.0005) {
        return `$${dollars.toFixed(3)}`;
    }
    return dollars > 0 ? "under $0.001" : "";
}

/**
 * As `figures::cost` in Rust writes it.
 *
 * @param {number} dollars
 * @param {number} computed how many of them were computed from prices
 * @returns {string} `$0.012`, `$0.012 computed`, `$0.42, $0.012 of it computed`; empty for nothing
 */
function costText(dollars, computed) {
    const cost = moneyText(dollars);
    const part = moneyText(computed);
    if (cost === "" || part === "") {
        return cost;
    }
    return dollars - computed < dollars * 1e-9 ? `${cost} computed` : `${cost}, ${part} of it computed`;
}

/**
 * As `figures::duration` in Rust writes it.
 *
 * @param {number} ms
 * @returns {string} `850ms`, `13.9s`, `3m 12s`, `2h 5m`
 */
export function durationText(ms) {
    if (ms < 999.5) {
        return `${ms.toFixed(0)}ms`;
    }
    // By what is shown: 59,990 ms are not `60.0s`.
    if (ms < 59_950) {
        return `${(Math.round(ms / 100) / 10).toFixed(1)}s`;
    }
    const seconds = Math.round(ms / 1000);
    const minutes = Math.floor(seconds / 60);
    const text = ms < 3_599_500 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
    return text.replace(/ 0./u, "");
}

/**
 * @param {SpentColumns} spent
 * @returns {string[]} `8.9k in`, `6.1k out`, … and the cost; nothing for nothing
 */
export function spentWords(spent) {
    const tokens = TOKEN_NAMES.flatMap((name, at) => {
        const count = spent[at] ?? 0;
        return count > 0 ? [`${shortCount(count)} ${name}`] : [];
    });
    const cost = costText(spent[4], spent[5] ?? 0);
    return [...(tokens.length > 0 ? [tokens.join(", ")] : []), ...(cost === "" ? [] : [cost])];
}

/**
 * What a path spent behind one of its entries.
 *
 * @param {Outline} outline
 * @param {number} ancestor -1 for the whole path
 * @param {number} leaf
 * @returns {SpentColumns | null} null where the page does not say: it knows forks and the ends of branches
 */
export function spentSince(outline, ancestor, leaf) {
    const [before, after] = [spentTo(outline, ancestor), spentTo(outline, leaf)];
    if (before === null || after === null) {
        return null;
    }
    return /** @type {SpentColumns} */ (after.map((value, at) => Math.max(0, (value ?? 0) - (before[at] ?? 0))));
}

/**
 * @param {Outline} outline
 * @param {number} n
 * @returns {SpentColumns | null}
 */
function spentTo(outline, n) {
    const child = n < 0 ? -1 : firstChild(outline, n);
    const isKnown = child < 0 || (outline.marks[child] & FORK) !== 0;
    return outline.spent.get(n) ?? (isKnown ? [0, 0, 0, 0, 0] : null);
}

/**
 * @param {Outline} outline
 * @param {number} n
 * @returns {number} -1 where it has none
 */
function firstChild({ parent, end }, n) {
    let child = n + 1;
    // Sessions that it started come first.
    while (child < end[n] && parent[child] !== n) {
        child = end[child];
    }
    return child < end[n] ? child : -1;
}
