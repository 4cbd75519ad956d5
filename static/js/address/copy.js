/** "Copy link" at every entry: the address of this page with the leaf shown and the entry. */

import { IS_LOCKED } from "./link.js";
import { pageAddress, withParams } from "./write.js";

/** @import { Notice } from "../ui/notice.js" */

/**
 * @param {string} leafKey
 * @param {string} targetKey
 * @param {string | null} compareKey the leaf beside it, where two branches are shown
 * @returns {string}
 */
export function shareAddress(leafKey, targetKey, compareKey) {
    /** @type {[string, string][]} */
    const beside = compareKey === null ? [] : [["compare", compareKey]];
    return `${pageAddress()}${IS_LOCKED ? "#" : "?"}${withParams("", [["leafId", leafKey], ["targetId", targetKey], ...beside])}`;
}

/**
 * @param {string} text
 * @param {string} done what is said then
 * @param {Notice} notice
 */
export async function copyText(text, done, notice) {
    try {
        await navigator.clipboard.writeText(text);
        notice.mention(done);
    } catch {
        // Denied, or absent where the page is not served securely.
        notice.offer("Copy this:", text);
    }
}
