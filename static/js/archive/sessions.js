/** The sessions of an archive: what the index knows of each, and in which order they are listed. */

/**
 * @typedef {object} Figures what is 0 is absent
 * @property {number} [prompts]
 * @property {number} [files]
 * @property {number} [failures]
 * @property {number} [tokens]
 * @property {number} [cost]
 * @property {number} [worked]
 */

/**
 * @typedef {object} SessionRow
 * @property {number} n by which word lists name it
 * @property {string} id
 * @property {string} page
 * @property {string} title
 * @property {string} agent
 * @property {string} text the name of its texts
 * @property {string} [project]
 * @property {number} [started]
 * @property {number} [latest]
 * @property {number} [branches]
 * @property {number} [subs]
 * @property {string} [ended]
 * @property {string[]} [models]
 * @property {string[]} [labels]
 * @property {number} [parent] the number of the session that it continues
 * @property {Figures} [own] what of its figures is no copy of another session's
 * @property {boolean} [gone] the agent has deleted it
 */

/** @typedef {SessionRow & Figures} Session */

/** @typedef {"newest" | "longest" | "costliest"} Order */

/**
 * @typedef {object} Place
 * @property {Session} session
 * @property {boolean} isChild whether it stands below one that it continues
 * @property {number | undefined} time by which it is listed
 */

/**
 * What of a session's figure counts in totals, so that no response counts twice.
 *
 * @param {Session} session
 * @param {keyof Figures} name
 * @returns {number}
 */
export function ownFigure(session, name) {
    return (session.own ?? session)[name] ?? 0;
}

/**
 * @param {Session[]} sessions
 * @param {Order} order
 * @param {Map<number, Session>} byNumber all there are
 * @returns {Place[]}
 */
export function arranged(sessions, order, byNumber) {
    if (order !== "newest") {
        const figure = order === "longest" ? "worked" : "cost";
        const sorted = [...sessions].sort((a, b) => (b[figure] ?? 0) - (a[figure] ?? 0) || latest(b) - latest(a));
        return sorted.map((session) => ({ session, isChild: false, time: session.latest }));
    }
    const listed = new Set(sessions);
    /** @type {Map<Session, Session[]>} */
    const families = new Map();
    for (const session of sessions) {
        const root = rootOf(session, listed, byNumber);
        const family = families.get(root);
        if (family === undefined) {
            families.set(root, [session]);
        } else {
            family.push(session);
        }
    }
    // A family stands where its newest session does: else a session of today could be far below.
    const dated = Array.from(families, ([root, family]) => ({ root, family, time: Math.max(...family.map(latest)) }));
    dated.sort((a, b) => b.time - a.time);
    return dated.flatMap(({ root, family, time }) => {
        const children = family.filter((session) => session !== root).sort((a, b) => latest(a) - latest(b));
        return [root, ...children].map((session) => ({ session, isChild: session !== root, time: time < 0 ? undefined : time }));
    });
}

/**
 * @param {Session} session
 * @returns {number} -1 where it is not known
 */
function latest(session) {
    return session.latest ?? -1;
}

/**
 * @param {Session} session
 * @param {Set<Session>} listed
 * @param {Map<number, Session>} byNumber
 * @returns {Session} the farthest of its ancestors with only listed ones between
 */
function rootOf(session, listed, byNumber) {
    let root = session;
    const seen = new Set([root]);
    for (;;) {
        const parent = root.parent === undefined ? undefined : byNumber.get(root.parent);
        if (parent === undefined || !listed.has(parent)) {
            return root;
        }
        if (seen.has(parent)) {
            // Damaged: each of a circle would be the root of another.
            return session;
        }
        seen.add(parent);
        root = parent;
    }
}
