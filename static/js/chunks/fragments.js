/**
 * Fragments: the markup of entries as Rust rendered it. The one place where text becomes markup, and none of it
 * is a session's: that was escaped when the page was written.
 */

/** Elements without an end tag that fragments hold. */
const VOID_TAG = /^<(?:img|br|hr|input|wbr)\b/u;

/** What Rust and the templates escape. */
const REFERENCE = /&(?:amp|lt|gt|quot|#3[489]|#6[02]);/gu;

/** @type {Record<string, string>} */
const REFERENCES = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#34;": '"',
    "&#38;": "&",
    "&#39;": "'",
    "&#60;": "<",
    "&#62;": ">",
};

/** @type {{createHTML: (text: string) => string} | undefined} */
const fragmentPolicy = /** @type {any} */ (window).trustedTypes?.createPolicy("leafpress-fragments", {
    createHTML: (/** @type {string} */ text) => text,
});

/**
 * @param {string} fragment
 * @returns {HTMLElement}
 */
export function elementOfFragment(fragment) {
    const template = document.createElement("template");
    template.innerHTML = fragmentPolicy?.createHTML(fragment) ?? fragment;
    return /** @type {HTMLElement} */ (template.content.firstElementChild);
}

/**
 * The text that search sees, as `articleText` reads it from an element; without building one, which takes
 * twenty times as long. Attribute values are quoted and hold no `>`.
 *
 * @param {string} fragment
 * @returns {string}
 */
export function fragmentText(fragment) {
    let text = "";
    // Open elements within the outermost `data-ui` one, itself included.
    let own = 0;
    let at = 0;
    while (at < fragment.length) {
        const tag = fragment.indexOf("<", at);
        if (own === 0) {
            text += tag < 0 ? fragment.slice(at) : fragment.slice(at, tag);
        }
        if (tag < 0) {
            break;
        }
        at = fragment.indexOf(">", tag) + 1;
        if (fragment[tag + 1] === "/") {
            own -= own > 0 ? 1 : 0;
        } else if (own > 0 ? !isVoid(fragment, tag) : isOwnTag(fragment.slice(tag, at))) {
            own++;
        }
    }
    return text.includes("&") ? text.replace(REFERENCE, (reference) => REFERENCES[reference]) : text;
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
    return tag.includes(" data-ui") && tag.replaceAll(/"[^"]*"/gu, "").includes(" data-ui") && !isVoid(tag, 0);
}
