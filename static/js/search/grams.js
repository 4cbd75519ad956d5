/**
 * Which packs a search must open: bits say, for each pack, which four characters in a row its texts may hold
 * (src/page/wire/grams.rs).
 */

import { inflated } from "../chunks/inflate.js";

/** Buckets of grams, as a power of two. */
const BUCKET_BITS = 14;

const SPREAD = 0x9e3779b1;

/**
 * @typedef {object} Grams
 * @property {() => Promise<void> | null} load null once there is nothing to wait for
 * @property {(pack: number, text: string) => boolean} mayHold whether a pack's texts may hold a text in lower
 *     case; true where nothing is known
 */

/**
 * @param {number} packs how many there are
 * @returns {Grams}
 */
export function makeGrams(packs) {
    /** @type {Uint8Array | null} */
    let bits = null;
    let isRead = false;
    /** By text: the packs that may hold it. @type {Map<string, Uint8Array>} */
    const known = new Map();
    /** @type {(text: string) => Uint8Array} */
    const packsWith = (text) => {
        const found = new Uint8Array(packs).fill(1);
        for (const bucket of bucketsOf(text)) {
            for (let pack = 0; pack < packs; pack++) {
                const bit = bucket * packs + pack;
                found[pack] &= ((bits?.[bit >> 3] ?? 255) >> (bit & 7)) & 1;
            }
        }
        known.set(text, found);
        return found;
    };
    return {
        load() {
            // It comes behind the packs, and small pages have none. What follows it tells that it is whole.
            const element = isRead ? null : document.getElementById("grams");
            if (element === null || (document.readyState === "loading" && element.nextElementSibling === null)) {
                return null;
            }
            isRead = true;
            return inflated(element.textContent).then(
                (bytes) => {
                    bits = bytes;
                },
                () => {},
            );
        },
        mayHold: (pack, text) => bits === null || (known.get(text) ?? packsWith(text))[pack] === 1,
    };
}

/**
 * @param {string} text
 * @returns {number[]}
 */
function bucketsOf(text) {
    const words = text.match(/[!-~]{4,}/gu) ?? [];
    return words.flatMap((word) =>
        Array.from({ length: word.length - 3 }, (_, at) => {
            let gram = 0;
            for (let nth = at; nth < at + 4; nth++) {
                gram = (gram << 8) | word.charCodeAt(nth);
            }
            return Math.imul(gram, SPREAD) >>> (32 - BUCKET_BITS);
        }),
    );
}
