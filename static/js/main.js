/**
 * Starts the page: reads the outline, follows the address, draws, listens.
 *
 * order: dom.js slices.js outline.js layout.js context.js search.js link.js history.js notice.js copy.js
 * order: times.js transcript.js state.js tree-row.js tree-view.js tree-keys.js filters.js search-box.js
 * order: theme.js drawer.js actions.js api.js main.js
 */

/**
 * @typedef {object} Picture what is on the screen
 * @property {TreeView} treeView
 * @property {(state: Readonly<State>, before: Readonly<State> | null) => void} draw
 * @property {() => Layout} layout the rows on show
 */

/**
 * The tree and all that stands around it, drawn from the state.
 *
 * @param {Outline} outline
 * @param {TreeView} treeView
 * @param {Transcript} transcript
 * @returns {Picture}
 */
function makePicture(outline, treeView, transcript) {
    /** @type {Layout} */
    let layout;
    const [status, searchLine, filters] = [byId("status"), byId("search-status"), byId("filters")];

    /** @type {(state: Readonly<State>, before: Readonly<State> | null) => void} */
    const draw = (state, before) => {
        const leafChanged = state.leaf !== before?.leaf;
        const rowsChanged = leafChanged || state.filter !== before.filter || state.hits !== before.hits;
        if (rowsChanged) {
            const matches = state.hits?.matches ?? null;
            const held = before === null ? null : heldRow(treeView, layout, state);
            layout = layOut(outline, state.leaf, visibleEntries(outline, state.leaf, state.filter, matches));
            treeView.show(treePicture(outline, layout, state));
            placeTree(treeView, layout, state, before, held);
        } else if (state.target !== before.target) {
            treeView.show(treePicture(outline, layout, state));
        } else if (state.cursor !== before.cursor) {
            treeView.mark(treePicture(outline, layout, state));
        }
        if (leafChanged) {
            transcript.show(state.leaf);
        }
        if (state.target !== before?.target) {
            transcript.markTarget(state.target);
        }
        if (state.filter !== before?.filter) {
            drawFilters(filters, state.filter);
        }
        setText(status, `${layout.length} / ${outline.count}`);
        setText(searchLine, searchStatus(state, layout));
    };
    return { treeView, draw, layout: () => layout };
}

/**
 * @param {HTMLElement} element
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
 * @returns {TreePicture}
 */
