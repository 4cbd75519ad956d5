/** The tree, the transcript and all that stands around them, drawn from the state: only what a change touches. */

import { byId, counted, inputById, makeButton, setText } from "../base/dom.js";
import { drawChoices, drawDetail, drawLevel } from "../commands/choices.js";
import { countRows, visibleEntries } from "../outline/filters.js";
import { listedBySession, startedSessions } from "../outline/sessions.js";
import { parseQuery } from "../search/query.js";
import { layOut, nearestRow } from "../tree/layout.js";
import { treeLevel } from "../tree/quiet.js";
import { heldRow, treeRendering, treePlace } from "../tree/place.js";
import { walkOrder } from "../tree/walk-order.js";
import { makeEnding } from "./ending.js";
import { drawFilters } from "./filters.js";
import { drawHits } from "./hits.js";
import { drawView } from "./views.js";

/** @import { Compare } from "../compare/view.js" */
/** @import { ChangesView } from "../changes/view.js" */
/** @import { ContextView } from "../context/view.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Query } from "../search/query.js" */
/** @import { Searcher } from "../search/searcher.js" */
/** @import { State } from "../state/state.js" */
/** @import { Transcript } from "../transcript/transcript.js" */
/** @import { Layout } from "../tree/layout.js" */
/** @import { TreeView } from "../tree/view.js" */

/**
 * @typedef {object} Renderer what is on the screen
 * @property {TreeView} treeView
 * @property {(n: number, follows: boolean) => void} locate marks the row of the entry being read, -1 for none, and
 *     keeps it in view if the tree follows the reader
 * @property {(state: Readonly<State>, before: Readonly<State> | null) => void} draw
 * @property {() => Layout} layout the rows shown
 * @property {() => Int32Array} hitOrder the hits, in the order in which they are walked
 * @property {() => RegExp[]} marks what is marked in the text; the same array as long as the query is
 */

/**
 * @param {Outline} outline
 * @param {TreeView} treeView
 * @param {Transcript} transcript
 * @param {ContextView} contextView
 * @param {ChangesView | null} changesView
 * @param {Compare | null} compare
 * @param {Searcher["around"]} around
 * @returns {Renderer}
 */
export function makeRenderer(outline, treeView, transcript, contextView, changesView, compare, around) {
    /** @type {Layout} */
    let layout;
    /** @type {Uint8Array} */
    let visible;
    /** @type {Int32Array} */
    let hitOrder = new Int32Array(0);
    /** @type {Query | null} */
    let query = null;
    /** @type {Int32Array | null} */
    let listed = null;
    const ending = makeEnding(outline);
    /** @type {RegExp[]} */
    let marks = [];
    let level = "";
    /** The entry being read, -1 for none. */
    let read = -1;

    // Without a state before, `leafChanged` holds: what asks it first need not ask for `before`.
    /** @type {(state: Readonly<State>, before: Readonly<State> | null) => void} */
    const draw = (state, before) => {
        const leafChanged = state.leaf !== before?.leaf;
        const rowsFiltered = state.filter !== before?.filter || state.hits !== before.hits;
        if (state.query !== before?.query) {
            query = parseQuery(state.query);
            marks = query?.marks ?? [];
        }
        if (rowsFiltered) {
            listed = listedBySession(outline, state.filter, state.hits?.matches ?? null);
        }
        const sessionHits = state.hits === null ? null : listed;
        if (leafChanged) {
            // These figures are of the path that the page opens with.
            byId("session").classList.toggle("other-path", state.leaf !== outline.leaf);
            ending(state.leaf);
        }
        if (leafChanged || rowsFiltered) {
            visible = visibleEntries(outline, state.leaf, state.filter, state.hits?.matches ?? null);
            drawFilters(byId("filters"), state.filter, countRows(outline, state.leaf, state.hits?.matches ?? null));
        }
        const levelChanged = level !== (level = treeLevel(state)) || (level === "story" && state.toggled !== before?.toggled);
        const treeChanged = leafChanged || rowsFiltered || levelChanged || state.folds !== before?.folds;
        const held = before === null || !treeChanged ? null : heldRow(outline, treeView, layout, state, before);
        // What is held in its place is measured before anything changes: then that costs nothing.
        if (leafChanged || isListChanged(state, before)) {
            transcript.show(state.leaf, state.only ? withEntry(visible, state.target) : null);
        }
        const isUnfolded = state.unfold !== before?.unfold || state.toggled !== before.toggled || state.only !== before.only;
        if (isUnfolded) {
            transcript.fold();
        }
        if (treeChanged) {
            const started = startedSessions(outline, state.leaf, state.filter, listed);
            layout = layOut(outline, state.leaf, visible, state.folds, started, level === "" ? null : state, state.hits !== null);
            const place = treePlace(outline, layout, state, before, held, read);
            treeView.show(treeRendering(outline, layout, state, query, sessionHits, around), place);
        } else if (state.target !== before.target || state.labelTimes !== before.labelTimes) {
            const rendering = treeRendering(outline, layout, state, query, sessionHits, around);
            treeView.show(rendering, { row: rendering.selected, offset: null });
        } else if (state.cursor !== before.cursor) {
            treeView.mark(treeRendering(outline, layout, state, query, sessionHits, around));
        }
        if (rowsFiltered) {
            // Not on a new leaf: a walk through the hits keeps its order while branches move.
            hitOrder = walkOrder(outline, layout, state);
        }
        const comparedAnew = leafChanged || state.compare !== before.compare;
        if (comparedAnew || state.view !== before.view || state.call !== before.call || state.order !== before.order) {
            drawView(state, contextView, changesView);
        }
        if (state.compare < 0 && comparedAnew) {
            compare?.hide();
        } else if (state.compare >= 0 && (comparedAnew || isListChanged(state, before))) {
            compare?.show(state.leaf, state.compare, state.only ? withEntry(visible, state.target) : null);
        }
        if (state.target !== before?.target) {
            transcript.markTarget(state.target);
        }
        if (isUnfolded) {
            drawChoices(state.unfold);
            drawDetail(state.unfold.detail);
            document.documentElement.classList.toggle("only", state.only);
            compare?.fold();
        }
        drawControls(state);
        drawLevel(state);
        drawHits(outline, state, hitOrder);
        drawStatus(outline, layout, transcript, state);
        drawEmpty(state, layout.length === 0);
    };
    return {
        treeView,
        draw,
        locate(n, follows) {
            const row = n < 0 ? -1 : Math.max(0, nearestRow(outline, layout, n));
            treeView.locate(row);
            if (row >= 0 && follows && n !== read) {
                treeView.reveal(row);
            }
            read = n;
        },
        layout: () => layout,
        hitOrder: () => hitOrder,
        marks: () => marks,
    };
}

