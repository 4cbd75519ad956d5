/**
 * Opens what src/seal/ has sealed. Nothing here knows of the document: the tests run it alone.
 */

import { bytesOf, LETTERS } from "../chunks/base91.js";

/**
 * @typedef {object} Locked the texts of a sealed page's elements
 * @property {string} parameters
 * @property {string} check
 * @property {string} sum
 */

/**
 * @typedef {object} Unsealer
 * @property {(nth: number, isLast: boolean, text: string) => Promise<Uint8Array<ArrayBuffer>>} open
 *     a chunk's content; rejected where it is not what was sealed there
 */

/** Ten times as many rounds as leafpress uses: more would keep the reader of a stranger's page waiting for hours. */
const MOST_ITERATIONS = 6_000_000;

/** A page that asks for more: its message is for the reader. */
export class TooManyRounds extends Error {}

/** Tells of a wrong password from damage: what is thrown for it. */
export class WrongPassword extends Error {}

/**
 * @param {Locked} locked
 * @param {string} password
 * @returns {Promise<Unsealer>} rejected with WrongPassword, with TooManyRounds, or for damage with anything else
 */
export async function makeUnsealer(locked, password) {
    const letters = new TextEncoder();
    const data = letters.encode(locked.parameters);
    const sum = await crypto.subtle.digest("SHA-256", letters.encode(locked.parameters + locked.check));
    if (base64Of(new Uint8Array(sum)) !== locked.sum) {
        throw new Error("the parameters are damaged");
    }
    const { version, kdf, iterations, salt, cipher, nonce } = JSON.parse(locked.parameters);
    if (version !== 1 || kdf !== "PBKDF2-HMAC-SHA-256" || cipher !== "AES-256-GCM" || !(Number.isInteger(iterations) && iterations > 0)) {
        throw new Error("the parameters are of another version");
    }
    if (iterations > MOST_ITERATIONS) {
        const [asked, most] = [iterations, MOST_ITERATIONS].map((rounds) => rounds.toLocaleString("en-US"));
        throw new TooManyRounds(`This page asks for ${asked} rounds of key derivation. At most ${most} are run, ten times as many as leafpress uses. The page may have been changed to slow down your browser.`);
    }
    const material = await crypto.subtle.importKey("raw", letters.encode(password.normalize("NFC")), "PBKDF2", false, ["deriveKey"]);
    const derivation = { name: "PBKDF2", hash: "SHA-256", salt: fromBase64(salt), iterations };
    const key = await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
    const prefix = fromBase64(nonce);
    /** @type {(number: number, mark: number, sealed: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>} */
    const open = (number, mark, sealed) => {
        const iv = new Uint8Array(12);
        iv.set(prefix);
        new DataView(iv.buffer).setUint32(7, number);
        iv[11] = mark;
        return crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: data }, key, sealed);
    };
    try {
        await open(0, 2, fromBase64(locked.check));
    } catch {
        throw new WrongPassword();
    }
    return {
        async open(nth, isLast, text) {
            const plain = await open(nth, isLast ? 1 : 0, sealedBytes(text));
            return new Uint8Array(plain, 4, new DataView(plain).getUint32(0));
        },
    };
}

/**
 * @param {string} text of a sealed chunk
 * @returns {Uint8Array<ArrayBuffer>} throws where it is not the one text that these bytes have
 */
function sealedBytes(text) {
    const bytes = bytesOf(text);
    if (lettersOf(bytes) !== text) {
        throw new Error("a letter is wrong");
    }
    return bytes;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} what `bytesOf` reads
 */
export function lettersOf(bytes) {
    const letters = new Uint8Array(2 * Math.ceil((8 * bytes.length) / 13));
    let [held, bits, end] = [0, 0, 0];
    for (const byte of bytes) {
        held |= byte << bits;
        bits += 8;
        if (bits >= 13) {
            const value = held & 8191;
            letters[end++] = LETTERS[value % 91];
            letters[end++] = LETTERS[Math.floor(value / 91)];
            held >>= 13;
            bits -= 13;
        }
    }
    if (bits > 0) {
        letters[end++] = LETTERS[held % 91];
    }
    if (bits > 6) {
        letters[end++] = LETTERS[Math.floor(held / 91)];
    }
    return new TextDecoder().decode(letters.subarray(0, end));
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
function fromBase64(text) {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * @param {Uint8Array} bytes a few
 * @returns {string}
 */
function base64Of(bytes) {
    return btoa(String.fromCharCode(...bytes));
}
