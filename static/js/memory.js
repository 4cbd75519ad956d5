/** What the page remembers from visit to visit. Storage is denied in some sandboxes and for some file: addresses. */

const LABEL_TIMES = "leafpress:label-times";
const SIDEBAR_SIZE = "leafpress:sidebar";

/**
 * @param {string} key
 * @returns {string | null}
 */
function recall(key) {
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
function remember(key, value) {
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