/**
 * Whether other articles of the same path are to be shown.
 *
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {boolean}
 */
function isListChanged(state, before) {
    const { filter, hits, target } = before;
    const listed = state.filter !== filter || state.hits !== hits || state.target !== target;
    return state.only !== before.only || (state.only && listed);
}

/**
 * What was asked for is shown even where the filter would not, unless nothing else is: then the tree says so.
 *
 * @param {Uint8Array} visible
 * @param {number} n -1 for none
 * @returns {Uint8Array}
 */
function withEntry(visible, n) {
    const more = visible.slice();
    if (n >= 0 && visible.includes(1)) {
        more[n] = 1;
    }
    return more;
}

/**
 * @param {Readonly<State>} state
 */
function drawControls(state) {
    const [field, only] = [inputById("search"), inputById("only")];
    // Writing the same value again would move the caret.
    if (field.value !== state.query) {
        field.value = state.query;
    }
    only.checked = state.only;
    byId("label-times").setAttribute("aria-pressed", String(state.labelTimes));
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Transcript} transcript
 * @param {Readonly<State>} state
 */
function drawStatus(outline, layout, transcript, state) {
    const status = byId("status");
    const total = outline.sessions[outline.session[state.leaf]]?.count ?? outline.count;
    const hung = state.hits === null || layout.hung.size === 0 ? "" : ` · hits in ${counted(layout.hung.size, "sub-agent")}`;
    const { shown, path } = transcript.counts();
    const only = state.only ? ` · ${shown} of ${path} shown` : "";
    Object.assign(status.dataset, { shown: layout.entries, total });
    const [few, all] = [layout.entries, total].map((count) => count.toLocaleString("en-US"));
    setText(status, `${few} of ${all} ${total === 1 ? "entry" : "entries"}${hung}${only}`);
}

/**
 * What an empty tree says, and the button that leads out of it.
 *
 * @param {Readonly<State>} state
 * @param {boolean} isEmpty
 */
function drawEmpty({ filter, query, hits, searching }, isEmpty) {
    const place = byId("tree-empty");
    place.hidden = !isEmpty || searching;
    if (!place.hidden) {
        const lacks = `${filter === "labeled-only" ? "No labels" : filter === "user-only" ? "No prompts" : "No entries"} in this session. `;
        const [said, way] = hits === null ? [lacks, "Show all entries"] : [`Nothing matches "${query}". `, "Clear search"];
        place.replaceChildren(said, makeButton("", way, () => {}));
    }
}
