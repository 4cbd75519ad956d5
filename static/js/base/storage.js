/** What the page remembers from visit to visit. Storage is denied in some sandboxes and for some file: addresses. */

export const LABEL_TIMES = "leafpress:label-times";
export const SIDEBAR_SIZE = "leafpress:sidebar";

/**
 * @param {string} key
 * @returns {string | null}
 */
export function recall(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

/**
 * @param {string} key
 * @param {string | null} value null forgets it
 */
export function remember(key, value) {
    try {
        if (value === null) {
            localStorage.removeItem(key);
        } else {
            localStorage.setItem(key, value);
        }
    } catch {
        // Denied: it lasts as long as the page.
    }
}
