/** Times in the reader's own zone. Rust wrote them in UTC, for readers without the script. */

/** Beside an entry, where the year would only be noise; the title has the full time. */
const ENTRY_TIME = /** @type {const} */ ({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** In the session's head. */
const FACT_TIME = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });

/**
 * @param {Intl.DateTimeFormatOptions} form
 * @returns {(element: Element | null | undefined) => void} rewrites a <time>
 */
function makeLocaliser(form) {
    const short = new Intl.DateTimeFormat(undefined, form);
    const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
    return (element) => localise(element, short, full);
}

/**
 * @param {Element | null | undefined} element
 * @param {Intl.DateTimeFormat} short
 * @param {Intl.DateTimeFormat} full
 */
function localise(element, short, full) {
    if (!(element instanceof HTMLTimeElement)) {
        return;
    }
    const time = new Date(element.dateTime);
    if (!Number.isNaN(time.getTime())) {
        element.textContent = short.format(time);
        element.title = full.format(time);
    }
}
