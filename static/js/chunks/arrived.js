/** What lies compressed in elements of the page, which may still be on their way while the document loads. */

import { inflated } from "./inflate.js";

/** How often to look for an element. */
const ARRIVAL_MS = 30;

/**
 * @param {string} id
 * @returns {Promise<Uint8Array<ArrayBuffer>>} rejected where the element is missing or damaged
 */
export async function bytesIn(id) {
    for (;;) {
        // The one behind it, or the end, tells that it is whole.
        const isLoading = document.readyState === "loading";
        const element = document.getElementById(id);
        if (element !== null && (!isLoading || element.nextElementSibling !== null)) {
            return inflated(element.textContent);
        }
        if (!isLoading) {
            throw new RangeError(`the page has no #${id}`);
        }
        await new Promise((done) => setTimeout(done, ARRIVAL_MS));
    }
}

/**
 * @param {string} id
 * @returns {Promise<any>} the same as data
 */
export async function jsonIn(id) {
    return JSON.parse(new TextDecoder().decode(await bytesIn(id)));
}
