/** A link into a session that has grown since: what came after the current leaf, at the end of the transcript. */

import { leaveFootprint, showPlace } from "../actions/places.js";
import { byId, counted, make, makeButton, setText } from "../base/dom.js";
import { pathTo } from "../outline/paths.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */

/**
 * How many entries follow a leaf on the way to the newest leaf below it.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number}
 */
function newerEntries({ newest, parent }, leaf) {
    let count = 0;
    for (let n = newest[leaf]; n !== leaf; n = parent[n]) {
        count++;
    }
    return count;
}

/**
 * @param {Parts} parts
 * @returns {(state: Readonly<State>) => void}
 */
export function makeContinues(parts) {
    const { outline } = parts;
    const line = make("p", "continues");
    const button = makeButton("", "Show them", () => {
        const { leaf } = parts.store.get();
        const next = pathTo(outline, outline.newest[leaf]).find((n) => n > leaf) ?? -1;
        leaveFootprint(parts);
        showPlace(parts, outline.newest[leaf], next, true);
    });
    const words = make("span", "");
    line.append(words, " ", button);
    byId("transcript").after(line);
    return ({ leaf, view, compare }) => {
        const newer = view === "path" && compare < 0 ? newerEntries(outline, leaf) : 0;
        line.hidden = newer === 0;
        setText(words, `The session continues: ${counted(newer, "newer entry", "newer entries")}.`);
    };
}
