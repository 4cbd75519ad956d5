/** Whether keys without a modifier do something. */

const KEYS_STORED = "leafpress:keys";

/** @type {boolean | undefined} */
let singleKeys;

/**
 * Whether keys without a modifier do something. WCAG 2.1.4 wants them to be switched off on demand.
 *
 * @returns {boolean}
 */
export function singleKeysOn() {
    if (singleKeys === undefined) {
        try {
            singleKeys = localStorage.getItem(KEYS_STORED) !== "off";
        } catch {
            singleKeys = true;
        }
    }
    return singleKeys;
}

/**
 * @param {boolean} on
 */
export function switchSingleKeys(on) {
    singleKeys = on;
    try {
        localStorage.setItem(KEYS_STORED, on ? "on" : "off");
    } catch {
        // Denied: it lasts as long as the page.
    }
}
