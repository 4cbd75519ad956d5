/** The head of the context view: which call got it, and the steps to those after each compaction. */

import { lastAtMost } from "../base/ascending.js";
import { make, makeButton, setText } from "../base/dom.js";
import { callsTo, pathTo } from "../outline/paths.js";
import { COMPACTION, PROMPT } from "../outline/shared.js";

/** @import { Outline } from "../outline/outline.js" */

/**
 * @typedef {object} BandShown what the band is given
 * @property {Outline} outline
 * @property {number[]} path
 * @property {number} call -1 for the end of the branch
 *
 * @typedef {object} ContextHead
 * @property {HTMLElement} element
 * @property {(leaf: number, call: number, summary: string) => void} draw
 */

/**
 * @param {Outline} outline
 * @returns {ContextHead}
 */
export function makeContextHead(outline) {
    const [element, title, figures, steps] = [make("header", "context-head"), make("h2", ""), make("p", ""), make("nav", "entry-head")];
    const [before, after, end] = ["Previous compaction", "Next compaction", "End"].map((text) => makeButton("", text));
    steps.append(before, after, end);
    element.append(title, figures, steps);
    /** @type {(button: HTMLElement, n: number | undefined) => void} */
    const lead = (button, n) => {
        button.hidden = n === undefined;
        button.dataset.call = outline.keys[n ?? -1] ?? "";
    };
    return {
        element,
        draw(leaf, call, summary) {
            const path = pathTo(outline, leaf);
            const calls = callsTo(outline, leaf);
            const marked = (/** @type {number} */ mark) => path.filter((n) => (outline.marks[n] & mark) !== 0);
            const [compactions, prompts] = [COMPACTION, PROMPT].map(marked);
            const at = call < 0 ? leaf + 1 : call;
            lead(before, compactions.findLast((n) => calls[lastAtMost(calls, n) + 1] < at));
            lead(after, compactions.find((n) => n > at));
            lead(end, call < 0 ? undefined : -1);
            const prompt = lastAtMost(prompts, call);
            setText(title, prompt < 0 ? "Context sent to the model" : `Sent to the model at prompt ${prompt + 1}`);
            setText(figures, summary);
            dispatchEvent(new CustomEvent("calls", { detail: { outline, path, call } }));
        },
    };
}
