/** What the page remembers from visit to visit. Storage is denied in some sandboxes and for some file: addresses. */

export const DETAIL_STORED = "leafpress:detail";
export const KEYS_STORED = "leafpress:keys";
export const LABEL_TIMES = "leafpress:label-times";
export const SIDEBAR_SIZE = "leafpress:sidebar";
export const THEME_STORED = "leafpress:theme";

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
 * @returns {string[]} empty where nothing is stored, or where another program wrote something else there
 */
export function recallList(key) {
    try {
        const list = JSON.parse(recall(key) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
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
