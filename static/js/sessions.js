/** Sessions within the session: which have a row, the way back out of one, the hits that lie in them. */

/**
 * The sub-session whose row an entry stands for, while another session is on show.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {number} leaf
 * @returns {number} 0 for an entry of the session on show
 */
function sessionOfRow(outline, n, leaf) {
    return outline.session[n] === outline.session[leaf] ? 0 : outline.session[n];
}

/**
 * The sub-sessions that have a row: those that the session on show started, where something was asked for
 * those in which it is, however deep.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {string} filter
 * @param {Int32Array | null} listed see `listedBySession`
 * @returns {number[]}
 */
function startedSessions({ session, sessions }, leaf, filter, listed) {
    /** @type {number[]} */
    const numbers = [];
    sessions.forEach(({ parent }, number) => {
        // What a sub-session was asked is no prompt of the reader's own.
        if (parent === session[leaf] && (listed === null ? filter !== "user-only" : listed[number] > 0)) {
            numbers.push(number);
        }
    });
    return numbers;
}

/**
 * What was searched for, or labelled, in each session and in those within it; only what the filter lists.
 *
 * @param {Outline} outline
 * @param {string} filter
 * @param {Uint8Array | null} matches null without a search
 * @returns {Int32Array | null} null where every sub-session may have a row
 */
function listedBySession(outline, filter, matches) {
    const { sessions, session } = outline;
    if (sessions.length === 0 || (matches === null && filter !== "labeled-only")) {
        return null;
    }
    const counts = new Int32Array(sessions.length);
    for (let n = 0; n < outline.count; n++) {
        counts[session[n]] += (matches === null || matches[n] === 1) && isListedBy(outline, n, filter) ? 1 : 0;
    }
    // Outer sessions have the smaller numbers.
    for (let number = sessions.length - 1; number > 0; number--) {
        counts[sessions[number].parent] += counts[number];
    }
    return counts;
}

/**
 * Whether an entry of a session that is not on show has a row there.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {string} filter
 * @returns {boolean}
 */
function isListedBy(outline, n, filter) {
    const mode = outline.modes[n];
    const listed = (mode & TEXTLESS) === 0 || n === standingLeaf(outline, n);
    return listed && (mode & (FILTER_BITS.get(filter) ?? 1)) !== 0;
}

/**
 * The hits as they are walked: the rows on show, in the place of a sub-session's row the hits in it, then those
 * of all other sessions.
 *
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @returns {Int32Array}
 */
function walkOrder(outline, layout, { leaf, filter, hits }) {
    if (outline.sessions.length === 0 || hits === null) {
        return hits === null ? new Int32Array(0) : layout.order;
    }
    const order = [];
    const taken = new Uint8Array(outline.count);
    /** @type {(from: number, to: number) => void} */
    const take = (from, to) => {
        for (let n = from; n < to; n++) {
            if (taken[n] === 0 && hits.matches[n] === 1 && isListedBy(outline, n, filter)) {
                taken[n] = 1;
                order.push(n);
            }
        }
    };
    const ends = sessionEnds(outline);
    for (const n of layout.order) {
        const number = sessionOfRow(outline, n, leaf);
        if (number !== 0) {
            take(n, ends[number]);
        } else {
            taken[n] = 1;
            order.push(n);
        }
    }
    const shown = outline.session[leaf];
    for (let n = 0; n < outline.count; n++) {
        if (outline.session[n] !== shown) {
            take(n, n + 1);
        }
    }
    return Int32Array.from(order);
}

/**
 * One past the last entry of each session and of those within it, in document order.
 *
 * @param {Outline} outline
 * @returns {Int32Array}
 */
function sessionEnds({ session, sessions, count }) {
    const ends = new Int32Array(sessions.length);
    for (let n = 0; n < count; n++) {
        ends[session[n]] = n + 1;
    }
    for (let number = sessions.length - 1; number > 0; number--) {
        const { parent } = sessions[number];
        ends[parent] = Math.max(ends[parent], ends[number]);
    }
    return ends;
}

