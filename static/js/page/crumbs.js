/** The sessions around the current one, as a breadcrumb trail. */

import { leaveFor } from "../actions/sessions.js";
import { byId, eventTarget, listen, make, makeButton } from "../base/dom.js";
import { sessionsAbove } from "../outline/sessions.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Outline } from "../outline/outline.js" */

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
        listen(bar, "click", (event) => {
            const number = eventTarget(event, "button[data-session]")?.dataset.session;
            if (number !== undefined) {
                leaveFor(parts, Number(number));
            }
        });
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
            bar.replaceChildren(...crumbs(outline, leaf));
        }
    };
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {HTMLElement[]}
 */
function crumbs(outline, leaf) {
    const way = sessionsAbove(outline, leaf);
    return way.flatMap((number, at) => {
        const { name, task } = outline.sessions[number];
        const isLast = at === way.length - 1;
        const crumb = isLast ? make("span", "crumb", name) : makeButton("crumb", name);
        crumb.title = task;
        if (isLast) {
            // The title of what is read: several sessions often share a name, and none its task.
            crumb.append(...(task === "" ? [] : [make("span", "crumb-task", `: ${task}`)]));
            crumb.setAttribute("aria-current", "true");
            return [crumb];
        }
        crumb.dataset.session = String(number);
        return [crumb, make("span", "crumb-mark", " › ")];
    });
}
