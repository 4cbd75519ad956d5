/** The lines of a hunk: the numbers beside them, and their text as a patch has it. */

import { make } from "../base/dom.js";

/** @typedef {"same" | "del" | "ins"} LineKind */

/** Stands for the end of a line without a newline. */
const NO_NEWLINE = "\0";

/**
 * The lines in order. A line that stays may be several nodes.
 *
 * @param {Element} code
 * @param {(kind: LineKind, text: string) => void} each
 */
function eachLine(code, each) {
    let open = "";
    for (const node of code.childNodes) {
        const text = open + (node.textContent ?? "");
        const lines = text.split("\n");
        open = lines.pop() ?? "";
        const kind = node.nodeName === "DEL" ? "del" : node.nodeName === "INS" ? "ins" : "same";
        lines.forEach((line) => each(kind, line));
    }
}

/**
 * Two columns of numbers. On a narrow screen only the second is shown, which has the number before of a line that was
 * removed.
 *
 * @param {Element} code
 * @param {number} old of its first line before, 0 where it is not known
 * @param {number} now of its first line after, 0 where it is not known
 * @returns {HTMLElement[]}
 */
export function makeNumbers(code, old, now) {
    const [before, after] = [make("pre", "gutter before"), make("pre", "gutter")];
    /** @type {string[]} */
    const olds = [];
    let [at, to] = [old, now];
    /** @type {(number: number) => string} */
    const shown = (number) => (number > 0 ? String(number) : "");
    eachLine(code, (kind) => {
        olds.push(kind === "ins" ? "" : shown(at));
        if (kind === "del") {
            after.append(make("s", "", shown(at)), "\n");
        } else {
            after.append(`${shown(now > 0 ? to : at)}\n`);
        }
        at += kind === "ins" || at === 0 ? 0 : 1;
        to += kind === "del" || to === 0 ? 0 : 1;
    });
    before.textContent = `${olds.join("\n")}\n`;
    for (const gutter of [before, after]) {
        gutter.setAttribute("aria-hidden", "true");
    }
    return now > 0 && old > 0 ? [before, after] : [after];
}

/**
 * The lines of a hunk's part as a patch has them.
 *
 * @param {Element} code
 * @returns {{text: string, old: number, now: number}} with the numbers of lines of both sides
 */
export function patchLines(code) {
    const copy = /** @type {Element} */ (code.cloneNode(true));
    copy.querySelectorAll(".cr").forEach((end) => end.replaceWith("\r"));
    copy.querySelectorAll(".no-newline").forEach((end) => end.replaceWith(NO_NEWLINE));
    let [text, old, now] = ["", 0, 0];
    eachLine(copy, (kind, line) => {
        const isEnd = line.endsWith(NO_NEWLINE);
        text += `${{ same: " ", del: "-", ins: "+" }[kind]}${isEnd ? `${line.slice(0, -1)}\n\\ No newline at end of file` : line}\n`;
        old += kind === "ins" ? 0 : 1;
        now += kind === "del" ? 0 : 1;
    });
    return { text, old, now };
}
