/** Which sessions the reader's filters leave, and how many each further choice would. */

import { dayOf } from "./figures.js";

/** @import { Order, Session } from "./sessions.js" */

/** What is asked of a session's values. Those of one may be any of the chosen, all are asked for. */
export const FACETS = ["agent", "project", "model", "month", "label", "ended", "failures"];

/** The month of sessions without a time. */
export const UNKNOWN_MONTH = "unknown";

/** The one value of `failures`. */
export const WITH_FAILURES = "1";

/**
 * @typedef {object} Choice what the reader has chosen
 * @property {string} query
 * @property {Map<string, Set<string>>} values by facet; none is empty
 * @property {string} from a day such as `2026-11-03`; empty for any
 * @property {string} to
 * @property {Order} order
 */

/**
 * @typedef {object} Selection
 * @property {Session[]} sessions
 * @property {Map<string, Map<string, number>>} counts by facet and value: with all other filters as they are
 */

/** Days are slow to write, and a session's does not change. @type {WeakMap<Session, string>} */
const months = new WeakMap();

/**
 * @param {Session} session
 * @returns {string} such as `2026-11`
 */
function monthOf(session) {
    let month = months.get(session);
    if (month === undefined) {
        month = session.latest === undefined ? UNKNOWN_MONTH : dayOf(session.latest).slice(0, -3);
        months.set(session, month);
    }
    return month;
}

/**
 * @param {Session} session
 * @param {string} facet
 * @returns {string[]}
 */
export function valuesOf(session, facet) {
    switch (facet) {
        case "agent":
            return [session.agent];
        case "project":
            return session.project === undefined ? [] : [session.project];
        case "model":
            return session.models ?? [];
        case "month":
            return [monthOf(session)];
        case "label":
            return session.labels ?? [];
        case "ended":
            return session.ended === undefined ? [] : [session.ended];
        default:
            return session.failures === undefined ? [] : [WITH_FAILURES];
    }
}

/**
 * @param {Session[]} sessions
 * @param {Choice} choice
 * @param {(session: Session) => boolean} isAsked whether the query's own operators let it be
 * @returns {Selection}
 */
export function selected(sessions, choice, isAsked) {
    const counts = new Map(FACETS.map((facet) => [facet, new Map()]));
    const from = startOfDay(choice.from) ?? -Infinity;
    const to = startOfDay(choice.to, 1) ?? Infinity;
    const hasRange = from > -Infinity || to < Infinity;
    const left = [];
    for (const session of sessions) {
        const { latest, started = latest } = session;
        const isInRange = !hasRange || (latest !== undefined && started !== undefined && latest >= from && started < to);
        if (!isInRange || !isAsked(session)) {
            continue;
        }
        const values = FACETS.map((facet) => valuesOf(session, facet));
        const against = FACETS.filter((facet, at) => {
            const chosen = choice.values.get(facet);
            return chosen !== undefined && !values[at].some((value) => chosen.has(value));
        });
        if (against.length === 0) {
            left.push(session);
        }
        // One that a single facet leaves out would come back with another value of it.
        for (const [at, facet] of FACETS.entries()) {
            if (against.length === 0 || (against.length === 1 && against[0] === facet)) {
                const of = counts.get(facet);
                for (const value of values[at]) {
                    of?.set(value, (of.get(value) ?? 0) + 1);
                }
            }
        }
    }
    return { sessions: left, counts };
}

/**
 * @param {string} day such as `2026-11-03`
 * @param {number} [later] so many days later
 * @returns {number | null} null where it is none
 */
function startOfDay(day, later = 0) {
    const match = /^(\d{4,6})-(\d\d)-(\d\d)$/u.exec(day);
    return match === null ? null : new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + later).getTime();
}

/**
 * @param {Choice} choice
 * @returns {boolean} whether it leaves sessions out by anything but the query
 */
export function hasFilters(choice) {
    return choice.values.size > 0 || choice.from !== "" || choice.to !== "";
}
