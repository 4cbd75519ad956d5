/** Entries and turns as Markdown, as `src/page/markdown_data.rs` wrote it. */

import { jsonIn } from "../chunks/arrived.js";
import { leafShowing, pathTo } from "../outline/paths.js";

/** @import { Packs } from "../chunks/packs.js" */
/** @import { Outline } from "../outline/outline.js" */

/**
 * @typedef {object} Markdown both are rejected where the page is damaged
 * @property {(n: number) => Promise<string>} ofEntry
 * @property {(n: number, leaf: number) => Promise<string>} ofTurn of the prompt at or before an entry
 */

/**
 * @typedef {object} MarkdownData
 * @property {EntryData[]} entries
 * @property {{begin: string[], leaf: number | null}[]} subAgents
 *
 * @typedef {object} EntryData
 * @property {(string | number)[]} [text] strings, each followed by the place and the length of what its pack has of it
 * @property {(string | [string] | 0)[]} [story] lines, the words of a heading, 0 for the entry's text
 * @property {number[]} [started] the sub-agents that it started
 */

const decoder = new TextDecoder();

/**
 * @param {Outline} outline
 * @param {Packs} packs
 * @returns {Markdown}
 */
export function makeMarkdown(outline, packs) {
    /** @type {Promise<MarkdownData> | undefined} */
    let reading;
    const read = () => (reading ??= jsonIn("markdown"));
    /** @type {(n: number) => Promise<string>} */
    const ofEntry = async (n) => {
        const parts = (await read()).entries[n].text ?? [];
        const piece = parts.length > 1 ? await packs.pieceOf(n) : new Uint8Array();
        let text = "";
        for (let at = 0; at < parts.length; at += 3) {
            const [from, length] = [Number(parts[at + 1] ?? 0), Number(parts[at + 2] ?? 0)];
            text += parts[at] + decoder.decode(piece.subarray(from, from + length));
        }
        return text;
    };
    return {
        ofEntry,
        async ofTurn(n, leaf) {
            const { entries, subAgents } = await read();
            const path = pathTo(outline, leafShowing(outline, n, leaf));
            const prompts = path.filter((other) => entries[other].story?.some(Array.isArray));
            const number = prompts.filter((other) => other <= n).length;
            const first = path.indexOf(prompts[number - 1] ?? path[0]);
            const end = number < prompts.length ? path.indexOf(prompts[number]) : path.length;
            /** @type {string[]} */
            const blocks = [];
            /** @type {number[]} */
            const agents = [];
            /** @type {(entries: number[]) => Promise<void>} */
            const add = async (some) => {
                for (const other of some) {
                    const { story = [], started = [] } = entries[other];
                    agents.push(...started);
                    for (const part of story) {
                        blocks.push(part === 0 ? await ofEntry(other) : Array.isArray(part) ? `## ${number}${part[0]}` : part);
                    }
                }
            };
            await add(path.slice(first, end));
            // The list grows by those that they started themselves.
            for (const agent of agents) {
                const { begin, leaf: last } = subAgents[agent];
                blocks.push(...begin);
                await add(last === null ? [] : pathTo(outline, last));
            }
            return blocks.join("\n");
        },
    };
}