/**
 * The sessions from the outermost to the one on show.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number[]}
 */
function sessionsAbove({ session, sessions }, leaf) {
    const numbers = [];
    for (let number = session[leaf]; number >= 0; number = sessions[number].parent) {
        numbers.push(number);
    }
    return numbers.reverse();
}

/**
 * Opens a sub-session where it stands, at its beginning.
 *
 * @param {Parts} parts
 * @param {number} number
 */
function openSession(parts, number) {
    const { outline } = parts;
    const { leaf } = outline.sessions[number];
    parts.notice.clear();
    showPlace(parts, leaf, pathTo(outline, leaf)[0], true);
}

/**
 * Leaves sub-sessions for one around them, at the entry that started the next.
 *
 * @param {Parts} parts
 * @param {number} number
 */
function leaveFor(parts, number) {
    const { outline, store } = parts;
    const way = sessionsAbove(outline, store.get().leaf);
    followEntry(parts, outline.sessions[way[way.indexOf(number) + 1]].startedBy);
}

/**
 * The way back: in the sidebar, in the bar in place of the title, and above the transcript for paper. A page of
 * one session has none.
 *
 * @param {Parts} parts
 * @returns {(leaf: number) => void} draws it
 */
function makeCrumbs(parts) {
    const { outline } = parts;
    if (outline.sessions.length === 0) {
        return () => {};
    }
    const bars = [byId("tree"), byId("tools"), byId("transcript")].map((before) => {
        const bar = make("nav", "crumbs");
        bar.setAttribute("aria-label", "Sessions around this one");
        before.before(bar);
        listen(bar, "click", (event) => {
            const number = eventTarget(event, "button[data-session]")?.dataset.session;
            if (number !== undefined) {
                leaveFor(parts, Number(number));
            }
        });
        return bar;
    });
    let shown = -1;
    return (leaf) => {
        if (outline.session[leaf] === shown) {
            return;
        }
        shown = outline.session[leaf];
        document.documentElement.classList.toggle("in-sub-session", shown !== 0);
        for (const bar of bars) {
            bar.hidden = shown === 0;
            bar.replaceChildren(...crumbs(outline, leaf));
        }
    };
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {HTMLElement[]}
 */
function crumbs(outline, leaf) {
    const way = sessionsAbove(outline, leaf);
    return way.flatMap((number, at) => {
        const { name, task } = outline.sessions[number];
        const isLast = at === way.length - 1;
        const crumb = isLast ? make("span", "crumb", name) : makeButton("crumb", name, () => {});
        crumb.title = task;
        if (isLast) {
            // The title of what is read: several sessions often share a name, and none its task.
            crumb.append(...(task === "" ? [] : [make("span", "crumb-task", `: ${task}`)]));
            crumb.setAttribute("aria-current", "true");
            return [crumb];
        }
        crumb.dataset.session = String(number);
        return [crumb, make("span", "crumb-mark", " › ")];
    });
}

/**
 * What the row of a sub-session says; the facts keep their room.
 *
 * @param {Outline} outline
 * @param {number} number
 * @param {Int32Array | null} hits in each session, null without a search
 * @returns {{name: string, task: string, facts: string}}
 */
function sessionRowText({ sessions }, number, hits) {
    const { name, task, state, missing, count } = sessions[number];
    const counts = hits === null ? counted(count, "entry", "entries") : counted(hits[number], "hit");
    if (missing !== "") {
        return { name, task: `${state}: ${missing}${task === "" ? "" : `, ${task}`}`, facts: hits === null ? "" : counts };
    }
    return { name, task, facts: hits === null ? `${state} · ${counts}` : counts };
}

/**
 * The names of the sessions from the outermost to that of an entry.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {string}
 */
function sessionNames(outline, n) {
    return sessionsAbove(outline, n).map((number) => outline.sessions[number].name).join(" › ");
}
