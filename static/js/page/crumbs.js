/** The sessions around the current one, as a breadcrumb trail. */

import { leaveFor } from "../actions/sessions.js";
import { byId, make, makeButton } from "../base/dom.js";
import { sessionRowText, sessionsAbove } from "../outline/sessions.js";

/** @import { Parts } from "../actions/parts.js" */

/**
 * The way back: in the sidebar, in the bar in place of the title, and above the transcript for paper. A page of
 * one session has none.
 *
 * @param {Parts} parts
 * @returns {(leaf: number) => void} draws it
 */
export function makeCrumbs(parts) {
    const { outline } = parts;
    if (outline.sessions.length === 0) {
        return () => {};
    }
    const bars = [byId("tree"), byId("tools"), byId("transcript")].map((before) => {
        const bar = make("nav", "crumbs");
        bar.setAttribute("aria-label", "Sessions around this one");
        before.before(bar);
        return bar;
    });
    let shown = -1;
    return (leaf) => {
        if (outline.session[leaf] === shown) {
            return;
        }
        shown = outline.session[leaf];
        document.documentElement.classList.toggle("in-sub-session", shown !== 0);
        for (const bar of bars) {
            bar.hidden = shown === 0;
            bar.dataset.facts = sessionRowText(outline, shown, null).facts;
            bar.replaceChildren(...crumbs(parts, leaf));
        }
    };
}

/**
 * @param {Parts} parts
 * @param {number} leaf
 * @returns {HTMLElement[]}
 */
function crumbs(parts, leaf) {
    const { outline } = parts;
    const [own, ...around] = sessionsAbove(outline, leaf).reverse();
    const { name, task } = outline.sessions[own];
    const last = make("span", "crumb", name);
    // The title of what is read: several sessions often share a name, and none its task.
    last.append(...(task === "" ? [] : [make("span", "crumb-task", `: ${task}`)]));
    last.setAttribute("aria-current", "true");
    const ways = around.reverse().map((number) => [
        makeButton("crumb", outline.sessions[number].name, () => leaveFor(parts, number)),
        make("span", "crumb-mark", " › "),
    ]);
    return [...ways.flat(), last];
}
