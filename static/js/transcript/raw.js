/** An entry as it was written. */

import { counted, make, makeButton, withEscapes } from "../base/dom.js";
import { keyOfArticle } from "../chunks/articles.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { makeCopyButton } from "./nearby.js";

/** @import { SessionFile } from "../chunks/session-file.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Notice } from "../ui/notice.js" */

/** So much is shown at a time: more would stop the page while it is laid out. */
const RAW_SHOWN = 100_000;

/**
 * @typedef {object} Raw
 * @property {(article: Element) => void} add gives it its buttons
 * @property {(article: Element) => Promise<void>} open
 */

/**
 * @param {Outline} outline
 * @param {SessionFile} file
 * @param {Notice} notice
 * @param {(n: number, isTurn: boolean) => void} copyMarkdown
 * @returns {Raw}
 */
export function makeRaw(outline, file, notice, copyMarkdown) {
    const [dialog, body] = makeDialog("raw", "Raw JSON");
    /** @type {Element | undefined} */
    let shown;
    // On a phone an entry has one button for all.
    const items = [["Copy link", ".copy-link"], ["Copy text", ".copy-text"]].map(([label, selector]) => {
        /** @type {() => HTMLElement | null | undefined} */
        const found = () => shown?.querySelector(`:scope > .entry-head > ${selector}`);
        return { found, button: makeButton("menu-item", label, () => {
            dialog.close();
            found()?.click();
        }) };
    });
    const [ofEntry, ofTurn] = ["Copy as Markdown", "Copy turn as Markdown"].map((label, nth) =>
        makeButton("menu-item", label, () => {
            dialog.close();
            copyMarkdown(outline.byKey.get(keyOfArticle(shown)) ?? 0, nth === 1);
        }),
    );
    /** @type {(article: Element) => Promise<[string, string][]>} */
    const partsOf = async (article) => {
        const n = outline.byKey.get(keyOfArticle(article)) ?? -1;
        const own = await file.lineOf(n);
        const [key, nth] = article.querySelector(".card")?.getAttribute("data-call")?.split(" ") ?? [];
        const call = outline.byKey.get(key ?? "");
        return call === undefined
            ? [["", indented(own)]]
            : [["Call", callOf(indented(await file.lineOf(call)), Number(nth))], ["Result", indented(own)]];
    };
    return {
        add(article) {
            /** @type {HTMLElement | null} */
            const link = article.querySelector(":scope > .entry-head > .copy-link");
            const key = keyOfArticle(article);
            if (link === null) {
                return;
            }
            if (article.matches("[data-kind=compaction]")) {
                link.before(makeNext(key));
            }
            /** @type {NodeListOf<HTMLAnchorElement>} */
            const lines = article.querySelectorAll("[data-landmark=compaction] > a");
            lines.forEach((line) => line.after(makeNext(line.hash.slice("#entry-".length))));
            if (file.has(outline.byKey.get(key) ?? -1)) {
                const button = makeButton("raw", "");
                // One tab stop: an arrow leads from either to the other.
                button.tabIndex = -1;
                link.onkeydown = button.onkeydown = ({ key, target }) => {
                    if (/^Arrow[LR]/u.test(key)) {
                        (target === link ? button : link).focus();
                    }
                };
                button.title = "Raw JSON and copy";
                button.setAttribute("aria-label", button.title);
                link.after(button);
            }
        },
        async open(article) {
            try {
                const texts = await partsOf(article);
                shown = article;
                const buttons = items.filter(({ found }) => found()).map(({ button }) => button);
                buttons.push(ofEntry, ...(article.matches("[data-turn-role=prompt]") ? [ofTurn] : []));
                body.replaceChildren(...buttons, ...texts.flatMap(([title, text]) => rawSection(title, text)));
                openDialog(dialog);
            } catch {
                notice.mention("The session file in this page cannot be read");
            }
        },
    };
}

/**
 * Leads to the context of the call after a compaction.
 *
 * @param {string} key of the compaction
 * @returns {HTMLElement}
 */
function makeNext(key) {
    const button = makeButton("", "What the model got next");
    button.dataset.call = key;
    return button;
}

/**
 * JSON with a line for each value. Its tokens stay as they were written: numbers of any size, keys given twice.
 *
 * @param {string} json
 * @returns {string} unchanged if it is no JSON
 */
function indented(json) {
    try {
        JSON.parse(json);
    } catch {
        return json;
    }
    const out = [];
    let depth = 0;
    for (let at = 0; at < json.length; at++) {
        const letter = json[at];
        const from = at;
        if (letter === '"') {
            for (at++; json[at] !== '"'; at++) {
                at += json[at] === "\\" ? 1 : 0;
            }
            out.push(json.slice(from, at + 1));
        } else if ("{[".includes(letter)) {
            const isEmpty = "}]".includes(json[at + 1]);
            out.push(letter, isEmpty ? json[++at] : newLine(++depth));
        } else if ("}]".includes(letter)) {
            out.push(newLine(--depth), letter);
        } else {
            out.push(letter === "," ? `,${newLine(depth)}` : letter === ":" ? ": " : letter.trim());
        }
    }
    return out.join("");
}

/**
 * @param {number} depth
 * @returns {string}
 */
function newLine(depth) {
    return `\n${"  ".repeat(Math.min(depth, 40))}`;
}

/**
 * One call of a message, found by the indentation of its lines.
 *
 * @param {string} message
 * @param {number} nth
 * @returns {string} the whole where it cannot be found
 */
function callOf(message, nth) {
    const blocks = message.match(/^ {6}\{\n(?: {8}.*\n)+ {6}\}/gmu) ?? [];
    const calls = blocks.filter((block) => /^ {8}"type": "tool_?(?:call|use)"/imu.test(block));
    return calls[nth]?.replace(/^ {6}/gmu, "") ?? message;
}

/**
 * @param {string} title
 * @param {string} text
 * @returns {HTMLElement[]}
 */
function rawSection(title, text) {
    const pre = make("pre", "raw");
    pre.tabIndex = 0;
    let shown = 0;
    const more = makeButton("menu-item", "", () => {
        pre.append(withEscapes(text.slice(shown, (shown += RAW_SHOWN))));
        more.textContent = `Show more: ${counted(Math.max(0, text.length - shown), "more character")}`;
        more.hidden = shown >= text.length;
    });
    more.click();
    const copy = makeCopyButton();
    copy.dataset.text = text;
    return [...(title === "" ? [] : [make("h3", "", title)]), copy, pre, more];
}
