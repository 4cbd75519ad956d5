/** "Save this version": the text of a file after an edit, as `src/page/changes/versions.rs` wrote it. */

import { saveFile } from "../chunks/download.js";

/** @import { Packs } from "../chunks/packs.js" */
/** @import { Notice } from "../ui/notice.js" */
/** @import { Shown } from "./data.js" */

/** @typedef {[number, number, string]} Splice bytes passed, bytes replaced, and what replaces them */

/**
 * @typedef {object} VersionData
 * @property {[number, (string | number)[]][]} texts by number: an entry, and strings, each followed by the place and the length of what its pack has
 * @property {(number | Splice[] | null)[][]} files of each its steps: the number of a text, splices, or nothing known
 */

const [encoder, decoder] = [new TextEncoder(), new TextDecoder("utf-8", { ignoreBOM: true })];

/**
 * @param {Packs} packs
 * @param {Notice} notice
 * @returns {(data: VersionData, shown: Shown) => Promise<void>} saves a file as it is shown
 */
export function makeVersions(packs, notice) {
    return async (data, { file, path, plainPath = path, version }) => {
        if (version === 0) {
            notice.mention("The whole text of this file is not known");
            return;
        }
        try {
            const bytes = await textOf(data, packs, file, version);
            saveFile(new Blob([bytes]), plainPath.slice(plainPath.search(/[^/\\]*$/u)) || "file");
        } catch {
            notice.mention("This part of the page is damaged. The file cannot be saved.");
        }
    };
}

/**
 * @param {VersionData} data
 * @param {Packs} packs
 * @param {number} file
 * @param {number} version how many of its steps lead to it
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function textOf({ texts, files }, packs, file, version) {
    const steps = files[file].slice(0, version);
    const from = steps.findLastIndex((step) => typeof step === "number");
    if (from < 0) {
        throw new RangeError(`file ${file} has no text at ${version}`);
    }
    const [n, parts] = texts[Number(steps[from])];
    const piece = parts.length > 1 ? await packs.pieceOf(n) : new Uint8Array();
    let text = "";
    for (let at = 0; at < parts.length; at += 3) {
        const [start, length] = [Number(parts[at + 1] ?? 0), Number(parts[at + 2] ?? 0)];
        text += parts[at] + decoder.decode(piece.subarray(start, start + length));
    }
    let bytes = encoder.encode(text);
    for (const [at, length, more] of steps.slice(from + 1).flatMap((step) => /** @type {Splice[]} */ (step ?? []))) {
        const added = encoder.encode(more);
        const next = new Uint8Array(bytes.length - length + added.length);
        next.set(bytes.subarray(0, at));
        next.set(added, at);
        next.set(bytes.subarray(at + length), at + added.length);
        bytes = next;
    }
    return bytes;
}
