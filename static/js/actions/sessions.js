/** Opening a sub-agent session, and leaving it. */

import { pathTo } from "../outline/paths.js";
import { sessionsAbove } from "../outline/sessions.js";
import { followEntry, showPlace } from "./places.js";

/** @import { Parts } from "./parts.js" */

/**
 * Opens a sub-session where it stands, at its beginning.
 *
 * @param {Parts} parts
 * @param {number} number
 */
export function openSession(parts, number) {
    const { outline } = parts;
    const { leaf } = outline.sessions[number];
    parts.notice.clear();
    const path = pathTo(outline, leaf);
    showPlace(parts, leaf, path.find((n) => !outline.asides.has(outline.run[n])) ?? path[0], true);
}

/**
 * Leaves sub-sessions for one around them, at the entry that started the next.
 *
 * @param {Parts} parts
 * @param {number} number
 */
export function leaveFor(parts, number) {
    const { outline, store } = parts;
    const way = sessionsAbove(outline, store.get().leaf);
    followEntry(parts, outline.sessions[way[way.indexOf(number) + 1]].startedBy);
}
