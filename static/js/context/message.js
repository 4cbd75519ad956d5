/** One message of the context view as an element: a head of its own, and a copy of what its article shows. */

import { ANCHOR } from "../address/link.js";
import { listen, make } from "../base/dom.js";
import { rowText } from "../outline/texts.js";
import { observeScrollers } from "../transcript/scrollers.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { ContextItem, ContextMessage } from "./items.js" */

/** @typedef {(n: number) => HTMLElement | undefined} ArticleOf the article to copy from; undefined while its pack is shut */

/**
 * The article without its body, which is copied when the reader comes near.
 *
 * @param {Outline} outline
 * @param {ContextItem} item
 * @returns {HTMLElement}
 */
export function makeMessageShell(outline, item) {
    const element = make("article", item.type === "gap" ? "left-out" : "message");
    element.tabIndex = -1;
    const head = make("header", "entry-head");
    const href = `${ANCHOR}${outline.keys[item.entry]}`;
    if (item.type === "gap") {
        head.append(make("span", "why", item.why), pathLink(href, rowText(outline, item.entry) || "entry without text"));
    } else {
        const kind = outline.kinds[outline.kind[item.entry]];
        element.dataset.kind = item.lead >= 0 && item.role === "system" ? "system" : kind;
        element.dataset.role = item.role;
        head.append(make("span", "nth", String(item.nth)), make("span", "who", roleName(item.role)));
        if (item.why !== "") {
            head.append(make("span", "why", item.why));
        }
        head.append(pathLink(href, "In the conversation"));
    }
    element.append(head);
    return element;
}

/**
 * @param {string} href
 * @param {string} text
 * @returns {HTMLElement}
 */
function pathLink(href, text) {
    const link = make("a", "to-path", text);
    link.setAttribute("href", href);
    return link;
}

/** Roles as the formats name them, in plain words. */
const ROLE_NAMES = new Map([
    ["toolResult", "tool result"],
    ["bashExecution", "user's command"],
    ["pythonExecution", "user's program"],
    ["jsExecution", "user's program"],
    ["compactionSummary", "summary"],
    ["branchSummary", "summary of another branch"],
    ["custom", "notice"],
    ["hookMessage", "notice"],
    ["fileMention", "file mention"],
]);

/**
 * @param {string} role
 * @returns {string}
 */
function roleName(role) {
    const name = ROLE_NAMES.get(role) ?? role;
    return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * @param {HTMLElement} shell
 * @param {ArticleOf} articleOf
 * @param {ContextItem} item
 * @param {(body: Element) => void} prepare
 * @returns {boolean} false while the pack of what it shows is shut
 */
export function fillMessageShell(shell, articleOf, item, prepare) {
    if (item.type === "gap") {
        return true;
    }
    const [from, original] = [articleOf(shownBy(item)), articleOf(item.entry)];
    if (from === undefined || original === undefined) {
        return false;
    }
    const body = make("div", "body");
    body.append(...contentOf(from, item).map((node) => node.cloneNode(true)));
    leaveOutCalls(body, item.stripped);
    prepare(body);
    if (item.lead >= 0 && item.role !== "system") {
        for (const details of body.querySelectorAll("details")) {
            details.open = true;
        }
    }
    shell.append(body);
    observeScrollers(body);
    if (item.edited >= 0) {
        body.append(makeOriginal(original));
    }
    return true;
}

/**
 * The entry whose article shows what the model got.
 *
 * @param {ContextMessage} item
 * @returns {number}
 */
export function shownBy(item) {
    return item.edited >= 0 ? item.edited : item.entry;
}

/**
 * Puts a line in place of each call that the model did not see.
 *
 * @param {HTMLElement} body
 * @param {number[]} stripped
 */
function leaveOutCalls(body, stripped) {
    const calls = body.querySelectorAll(":scope > a.call, :scope > details.card[data-state]");
    for (const nth of stripped) {
        const name = calls[nth]?.querySelector(".tool")?.textContent ?? "a tool";
        calls[nth]?.replaceWith(make("p", "note", `Call of ${name} not included: it has no result here`));
    }
}

/**
 * What the model got: the article's body, the part of the compaction, or the edit's new content.
 *
 * @param {HTMLElement} from
 * @param {ContextMessage} item
 * @returns {Node[]}
 */
function contentOf(from, item) {
    const own = item.lead >= 0 ? `[data-lead="${item.lead}"]` : "[data-note]";
    const found = from.querySelector(item.edited >= 0 ? "[data-replacement]" : own) ?? from.querySelector(".body");
    return Array.from(found?.childNodes ?? []);
}

/**
 * The content before the edit, copied when it is opened.
 *
 * @param {HTMLElement} article
 * @returns {HTMLElement}
 */
function makeOriginal(article) {
    const details = make("details", "original");
    details.append(make("summary", "", "Original content, replaced in the context"));
    listen(details, 
        "toggle",
        () => {
            const copy = make("div", "body");
            const nodes = Array.from(article.querySelector(".body")?.childNodes ?? []);
            copy.append(...nodes.map((node) => node.cloneNode(true)));
            details.append(copy);
        },
        { once: true },
    );
    return details;
}
