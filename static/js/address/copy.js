/** "Copy link" at every entry: the address of this page with the leaf on show and the entry. */

import { IS_LOCKED } from "./link.js";
import { pageAddress, withParams } from "./write.js";

/** @import { Notice } from "../ui/notice.js" */

/**
 * @param {string} leafKey
 * @param {string} targetKey
 * @param {string | null} compareKey the leaf beside it, where two branches are on show
 * @returns {string}
 */
export function shareAddress(leafKey, targetKey, compareKey) {
    /** @type {[string, string][]} */
    const beside = compareKey === null ? [] : [["compare", compareKey]];
    return `${pageAddress()}${IS_LOCKED ? "#" : "?"}${withParams("", [["leafId", leafKey], ["targetId", targetKey], ...beside])}`;
}

/**
 * @param {string} text
 * @param {string} what it is; a link need not be seen
 * @param {Notice} notice
 */
export async function copyText(text, what, notice) {
    try {
        await navigator.clipboard.writeText(text);
        what === "this link" ? notice.mention("Link copied") : notice.tell(`Copied: ${text}`);
    } catch {
        // Denied, or absent where the page is not served securely.
        notice.offer(`Copy ${what}:`, text);
    }
}
