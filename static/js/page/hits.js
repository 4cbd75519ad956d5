/** The hits of a search, in the order in which they are walked, and what is said of them. */

import { byId, counted, make, makeButton } from "../base/dom.js";
import { isWalkingHits } from "../actions/moves.js";
import { sessionNames } from "../outline/sessions.js";
import { isWithoutText } from "../outline/filters.js";
import { queryAdvice } from "../search/advice.js";
import { QUERY_LENGTH } from "../search/bounds.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Hits } from "../search/searcher.js" */
/** @import { State } from "../state/state.js" */

/**
 * The hit to go to, round and round. Going to one may bring its branch to the top of the list, so the order is
 * that of the rows when the hits were found.
 *
 * @param {Int32Array} order
 * @param {number} current the hit walked to, -1 for none
 * @param {1 | -1} step
 * @returns {number} -1 when there is no hit
 */
export function nextHit(order, current, step) {
    const at = order.indexOf(current);
    const first = step > 0 ? 0 : order.length - 1;
    return order[at < 0 ? first : (at + step + order.length) % order.length] ?? -1;
}

/**
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {Int32Array} order
 * @returns {[count: string, note: string]} the count stands in the field
 */
function searchStatus(outline, state, order) {
    const at = order.indexOf(state.hitAt);
    const { hits } = state;
    const count = hits === null ? "" : `${at < 0 ? "" : `${at + 1} of `}${counted(order.length, "hit")}`;
    const note = hits === null ? "" : hiddenHits(outline, hits, order) + hitPlace(outline, state, order, at);
    const cut = state.queryCut ? `, only the first ${QUERY_LENGTH.toLocaleString("en-US")} characters are used` : "";
    return [state.searching ? `searching … ${count}`.trim() : count, note + cut];
}

/**
 * @param {Outline} outline
 * @param {Hits} hits
 * @param {Int32Array} order
 * @returns {string}
 */
function hiddenHits(outline, hits, order) {
    // The current leaf has a row even without text.
    const unlisted = hits.count - order.filter((n) => !isWithoutText(outline, n)).length;
    return unlisted > 0 ? `, ${unlisted} more hidden by the filter` : "";
}

/**
 * In which session the hit walked to lies; before the first, how many lie in sessions that are not shown.
 *
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {Int32Array} order
 * @param {number} at
 * @returns {string}
 */
function hitPlace(outline, { leaf }, order, at) {
    const { session } = outline;
    if (at >= 0) {
        return session[order[at]] === 0 ? "" : `, in ${sessionNames(outline, order[at])}`;
    }
    const others = order.reduce((sum, n) => sum + (session[n] === session[leaf] ? 0 : 1), 0);
    if (others === 0) {
        return "";
    }
    const [one, many] = session[leaf] === 0 ? ["a sub-agent", "sub-agents"] : ["another session", "other sessions"];
    const count = others < order.length ? others : "all";
    return order.length === 1 ? `, in ${one}` : `, ${count} in ${many}`;
}

/**
 * @param {string} line what stands between backticks is code; in a question the last is what was meant
 * @returns {HTMLElement}
 */
function makeAdvice(line) {
    const element = make("div", "");
    line.split("`").forEach((part, at, parts) => {
        if (at % 2 === 0) {
            element.append(part);
            return;
        }
        const shown = parts[at + 1] === "?" ? makeButton("", part) : make("code", "", part);
        shown.dataset.meant = part;
        // An operator's value is part of what was meant.
        shown.dataset.typed = parts[1].endsWith(":") ? parts[1] + part.slice(part.indexOf(":") + 1) : parts[1];
        element.append(shown);
    });
    return element;
}

/**
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {Int32Array} order
 */
export function drawHits(outline, state, order) {
    const [count, note] = searchStatus(outline, state, order);
    const status = byId("search-status");
    if (status.textContent !== count + note) {
        byId("search").classList.toggle("counted", count !== "");
        // Each note begins with a comma, which is only read aloud: the note has a line of its own.
        status.replaceChildren(...(count === "" ? [] : [make("span", "", count)]), make("small", "unsaid", note.slice(0, 2)), note.slice(2));
    }
    const advice = queryAdvice(state.query);
    byId("search-advice").hidden = advice.length === 0;
    // Drawn again, it would be read aloud again at each hit.
    if (byId("search-advice").textContent !== advice.join("").replaceAll("`", "")) {
        byId("search-advice").replaceChildren(...advice.map(makeAdvice));
    }
    for (const id of ["prev-hit", "next-hit"]) {
        byId(id).hidden = order.length === 0;
    }
    const stop = isWalkingHits() ? "hit" : "prompt";
    byId("prev-prompt").setAttribute("aria-label", `Previous ${stop}`);
    byId("next-prompt").setAttribute("aria-label", `Next ${stop}`);
}
