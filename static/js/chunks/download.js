/** Files as downloads: the session file, and others. */

/** @import { Notice } from "../ui/notice.js" */
/** @import { SessionFile } from "./session-file.js" */

/** Of a name, in letters: with its ending, what every system takes. */
const LONGEST_NAME = 80;

/**
 * @param {SessionFile} file
 * @param {Notice} notice
 */
export async function downloadSource(file, notice) {
    try {
        saveFile(await file.whole(), sourceName());
    } catch {
        notice.mention("The session file in this page cannot be read");
    }
}

/**
 * The session's title, without what names of files cannot have.
 *
 * @returns {string}
 */
function sourceName() {
    const title = document.querySelector("#session h1")?.textContent ?? "";
    const words = title.match(/[\p{L}\p{M}\p{N}_-]+/gu) ?? [];
    const name = Array.from(words.join("-")).slice(0, LONGEST_NAME).join("");
    return `${name || "session"}.jsonl`;
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function saveFile(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser has taken it up by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
