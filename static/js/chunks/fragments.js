/**
 * Fragments: the markup of entries as Rust rendered it. The one place where text becomes markup, and none of it
 * is a session's: that was escaped when the page was written. The controls come the same way.
 */

import controls from "../../../templates/controls.html";
import { hasChanges } from "../base/has-changes.js";
import { fragmentOf, textOf } from "./pack-text.js";
import { TAG_CLOSE, TAG_OPEN } from "./signs.js";

/** What the tags of elements without an end tag begin with. */
const VOID_TAG = /^\u0005(?:img|br|hr|input|wbr)\b/u;

/** A value of an attribute. */
const VALUE = /\u0004[^\u0004]*\u0004/gu;

/** @type {{createHTML: (text: string) => string} | undefined} */
const fragmentPolicy = /** @type {any} */ (window).trustedTypes?.createPolicy("leafpress-fragments", {
    createHTML: (/** @type {string} */ text) => text,
});

/**
 * @param {string} text a fragment as it lies in its pack
 * @returns {HTMLElement}
 */
export function elementOfFragment(text) {
    return /** @type {HTMLElement} */ (nodesOf(text).firstElementChild);
}

/**
 * @param {string} text a fragment as it lies in its pack
 * @returns {DocumentFragment}
 */
function nodesOf(text) {
    return nodesOfMarkup(fragmentOf(text));
}

/**
 * @param {string} markup
 * @returns {DocumentFragment}
 */
function nodesOfMarkup(markup) {
    const template = document.createElement("template");
    template.innerHTML = fragmentPolicy?.createHTML(markup) ?? markup;
    return template.content;
}

/** Puts the controls where the page's shell keeps their places. */
export function insertControls() {
    document.getElementById("asked")?.remove();
    delete document.documentElement.dataset.asked;
    for (const part of nodesOfMarkup(controls.replaceAll("\n", "")).querySelectorAll("[data-in]")) {
        document.getElementById(part.getAttribute("data-in") ?? "")?.append(...part.childNodes);
    }
    if (!hasChanges()) {
        document.querySelector("button[data-view=changes]")?.remove();
        document.getElementById("order")?.remove();
    }
}

/**
 * The text that search sees, as `articleText` reads it from an element; without building one, which takes
 * twenty times as long.
 *
 * @param {string} fragment as it lies in its pack
 * @returns {string}
 */
export function fragmentText(fragment) {
    let text = "";
    // Open elements within the outermost `data-ui` one, itself included.
    let own = 0;
    let at = 0;
    while (at < fragment.length) {
        const tag = fragment.indexOf(TAG_OPEN, at);
        if (own === 0) {
            text += tag < 0 ? fragment.slice(at) : fragment.slice(at, tag);
        }
        if (tag < 0) {
            break;
        }
        at = fragment.indexOf(TAG_CLOSE, tag) + 1;
        if (fragment[tag + 1] === "/") {
            own -= own > 0 ? 1 : 0;
        } else if (own > 0 ? !isVoid(fragment, tag) : isOwnTag(fragment.slice(tag, at))) {
            own++;
        }
    }
    return textOf(text);
}

/**
 * @param {string} fragment
 * @param {number} tag
 * @returns {boolean}
 */
function isVoid(fragment, tag) {
    return VOID_TAG.test(fragment.slice(tag, tag + 6));
}

/**
 * Whether what a tag begins is said by the page itself.
 *
 * @param {string} tag
 * @returns {boolean}
 */
function isOwnTag(tag) {
    return tag.includes(" data-ui") && tag.replaceAll(VALUE, "").includes(" data-ui") && !isVoid(tag, 0);
}
