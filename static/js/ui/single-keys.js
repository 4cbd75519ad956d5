/** Whether keys without a modifier do something. */

import { KEYS_STORED, recall, remember } from "../base/storage.js";

/** @type {boolean | undefined} */
let singleKeys;

/**
 * Whether keys without a modifier do something. WCAG 2.1.4 wants them to be switched off on demand.
 *
 * @returns {boolean}
 */
export function singleKeysOn() {
    singleKeys ??= recall(KEYS_STORED) !== "off";
    return singleKeys;
}

/**
 * @param {boolean} on
 */
export function switchSingleKeys(on) {
    singleKeys = on;
    remember(KEYS_STORED, on ? "on" : "off");
}