function treePicture(outline, layout, state) {
    return {
        layout,
        leaf: state.leaf,
        selected: nearestRow(outline, layout, selectedEntry(state)),
        cursor: cursorRow(outline, layout, state),
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
 * Where the row of the chosen entry stands before the rows change.
 *
 * @param {TreeView} treeView
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @returns {number | null}
 */
function heldRow(treeView, layout, state) {
    const row = layout.rowOf[selectedEntry(state)];
    return row < 0 ? null : treeView.offsetOf(row);
}

/**
 * A new leaf reorders the rows: the chosen one stays under the pointer. Hits are read from the top.
 *
 * @param {TreeView} treeView
 * @param {Layout} layout
 * @param {Readonly<State>} state
 * @param {Readonly<State> | null} before
 * @param {number | null} held
 */
function placeTree(treeView, layout, state, before, held) {
    const row = layout.rowOf[selectedEntry(state)];
    if (before !== null && state.hits !== before.hits && state.hits !== null) {
        treeView.holdAt(0, 0);
        return;
    }
    if (held !== null && row >= 0 && before?.leaf !== state.leaf) {
        treeView.holdAt(row, held);
    }
    treeView.reveal(row, "center");
}

/**
 * @returns {Outline}
 */
function loadOutline() {
    return readOutline(/** @type {RawOutline} */ (JSON.parse(byId("outline").textContent ?? "")));
}

/**
 * @param {Parts} parts
 * @param {Picture} picture
 * @param {Drawer} drawer
 */
function listenToTree(parts, picture, drawer) {
    const { outline, store, transcript } = parts;
    const { treeView } = picture;
    const tree = byId("tree");
    /** @type {(n: number) => void} */
    const choose = (n) => {
        chooseEntry(parts, n);
        if (drawer.close()) {
            transcript.focus(n);
        }
    };
    tree.addEventListener("click", (event) => {
        const key = eventTarget(event, "[role=treeitem]")?.dataset.entryId;
        const n = key === undefined ? undefined : outline.byKey.get(key);
        if (n !== undefined) {
            choose(n);
        }
    });
    listenToTreeKeys(tree, (key) => {
        const layout = picture.layout();
        const row = cursorRow(outline, layout, store.get());
        if (row >= 0 && (key === "Enter" || key === " ")) {
            choose(layout.order[row]);
            return true;
        }
        const next = row < 0 ? -1 : rowAfterKey(layout, row, treeView.pageSize(), key);
        if (next >= 0) {
            store.update({ cursor: layout.order[next] });
            treeView.reveal(next, "nearest");
        }
        return next >= 0;
    });
}

/**
 * @param {Parts} parts
 * @param {Picture} picture
 * @param {Drawer} drawer
 */
function listenToSearch(parts, picture, drawer) {
    const field = inputById("search");
    let walked = -1;
    startSearchBox(field, {
        search(query) {
            walked = -1;
            search(parts, query);
        },
        walk(step) {
            const hit = parts.store.get().hits === null ? -1 : nextHit(picture.layout(), walked, step);
            if (hit >= 0) {
                walked = hit;
                chooseEntry(parts, hit);
            }
        },
        summon() {
            drawer.open();
            field.focus();
            field.select();
        },
    });
}

/**
 * @param {Parts} parts
 * @param {Drawer} drawer
 */
function listenToPage(parts, drawer) {
    startFilters(byId("filters"), (filter) => parts.store.update({ filter }));
    startThemeSwitch(byId("theme-toggle"));
    startSkipLink();
    byId("transcript").addEventListener("click", (event) => clickTranscript(parts, event));
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !event.isComposing) {
            drawer.close();
        }
    });
    addEventListener("popstate", (event) => followAddress(parts, event.state));
    addEventListener("hashchange", () => followAddress(parts, null));
    addEventListener("scrollend", () => parts.addressBar.rememberScroll(), { passive: true });
}

/** As a fragment, `#transcript` would take the place of a link that stands there. */
function startSkipLink() {
    const transcript = byId("transcript");
    transcript.tabIndex = -1;
    document.querySelector(".skip-link")?.addEventListener("click", (event) => {
        event.preventDefault();
        transcript.scrollIntoView();
        transcript.focus({ preventScroll: true });
    });
}

/** Everything in order; what can fail comes before anything is changed. */
function start() {
    const outline = loadOutline();
    const place = resolveLink(outline, readLink(location.search, location.hash));
    const transcript = makeTranscript(byId("transcript"), outline);
    const notice = makeNotice(byId("notice"));
    const picture = makePicture(outline, makeTreeView(byId("tree"), outline), transcript);
    const store = makeStore(initialState(outline, place), picture.draw);
    const searcher = makeSearcher(outline, transcript.textOf);
    const addressBar = makeAddressBar(transcript.scrollMark);
    const parts = { outline, store, searcher, transcript, addressBar, notice };

    picture.draw(store.get(), null);
    const drawer = makeDrawer();
    listenToTree(parts, picture, drawer);
    listenToSearch(parts, picture, drawer);
    listenToPage(parts, drawer);
    tellProblems(notice, place);
    localiseFacts();
    try {
        history.scrollRestoration = "manual";
    } catch {
        // Then the browser restores by pixels, which is only less exact.
    }
    arriveAt(transcript, place.target, readScrollMark(history.state));
    Object.assign(window, { leafpress: makeApi(parts) });
    document.documentElement.dataset.ready = "";
}

/** The times in the page's own head. */
function localiseFacts() {
    const times = Array.from(document.querySelectorAll("#session time"));
    makeLocaliser(FACT_TIME, (n) => times[n])(times.map((_, n) => n));
}

try {
    start();
} catch (error) {
    // The plain document, as without a script, is better than controls that do nothing.
    delete document.documentElement.dataset.js;
    makeNotice(byId("notice")).tell("The session tree could not be built; this is the plain transcript.");
    throw error;
}
