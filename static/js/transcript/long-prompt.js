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
    const more = body.getAttribute(MORE);
    if (more === null) {
        return;
    }
    // A copy brings along one that does nothing.
    buttonOf(body)?.remove();
    if (body.scrollHeight <= body.clientHeight && document.documentElement.dataset.detail !== "full") {
        body.removeAttribute(MORE);
        return;
    }
    const button = makeButton("all-lines", "", () => draw(!body.hasAttribute(MORE)));
    /** @type {(isShort: boolean) => void} */
    const draw = (isShort) => {
        if (isShort) {
            body.setAttribute(MORE, more);
            button.scrollIntoView({ block: "nearest" });
        } else {
            // What was found or focused in it has scrolled it: that stays where it is seen.
            const at = body.scrollTop;
            body.removeAttribute(MORE);
            scrollBy(0, at);
        }
        button.textContent = isShort ? `Show ${more} more lines` : "Show less";
        button.setAttribute("aria-expanded", String(!isShort));
    };
    draw(true);
    button.dataset.ui = "";
    body.after(button);
    body.addEventListener("scroll", () => expandPrompt(body));
}

/**
 * @param {Element} body of any entry
 */
export function expandPrompt(body) {
    if (body.hasAttribute(MORE)) {
        buttonOf(body)?.click();
        body.removeAttribute(MORE);
    }
}

/** @type {(body: Element) => HTMLElement | null | undefined} */
const buttonOf = (body) => body.parentElement?.querySelector(":scope > .all-lines");
