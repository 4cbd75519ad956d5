/** What a search of all sessions found: by session, the newest first, three messages of each. */

import { make } from "../base/dom.js";
import { foundSpans, markedText } from "../search/spans.js";
import { pageOf } from "./rows.js";

/** @import { Found, Message } from "./search.js" */

/** So many messages of a session are shown. */
const SHOWN = 3;

/** So many characters stand before the first word that was found, and so many in all. */
const BEFORE = 50;
const LENGTH = 240;

/** Who speaks. */
const ROLES = new Map([
    ["user", "Prompt"],
    ["assistant", "Response"],
    ["tool-result", "Call"],
    ["bash", "Command"],
    ["program", "Command"],
    ["compaction", "Compaction"],
]);

const DATE = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });
const TIME = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * @param {Found} found
 * @param {RegExp[]} marks
 * @param {string} query as typed, for the session's page
 * @returns {HTMLElement}
 */
export function drawFound({ row, messages }, marks, query) {
    const article = make("article", "hit");
    article.dataset.sessionId = row.id;
    const heading = make("h3", "");
    const title = /** @type {HTMLAnchorElement} */ (make("a", ""));
    title.href = pageOf(row);
    const name = make("bdi", "");
    name.append(...markedText(row.title, marks));
    title.append(name);
    const date = row.latest === undefined ? [] : [DATE.format(row.latest)];
    const count = messages.length === 0 ? [] : [`${messages.length} ${messages.length === 1 ? "hit" : "hits"}`];
    heading.append(title, make("span", "mt", [...(row.by.name ? [row.by.name] : []), row.agent, ...(row.project ? [row.project] : []), ...date, ...count].join(" · ")));
    const list = make("ul", "bare");
    for (const message of messages.slice(0, SHOWN)) {
        const item = make("li", "");
        const link = /** @type {HTMLAnchorElement} */ (make("a", ""));
        link.dataset.entryId = message.k;
        link.href = pageOf(row, `&targetId=${encodeURIComponent(message.k)}`);
        const text = make("span", "tx");
        text.dir = "auto";
        text.append(...markedText(excerpt(message, marks), marks));
        link.append(make("span", "rl", ROLES.get(message.i) ?? "Entry"), text, make("time", "", message.t === undefined ? "" : TIME.format(message.t)));
        item.append(link);
        list.append(item);
    }
    if (messages.length > SHOWN) {
        const item = make("li", "");
        const more = /** @type {HTMLAnchorElement} */ (make("a", "mo", `${messages.length - SHOWN} more in this session`));
        more.href = pageOf(row, `&q=${encodeURIComponent(query)}`);
        item.append(more);
        list.append(item);
    }
    article.append(heading, ...(messages.length > 0 ? [list] : []));
    return article;
}

/**
 * @param {Message} message
 * @param {RegExp[]} marks
 * @returns {string} the words around the first of them
 */
function excerpt({ x, l, b }, marks) {
    const texts = [x, l, b].map((text) => (text ?? "").replace(/\s+/gu, " ").trim()).filter((text) => text !== "");
    const text = texts.find((one) => foundSpans(one, marks).length > 0) ?? texts[0] ?? "";
    const first = foundSpans(text, marks)[0]?.[0] ?? 0;
    const start = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
    const part = text.slice(Math.min(start, first), start + LENGTH);
    return `${start > 0 ? "…" : ""}${part.replace(/[\ud800-\udbff]$/u, "")}${start + LENGTH < text.length ? "…" : ""}`;
}
