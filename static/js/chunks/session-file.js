/**
 * The session's files, back from the page: most of their lines lie in the packs, beside the articles of their
 * entries; the others, in chunks, in an element for the session's own file and one for those of its sub-sessions
 * (src/page/wire/source.rs).
 */

import { inflate, inflated } from "./inflate.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Packs } from "./packs.js" */

const NEWLINE = 10;

/**
 * @typedef {object} SessionFile
 * @property {(n: number) => boolean} has whether the page holds an entry's line
 * @property {(n: number) => Promise<string>} lineOf the line that an entry was read from; rejected where it is damaged
 * @property {() => Promise<Blob>} whole the session's own file; rejected where a part is damaged or missing
 */

/**
 * @param {Outline} outline
 * @param {Packs} packs
 * @returns {SessionFile}
 */
export function makeSessionFile(outline, packs) {
    const elements = ["source", "child-sources"].map((id) => document.getElementById(id));
    /** @type {SourceData[]} */
    const read = [];
    /** @type {(at: number) => SourceData} */
    const dataOf = (at) => (read[at] ??= JSON.parse(elements[at]?.textContent ?? ""));
    /** In which of the elements an entry stands. @type {(n: number) => 0 | 1} */
    const elementOf = (n) => (outline.sessions[outline.session[n]]?.beside === true ? 1 : 0);
    /** The first of the entries that were read from the same line, whose pack may hold it. @type {(n: number) => number} */
    const ownerOf = (n) => outline.lines.findIndex((line, m) => line === outline.lines[n] && elementOf(m) === elementOf(n));
    return {
        has: (n) => (outline.lines[n] ?? 0) > 0 && elements[elementOf(n)] !== null,
        async lineOf(n) {
            const { packed, chunks } = dataOf(elementOf(n));
            const inPack = packed > 0 ? await packs.lineOf(ownerOf(n)) : undefined;
            if (inPack !== undefined) {
                return inPack;
            }
            const line = outline.lines[n];
            const chunk = chunks.findLast(({ first }) => first <= line);
            const text = chunk === undefined ? "" : (await inflate(chunk.data)).split("\n")[line - chunk.first] ?? "";
            if (text === "" && packed > 0) {
                throw new RangeError("the line is in no pack");
            }
            return text;
        },
        async whole() {
            const { packed, newlines, chunks } = dataOf(0);
            let found = 0;
            /** @type {Map<number, string>} */
            const lines = new Map();
            for (let pack = 0; packed > 0 && pack < packs.count; pack++) {
                for (const { isChild, number, text } of await packs.lines(pack)) {
                    if (!isChild) {
                        lines.set(number, text);
                    }
                }
            }
            if (lines.size !== packed) {
                throw new RangeError("lines of the session file are missing");
            }
            const parts = [];
            for (const { first, data } of chunks) {
                const chunk = await inflated(data);
                found += chunk.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
                parts.push(new Blob(filled(chunk, first, lines, parts.length === chunks.length - 1)));
            }
            if (found !== newlines) {
                throw new RangeError("a part of the session file is missing");
            }
            return new Blob(parts, { type: "application/x-ndjson" });
        },
    };
}

/**
 * A chunk with its blank lines filled in.
 *
 * @param {Uint8Array<ArrayBuffer>} chunk
 * @param {number} first the number of its first line
 * @param {Map<number, string>} lines
 * @param {boolean} isLast it may end with a line without a newline
 * @returns {BlobPart[]}
 */
function filled(chunk, first, lines, isLast) {
    const parts = [];
    let [from, number] = [0, first];
    for (let at = 0; at < chunk.length; number++) {
        const line = lines.get(number);
        if (line !== undefined) {
            parts.push(chunk.subarray(from, at), line);
            from = at;
        }
        const end = chunk.indexOf(NEWLINE, at);
        at = end < 0 ? chunk.length : end + 1;
    }
    const last = isLast ? lines.get(number) : undefined;
    return [...parts, chunk.subarray(from), ...(last === undefined ? [] : [last])];
}

/**
 * @typedef {object} SourceData
 * @property {number} packed how many lines lie in packs
 * @property {number} newlines how many all chunks have
 * @property {{first: number, data: string}[]} chunks `first` is the number of the first line
 */
