/** The tree, the transcript and all that stands around them, drawn from the state: only what a change touches. */

/**
 * @typedef {object} Picture what is on the screen
 * @property {TreeView} treeView
 * @property {(n: number, follows: boolean) => void} locate marks the row of the entry being read, -1 for none, and
 *     keeps it in view if the tree follows the reader
 * @property {(state: Readonly<State>, before: Readonly<State> | null) => void} draw
 * @property {() => Layout} layout the rows on show
 * @property {() => Int32Array} hitOrder the hits, in the order in which they are walked
 * @property {() => RegExp[]} marks what is marked in the text; the same array as long as the query is
 */

/**
 * @param {Outline} outline
 * @param {TreeView} treeView
 * @param {Transcript} transcript
 * @param {Lens} lens
 * @param {Compare} compare
 * @param {Searcher["around"]} around
 * @returns {Picture}
 */
function makePicture(outline, treeView, transcript, lens, compare, around) {
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
    /** @type {RegExp[]} */
    let marks = [];
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
        }
        if (leafChanged || rowsFiltered) {
            visible = visibleEntries(outline, state.leaf, state.filter, state.hits?.matches ?? null);
            drawFilters(byId("filters"), state.filter, countRows(outline, state.leaf, state.hits?.matches ?? null));
        }
        if (leafChanged || rowsFiltered || state.folds !== before.folds) {
            const held = before === null ? null : heldRow(outline, treeView, layout, state, before);
            const started = startedSessions(outline, state.leaf, state.filter, listed);
            layout = layOut(outline, state.leaf, visible, state.folds, started);
            const place = treePlace(outline, layout, state, before, held, read);
            treeView.show(treePicture(outline, layout, state, query, sessionHits, around), place);
        } else if (state.target !== before.target || state.labelTimes !== before.labelTimes) {
            const picture = treePicture(outline, layout, state, query, sessionHits, around);
            treeView.show(picture, { row: picture.selected, offset: null });
        } else if (state.cursor !== before.cursor) {
            treeView.mark(treePicture(outline, layout, state, query, sessionHits, around));
        }
        if (rowsFiltered) {
            // Not on a new leaf: a walk through the hits keeps its order while branches move.
            hitOrder = walkOrder(outline, layout, state);
        }
        if (leafChanged || isListChanged(state, before)) {
            transcript.show(state.leaf, state.only ? withEntry(visible, state.target) : null);
        }
        const comparedAnew = leafChanged || state.compare !== before.compare;
        if (comparedAnew || state.view !== before.view) {
            drawView(state, lens);
        }
        if (state.compare < 0 && comparedAnew) {
            compare.hide();
        } else if (state.compare >= 0 && (comparedAnew || isListChanged(state, before))) {
            compare.show(state.leaf, state.compare, state.only ? withEntry(visible, state.target) : null);
        }
        if (state.target !== before?.target) {
            transcript.markTarget(state.target);
        }
        if (state.unfold !== before?.unfold || state.toggled !== before.toggled || state.only !== before.only) {
            drawChoices(state.unfold);
            drawDetail(state.unfold.detail);
            document.documentElement.classList.toggle("only", state.only);
            transcript.fold();
            compare.fold();
        }
        drawControls(state);
        drawHits(outline, state, hitOrder);
        setText(byId("status"), statusText(outline, layout, transcript, state));
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
 * What was asked for is shown even where the filter would not.
 *
 * @param {Uint8Array} visible
 * @param {number} n -1 for none
 * @returns {Uint8Array}
 */
function withEntry(visible, n) {
    const more = visible.slice();
    if (n >= 0) {
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
 * @returns {string}
 */
function statusText(outline, layout, transcript, state) {
    const total = outline.sessions[outline.session[state.leaf]]?.count ?? outline.count;
    const hung = state.hits === null || layout.hung.size === 0 ? "" : ` · hits in ${counted(layout.hung.size, "sub-session")}`;
    const rows = `${layout.entries} / ${total}${hung}`;
    if (!state.only) {
        return rows;
    }
    const { shown, path } = transcript.counts();
    return `${rows} · transcript ${shown} of ${path}`;
}

/**
 * @param {Element} element
 * @param {string} text
 */
function setText(element, text) {
    // A live region speaks again when it is written again.
    if (element.textContent !== text) {
        element.textContent = text;
    }
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Query | null} query
 * @param {Int32Array | null} sessionHits
 * @param {Searcher["around"]} around
 * @returns {TreePicture}
 */
function treePicture(outline, layout, state, query, sessionHits, around) {
    return {
        layout,
        leaf: state.leaf,
        selected: nearestRow(outline, layout, selectedEntry(state)),
        cursor: cursorRow(outline, layout, state),
        searching: query !== null,
        marks: query?.marks ?? [],
        labelTimes: state.labelTimes,
        sessionHits,
        around,
    };
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @returns {number} -1 when there are no rows
 */
function cursorRow(outline, layout, state) {
    return layout.length === 0 ? -1 : Math.max(0, nearestRow(outline, layout, state.cursor));
}

/**
 * The entry whose row is to stay where it is while rows come and go: the one that is folded or opened, else
 * the chosen one.
 *
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {number}
 */
function heldEntry(state, before) {
    return state.folds !== before.folds && state.leaf === before.leaf ? state.cursor : selectedEntry(state);
}

/**
 * Where its row stands before the rows change.
 *
 * @param {Outline} outline
 * @param {TreeView} treeView
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Readonly<State>} before
 * @returns {number | null}
 */
function heldRow(outline, treeView, layout, state, before) {
    const row = nearestRow(outline, layout, heldEntry(state, before));
    return row < 0 ? null : treeView.offsetOf(row);
}

/**
 * Where the tree stands after its rows have changed. A new leaf reorders them: the chosen one stays under the
 * pointer. Hits are read from the top. Another filter leaves the tree where the reader is.
 *
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Readonly<State> | null} before
 * @param {number | null} held
 * @param {number} read
 * @returns {RowPlace}
 */
function treePlace(outline, layout, state, before, held, read) {
    if (before === null) {
        // The transcript begins at its top unless something in it was asked for.
        return { row: state.target < 0 ? 0 : nearestRow(outline, layout, state.target), offset: null };
    }
    if (state.hits !== before.hits && state.hits !== null) {
        return { row: 0, offset: 0 };
    }
    const sameRows = state.leaf === before.leaf && state.folds === before.folds;
    const entry = sameRows && read >= 0 ? read : heldEntry(state, before);
    // An entry that has no row of its own stands for the nearest above it that has one.
    const row = nearestRow(outline, layout, entry);
    return { row, offset: sameRows || row < 0 ? null : held };
}
