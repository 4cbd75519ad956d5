/** A long prompt shows its beginning, with a button for the rest. Which prompts are long is known to Rust. */

import { makeButton } from "../base/dom.js";

/** How many lines are not seen. */
const MORE = "data-more";

/**
 * Adds the button below the body of a prompt that is collapsed.
 *
 * @param {Element} body
 */
export function collapsePrompt(body) {
    // A copy brings along one that does nothing.
    body.nextElementSibling?.remove();
    const more = body.getAttribute(MORE);
    if (more === null || body.scrollHeight <= body.clientHeight) {
        body.removeAttribute(MORE);
        return;
    }
    const words = `Show ${more} more lines`;
    const button = makeButton("all-lines", words, () => {
        if (body.hasAttribute(MORE)) {
            expandPrompt(body);
        } else {
            body.setAttribute(MORE, more);
            button.textContent = words;
            body.scrollIntoView({ block: "nearest" });
        }
    });
    button.dataset.ui = "";
    body.after(button);
    // The focus, a link or the browser's own search has moved what it holds.
    body.addEventListener("scroll", () => expandPrompt(body));
}

/**
 * @param {Element} body of any entry
 */
export function expandPrompt(body) {
    if (body.hasAttribute(MORE)) {
        const at = body.scrollTop;
        body.removeAttribute(MORE);
        body.nextElementSibling?.replaceChildren("Show less");
        scrollBy(0, at);
    }
}
