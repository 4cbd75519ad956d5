/** Times in the reader's own zone. Rust wrote them in UTC, for readers without the script. */

import { make } from "../base/dom.js";

/** @import { Outline } from "../outline/outline.js" */

/** Beside an entry: the day is said between entries of different days, and the title has the full time. */
export const CLOCK_TIME = /** @type {const} */ ({ hour: "numeric", minute: "2-digit" });

/** Where no divider says the day. */
export const ENTRY_TIME = /** @type {const} */ ({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });

/** In the session's head. */
export const FACT_DAY = /** @type {const} */ ({ dateStyle: "medium" });

/** In its details. */
export const FACT_TIME = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });

/**
 * @param {Intl.DateTimeFormatOptions} form
 * @returns {(element: Element | null | undefined) => void} rewrites a <time>
 */
export function makeLocaliser(form) {
    const short = new Intl.DateTimeFormat(undefined, form);
    const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
    return (element) => localise(element, short, full);
}

/**
 * @typedef {object} Days
 * @property {ReadonlySet<number>} first the entries with which a day begins
 * @property {ReadonlySet<number>} other those of another day than the divider above them says
 */

/**
 * Where the days begin. A divider stands only before an entry that is visible at every level of detail.
 *
 * @param {Outline} outline
 * @param {readonly number[]} entries
 * @returns {Days}
 */
export function findDays({ time, run }, entries) {
    const [first, other] = [new Set(), new Set()];
    /** @type {readonly [number, number] | null} */
    let day = null;
    for (const n of entries) {
        const at = time[n];
        if (at === null || (day !== null && at >= day[0] && at < day[1])) {
            continue;
        }
        if (day === null) {
            day = dayOf(at);
        } else if (run[n] < 0) {
            first.add(n);
            day = dayOf(at);
        } else {
            other.add(n);
        }
    }
    return { first, other };
}

/**
 * @param {number} at
 * @returns {readonly [number, number]} when the reader's day of a time begins and ends
 */
function dayOf(at) {
    const [begin, end] = [new Date(at), new Date(at)];
    begin.setHours(0, 0, 0, 0);
    end.setHours(24, 0, 0, 0);
    return [begin.getTime(), end.getTime()];
}

/**
 * @returns {(article: HTMLElement, n: number, days: Days) => void} draws the time of an entry, and the day that begins with it
 */
export function makeDayDrawer() {
    const [clock, dated] = [makeLocaliser(CLOCK_TIME), makeLocaliser(ENTRY_TIME)];
    const day = new Intl.DateTimeFormat(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });
    /** @type {WeakMap<Element, string>} by the element of the time what was drawn last: dates are slow to write */
    const drawn = new WeakMap();
    return (article, n, { first, other }) => {
        const wanted = `${first.has(n)} ${other.has(n)}`;
        const time = article.querySelector(":scope > .entry-head > time");
        if (time === null || drawn.get(time) === wanted) {
            return;
        }
        drawn.set(time, wanted);
        (other.has(n) ? dated : clock)(time);
        const divider = article.querySelector(":scope > .day");
        if (!first.has(n)) {
            divider?.remove();
        } else if (divider === null && time instanceof HTMLTimeElement) {
            const element = make("div", "day", day.format(new Date(time.dateTime)));
            element.dataset.ui = "";
            article.prepend(element);
        }
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
