/** The band's figures as a table, made when it is opened. */

import { listen, make } from "../base/dom.js";
import { timeText, tokensText } from "./band-calls.js";

/** @import { Call } from "./band-calls.js" */

const COLUMNS = ["Call", "Prompt", "Time", "Model", "Sent", "New", "Cache read", "Cache write", "Received", "Window", "Before it"];

/**
 * @param {Call[]} calls
 * @returns {HTMLElement}
 */
export function makeCallTable(calls) {
    const details = make("details", "");
    const table = make("table", "");
    const [head, body] = [make("thead", ""), make("tbody", "")];
    head.append(makeLine("th", COLUMNS));
    table.append(make("caption", "", "Tokens of each call"), head, body);
    // It may be wider than the page.
    const box = make("div", "");
    box.tabIndex = 0;
    box.append(table);
    details.append(make("summary", "", "Calls as a table"), box);
    listen(details, "toggle", () => {
        body.append(...calls.map((call, nth) => makeLine("td", cellsOf(call, nth))));
    }, { once: true });
    return details;
}

/**
 * @param {Call} call
 * @param {number} nth
 * @returns {string[]}
 */
function cellsOf(call, nth) {
    const { prompt, model, sent, input, cacheRead, cacheWrite, output, window, compaction } = call;
    const tokens = [sent, input, cacheRead, cacheWrite, output].map(tokensText);
    return [String(nth + 1), prompt > 0 ? String(prompt) : "", timeText(call), model, ...tokens, window > 0 ? tokensText(window) : "", compaction];
}

/**
 * @param {"td" | "th"} tag
 * @param {string[]} texts
 * @returns {HTMLElement}
 */
function makeLine(tag, texts) {
    const row = make("tr", "");
    row.append(...texts.map((text) => make(tag, "", text)));
    return row;
}
