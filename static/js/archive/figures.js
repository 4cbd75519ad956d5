/** Figures and times as the index writes them: in columns, shorter than in a page. */

import { durationText } from "../outline/figures.js";

const COUNT = new Intl.NumberFormat("en-US");
const MONEY = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric" });
const DATE = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" });
const SHORT_DATE = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric" });
const MONTH = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const FULL = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });

/** @type {(count: number) => string} such as `1,002` */
export const countText = (count) => COUNT.format(count);

/**
 * @param {number} count
 * @param {string} noun
 * @returns {string} `1 session`, `1,002 sessions`
 */
export function countedText(count, noun) {
    return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @param {number} count
 * @returns {string} `488`, `63k`, `4.0M`, `170M`
 */
export function tokensText(count) {
    if (count < 1e3) {
        return String(Math.round(count));
    }
    if (count < 999_500) {
        return `${Math.round(count / 1e3)}k`;
    }
    const millions = count / 1e6;
    return millions < 99.95 ? `${millions.toFixed(1)}M` : `${countText(Math.round(millions))}M`;
}

/**
 * @param {number} dollars
 * @returns {string} empty for nothing
 */
export function moneyText(dollars) {
    return dollars >= 0.005 ? `$${MONEY.format(dollars)}` : dollars > 0 ? "<$0.01" : "";
}

/**
 * @param {number} ms
 * @returns {string} in whole seconds; empty for nothing
 */
export function workedText(ms) {
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) {
        return ms > 0 ? `${Math.max(1, seconds)}s` : "";
    }
    // 999h 59m is the longest that its column holds.
    return ms < 3.6e9 ? durationText(ms) : `${countText(Math.round(ms / 3.6e6))}h`;
}

/** @type {(time: number) => string} such as `Tue, Nov 3` */
export const dayText = (time) => written(DAY, time);

/** @type {(time: number) => string} such as `Nov 3, 2026` */
export const dateText = (time) => written(DATE, time);

/** @type {(time: number) => string} such as `Nov 3` */
export const shortDateText = (time) => written(SHORT_DATE, time);

/** @type {(time: number) => string} such as `Nov 2026` */
export const monthText = (time) => written(MONTH, time);

/** @type {(time: number) => string} such as `19:42` */
export const clockText = (time) => written(CLOCK, time);

/** @type {(time: number) => string} with date and zone */
export const fullText = (time) => written(FULL, time);

/**
 * @param {Intl.DateTimeFormat} format
 * @param {number} time
 * @returns {string} empty for what no calendar has
 */
function written(format, time) {
    return Number.isNaN(new Date(time).getTime()) ? "" : format.format(time);
}

/**
 * @param {number} time
 * @returns {string} such as `2026-11-03`, by the reader's clock
 */
export function dayOf(time) {
    const date = new Date(time);
    const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
