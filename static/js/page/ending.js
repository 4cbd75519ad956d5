/** How the current branch ended: in the head, and at the end of the conversation. */

import { setText } from "../base/dom.js";
import { titleOf } from "../outline/texts.js";

/** @import { Outline } from "../outline/outline.js" */

/**
 * @param {Outline} outline
 * @returns {(leaf: number) => void} draws it; where the branch is none of the list's, it is not known and not shown
 */
export function makeEnding(outline) {
    const [block, end] = ["#head [data-ended]", "#end"].map((selector) =>
        /** @type {HTMLElement | null} */ (document.querySelector(selector)));
    if (block === null || end === null) {
        return () => {};
    }
    const link = /** @type {HTMLAnchorElement} */ (block.querySelector("a"));
    /** @type {NodeListOf<HTMLElement>[]} */
    const [words, befores] = [".ending", ".prior"].map((selector) => document.querySelectorAll(selector));
    const text = /** @type {Element} */ (block.querySelector("p"));
    /** What Rust wrote: of the branch that the page opens at, in more words. */
    const written = [block.dataset.ended ?? "", words[0].textContent, befores[0].textContent, link.getAttribute("href") ?? "", text.textContent];
    const ofLeaf = (/** @type {number} */ leaf) => {
        if (leaf === outline.leaf) {
            return written;
        }
        const branch = outline.branches[outline.session[leaf]]?.find(([other]) => other === leaf);
        if (branch === undefined || branch[6] < 0) {
            return null;
        }
        return [...outline.endings[branch[6]], `#entry-${outline.keys[branch[5]]}`, titleOf(outline, branch[2])];
    };
    return (leaf) => {
        const ended = ofLeaf(leaf);
        block.hidden = end.hidden = ended === null;
        if (ended !== null) {
            const [name, state, before, href, said] = ended;
            block.dataset.ended = end.dataset.ended = name;
            words.forEach((element) => setText(element, state));
            befores.forEach((element) => setText(element, before));
            link.href = href;
            setText(text, said);
        }
    };
}
