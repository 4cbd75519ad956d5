/** The text of an article. */

import { nodeAfter } from "../base/dom.js";

/**
 * The text of an article that search sees: all but what the page itself added.
 *
 * @param {Element} article
 * @param {boolean} [isWhole] with the invisible characters, to be copied; without them words are found across them
 * @returns {string}
 */
export function articleText(article, isWhole = false) {
    let text = "";
    /** @type {Node | null} */
    let node = article.firstChild;
    while (node !== null && node !== article) {
        if (node.nodeType === Node.TEXT_NODE) {
            text += node.nodeValue;
        }
        const own = node instanceof Element && node.hasAttribute("data-ui") && !(isWhole && node.matches(".unseen"));
        node = (own ? null : node.firstChild) ?? nodeAfter(node, article);
    }
    return text;
}
