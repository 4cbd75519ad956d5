/** Times in the reader's own zone. Rust wrote them in UTC, for readers without the script. */

/** Beside an entry, where the year would only be noise; the title has the full time. */
const ENTRY_TIME = /** @type {const} */ ({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** In the session's head. */
const FACT_TIME = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });

/**
 * Rewrites the times of entries in the background, those on show first.
 *
 * @param {Intl.DateTimeFormatOptions} form
 * @param {(n: number) => Element | null | undefined} timeOf the <time> of an entry
 * @returns {(entries: number[]) => void}
 */
function makeLocaliser(form, timeOf) {
    const done = new Set();
    const short = new Intl.DateTimeFormat(undefined, form);
    const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
    let stop = () => {};
    return (entries) => {
        stop();
        let next = 0;
        stop = runInSlices({
            step() {
                const n = entries[next++];
                if (n !== undefined && !done.has(n)) {
                    done.add(n);
                    localise(timeOf(n), short, full);
                }
                return next < entries.length;
            },
        });
    };
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
