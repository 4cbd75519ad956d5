/** What entries are called where they are drawn. */

/** @import { Outline } from "./outline.js" */

/**
 * Who speaks in an entry, or the tool that it is a result of; empty for an event. As `Row::who` in Rust.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function whoSays({ kinds, kind, tools }, n) {
    const name = kinds[kind[n]];
    return name === "tool-result" ? tools.get(n)?.[0] ?? "tool" : ["user", "assistant", "bash"].includes(name) ? name : "";
}

/**
 * The whole row in one line, as `Row::line` in Rust: `read: src/tides.rs`.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function rowText(outline, n) {
    const parts = [whoSays(outline, n), outline.text[n]];
    return parts.filter((part) => part !== "").join(": ");
}

/**
 * What an entry is called in a title: the words of a prompt or a response alone.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function titleOf(outline, n) {
    return outline.excerpts.get(n) ?? (outline.kinds[outline.kind[n]] === "tool-result" ? rowText(outline, n) : outline.text[n]);
}

/**
 * A label as it is drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string | undefined}
 */
export function labelText({ labels, drawnLabels }, n) {
    return drawnLabels.get(n) ?? labels.get(n);
}
