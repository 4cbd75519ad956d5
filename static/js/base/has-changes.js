/** Whether the page has the view Changes. Its script says so when it starts, before the data of a large page has arrived. */

/** @returns {boolean} whether the session edited files */
export function hasChanges() {
    return document.documentElement.hasAttribute("data-changes");
}

/** Called by the script of the view. */
export function sayChanges() {
    document.documentElement.setAttribute("data-changes", "");
}
