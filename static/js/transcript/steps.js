/** Runs of steps and their lines in articles. `state/steps.js` decides which are open. */

import { make } from "../base/dom.js";
import { resultOnPath } from "../outline/paths.js";
import { isInCard, isRunOpen, isShut, progressOf } from "../state/steps.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { FoldState } from "../state/steps.js" */

/**
 * Draws whether an entry is seen, and its lines; also in a copy of its article.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n
 * @param {HTMLElement} article
 */
export function drawSteps(outline, state, n, article) {
    if (outline.progress.has(n)) {
        setExpanded(article, ".card > .card-body > .progress > .progress-toggle", progressOf(outline, state, n).every((first) => state.toggled.has(~first)));
    }
    if (outline.run[n] < 0) {
        return;
    }
    const shut = isShut(outline, state, n);
    article.classList.toggle("shut", shut);
    article.classList.toggle("within", !isRunOpen(outline, state, outline.run[n]));
    const body = article.querySelector(":scope > .body");
    if (shut !== (body?.hasAttribute("hidden") ?? shut)) {
        // Hidden, and found all the same by the browser's own search.
        body?.[shut ? "setAttribute" : "removeAttribute"]("hidden", "until-found");
    }
    if (outline.run[n] === n) {
        setExpanded(article, ":scope > div > .steps-toggle", isRunOpen(outline, state, n));
    }
    if (outline.quiet[n] === n) {
        setExpanded(article, ":scope > div > .quiet-toggle", state.toggled.has(~n));
        article.classList.toggle("in-card", shut && isInCard(outline, state, n));
    }
}

/**
 * @param {HTMLElement} article
 * @param {string} selector
 * @param {boolean} open
 */
function setExpanded(article, selector, open) {
    let line = article.querySelector(selector);
    if (line instanceof HTMLSpanElement) {
        // Without a script nothing can be opened, so the line comes as text.
        const button = make("button", line.className);
        button.setAttribute("type", "button");
        button.append(...line.childNodes);
        line.replaceWith(button);
        line = button;
    }
    line?.setAttribute("aria-expanded", String(open));
}

/**
 * A call stands once: as the card of its result, or, where the path shown has none, in the turn that made it.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {HTMLElement} article
 */
export function drawCalls(outline, leaf, article) {
    for (const call of /** @type {Iterable<HTMLElement>} */ (article.querySelectorAll("a.call[data-results]"))) {
        call.hidden = resultOnPath(outline, call.dataset.results ?? "", leaf) >= 0;
    }
}
