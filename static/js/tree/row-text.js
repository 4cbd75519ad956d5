/** What the row of an entry says. */

import { make } from "../base/dom.js";
import { COMMIT, FAILED, LANDMARK, PULL_REQUEST, PUSH } from "../outline/shared.js";
import { rowText } from "../outline/texts.js";
import { foundSpans } from "../search/spans.js";

/** @import { Outline } from "../outline/outline.js" */

/** What stands before a row by the kind of its entry; what the text says in words is then not drawn. */
const GLYPHS = new Map([
    ["user", "›"],
    ["assistant", "●"],
    ["bash", "$"],
    ["command", "$"],
    ["program", "▷"],
    ["read", "▤"],
    ["edit", "✎"],
    ["search", "⌕"],
    ["web", "↗"],
    ["todo", "☑"],
    ["task", "⊞"],
    ["ask", "?"],
    ["plan", "☰"],
    ["other", "⚙"],
]);

/** What a call did to the world says more than which tool it was. */
const LANDMARK_GLYPHS = /** @type {const} */ ([
    [PULL_REQUEST, "⇄"],
    [PUSH, "↑"],
    [COMMIT, "◆"],
    [FAILED, "✗"],
    [LANDMARK, "✓"],
]);

/** The kinds of entries, tools aside, that have a glyph. */
const SPEAKERS = ["user", "assistant", "bash", "program"];

/**
 * The kind of an entry as its row draws it.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string} the kind of tool for a result; empty for an event
 */
function rowKind({ kinds, kind, tools, toolKinds }, n) {
    const name = kinds[kind[n]] ?? "";
    if (name === "tool-result") {
        return toolKinds.get(tools.get(n)?.[0] ?? "") ?? "other";
    }
    return SPEAKERS.includes(name) ? name : "";
}

/**
 * A row's text. Who speaks (`user: `), the name of a tool whose glyph says as much, and the brackets of pi's
 * rows (`[edit: path]`) are there to be copied and read aloud, and not drawn.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {RegExp[]} marks
 * @returns {HTMLElement}
 */
export function makeText(outline, n, marks) {
    const text = rowText(outline, n);
    const element = make("span", "text");
    const kind = rowKind(outline, n);
    element.dataset.tone = toneOf(kind);
    const bits = outline.marks[n];
    const glyph = (bits & LANDMARK) === 0 || element.dataset.tone !== "tool" ? GLYPHS.get(kind) : LANDMARK_GLYPHS.find(([mark]) => (bits & mark) !== 0)?.[1];
    if (glyph !== undefined) {
        element.dataset.glyph = glyph;
    }
    const [before, name, between, rest, after] = rowParts(text, outline.tools.get(n)?.[0], element.dataset.tone);
    const isUnsaid = kind === "command" || name === "";
    element.append(
        ...unsaid(before),
        ...(isUnsaid ? unsaid(name) : [make("span", "tool-name", name)]),
        ...unsaid(between),
        ...markedText(rest, marks),
        ...unsaid(after),
    );
    return element;
}

/**
 * @param {string} kind
 * @returns {"user" | "assistant" | "tool" | "event"}
 */
function toneOf(kind) {
    if (kind === "user" || kind === "assistant") {
        return kind;
    }
    return GLYPHS.has(kind) ? "tool" : "event";
}

/**
 * @param {string} text
 * @param {string | undefined} tool the tool of a result
 * @param {string | undefined} tone
 * @returns {string[]} what stands before the name, the name, what stands between, the text, what stands behind
 */
function rowParts(text, tool, tone) {
    const speaker = tone === "tool" ? null : /^(?:user|assistant): /u.exec(text);
    if (speaker !== null) {
        return [speaker[0], "", "", text.slice(speaker[0].length), ""];
    }
    if (tone === "tool" && tool !== undefined) {
        if (text.startsWith(`[${tool}: `)) {
            const end = text.endsWith("]") ? text.length - 1 : text.length;
            return ["[", tool, ": ", text.slice(tool.length + 3, end), text.slice(end)];
        }
        if (text.startsWith(`${tool} `)) {
            return ["", tool, " ", text.slice(tool.length + 1), ""];
        }
    }
    const command = tone === "tool" ? /^\[bash\]: /u.exec(text) : null;
    return command === null ? ["", "", "", text, ""] : [command[0], "", "", text.slice(command[0].length), ""];
}

/**
 * @param {string} text
 * @returns {HTMLElement[]}
 */
function unsaid(text) {
    return text === "" ? [] : [make("span", "unsaid", text)];
}

/**
 * @param {string} text
 * @param {RegExp[]} marks
 * @returns {(HTMLElement | string)[]}
 */
export function markedText(text, marks) {
    const parts = [];
    let done = 0;
    for (const [from, to] of foundSpans(text, marks)) {
        parts.push(text.slice(done, from), make("mark", "", text.slice(from, to)));
        done = to;
    }
    parts.push(text.slice(done));
    return parts;
}

/**
 * The whole text of a row, where its drawn one is shortened.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
export function titleText(outline, n) {
    const drawn = rowText(outline, n);
    // Where characters are marked, the text as written would hide them.
    return drawn.includes("‹U+") ? drawn : outline.text[n];
}
