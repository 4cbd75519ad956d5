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
 * What an entry says, as it is drawn: in a title, in a row behind a glyph.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function saidText({ text, drawnText }, n) {
    return drawnText.get(n) ?? text[n];
}

/**
 * The whole row in one line, as `Row::line` in Rust: `read: src/tides.rs`.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {string} [said] as it is drawn unless given
 * @returns {string}
 */
export function rowText(outline, n, said = saidText(outline, n)) {
    const who = whoSays(outline, n);
    return who === "" || said === "" ? who + said : `${who}: ${said}`;
}

/**
 * What an entry is called in a title: the words of a prompt or a response alone.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function titleOf(outline, n) {
    return outline.tools.has(n) && outline.kinds[outline.kind[n]] !== "assistant" ? rowText(outline, n) : saidText(outline, n);
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
