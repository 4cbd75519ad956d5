/** Copying as Markdown. */

import { copyText } from "../address/copy.js";

/** @import { Parts } from "./parts.js" */

/**
 * @param {Parts} parts
 * @param {number} n
 * @param {boolean} isTurn the turn of the entry instead of the entry alone
 */
export async function copyMarkdown({ markdown, notice, store }, n, isTurn) {
    let text;
    try {
        text = await (isTurn ? markdown.ofTurn(n, store.get().leaf) : markdown.ofEntry(n));
    } catch {
        notice.mention("A part of this page is damaged. The Markdown cannot be read");
        return;
    }
    if (text === "") {
        notice.mention("Only prompts and responses have Markdown in a page; leafpress markdown --detail full writes tool calls");
    } else {
        await copyText(text, isTurn ? "Turn copied as Markdown" : "Entry copied as Markdown", notice);
    }
}

/**
 * Of the entry that is being read.
 *
 * @param {Parts} parts
 * @param {boolean} isTurn
 */
export function copyMarkdownHere(parts, isTurn) {
    const entries = parts.reading.entries();
    void copyMarkdown(parts, entries[Math.max(0, parts.reading.here(entries))] ?? 0, isTurn);
}
