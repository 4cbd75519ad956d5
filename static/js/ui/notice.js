/** The one place where the page speaks to the reader. */

import { make, makeButton } from "../base/dom.js";
import { openedDialog } from "./dialog.js";

const NOTICE_MS = 2500;

/**
 * @typedef {object} Notice
 * @property {(text: string) => void} tell stays until it is dismissed or replaced
 * @property {(text: string) => void} mention goes away by itself
 * @property {(text: string, address: string) => void} offer a text to copy by hand
 * @property {() => void} clear
 */

/**
 * @param {HTMLElement} box
 * @returns {Notice}
 */
export function makeNotice(box) {
    /** @type {number | undefined} */
    let timer;
    const clear = () => {
        clearTimeout(timer);
        box.hidden = true;
        box.replaceChildren();
    };
    /** @type {(...parts: HTMLElement[]) => void} */
    const show = (...parts) => {
        clear();
        // Beside an open dialog nothing can be seen, pressed or heard.
        const place = openedDialog() ?? document.body;
        if (box.parentElement !== place) {
            place.append(box);
        }
        box.hidden = false;
        box.append(...parts);
    };
    const dismiss = () => makeButton("notice-close", "Dismiss", clear);
    return {
        tell: (text) => show(make("span", "", text), dismiss()),
        mention(text) {
            show(make("span", "", text));
            timer = setTimeout(clear, NOTICE_MS);
        },
        offer(text, address) {
            const field = addressField(address);
            show(make("span", "", text), field, dismiss());
            field.focus();
            field.select();
        },
        clear,
    };
}

/**
 * @param {string} address
 * @returns {HTMLInputElement}
 */
function addressField(address) {
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = address;
    field.setAttribute("aria-label", "To copy");
    return field;
}
