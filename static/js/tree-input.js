/** What pointer and keyboard do in the tree and in the search above it. */

/**
 * @param {Parts} parts
 * @param {Picture} picture
 * @param {Drawer} drawer
 */
function listenToTree(parts, picture, drawer) {
    const { outline, reading } = parts;
    const tree = byId("tree");
    /** @type {(n: number) => void} */
    const choose = (n) => {
        const started = sessionOfRow(outline, n, parts.store.get().leaf);
        if (started !== 0) {
            openSession(parts, started);
        } else {
            chooseEntry(parts, n);
        }
        if (drawer.close()) {
            reading.focus(n);
        }
    };
    listen(tree, "click", (event) => {
        const key = eventTarget(event, "[role=treeitem]")?.dataset.entryId;
        const n = key === undefined ? undefined : outline.byKey.get(key);
        if (n === undefined) {
            return;
        }
        if (eventTarget(event, ".fold-mark") === null) {
            choose(n);
        } else {
            foldRow(parts, n, picture.layout().fold[n] === FOLD_OPEN);
        }
    });
    listenToTreeKeys(tree, makeTreeKeys(parts, picture, choose));
}

/**
 * @param {Parts} parts
 * @param {Picture} picture
 * @param {(n: number) => void} choose
 * @returns {(key: string) => boolean} false when the key means nothing here
 */
function makeTreeKeys(parts, picture, choose) {
    const { outline, store } = parts;
    const { treeView } = picture;
    const typeAhead = makeTypeAhead(outline);
    return (key) => {
        const layout = picture.layout();
        const row = cursorRow(outline, layout, store.get());
        if (row < 0) {
            return false;
        }
        const typed = "pointer" in byId("tree").dataset ? -1 : typeAhead.press(layout, row, key);
        const n = layout.order[row];
        if (typed < 0 && (key === "Enter" || key === " ")) {
            choose(n);
            return true;
        }
        const fold = foldAfterKey(layout, row, key);
        if (fold !== null) {
            foldRow(parts, n, fold);
            return true;
        }
        const next = typed < 0 ? rowAfterKey(layout, row, treeView.pageSize(), key) : typed;
        if (next >= 0) {
            store.update({ cursor: layout.order[next] });
            treeView.reveal(next);
        }
        return next >= 0;
    };
}

/**
 * @param {Parts} parts
 * @param {number} n
 * @param {boolean} on
 */
function foldRow({ store }, n, on) {
    store.update({ folds: withFold(store.get().folds, n, on), cursor: n });
}

/**
 * @param {Parts} parts
 * @param {Picture} picture
 * @param {Drawer} drawer
 * @param {Marker} marker
 */
function listenToSearch(parts, picture, drawer, marker) {
    const field = inputById("search");
    /** @type {(step: 1 | -1) => void} */
    const walk = (step) => {
        const hit = nextHit(picture.hitOrder(), parts.store.get().hitAt, step);
        if (hit >= 0) {
            walkTo(parts, marker, hit);
            if (drawer.close()) {
                parts.reading.focus(hit);
            }
        }
    };
    startSearchBox(field, {
        search: (query) => search(parts, query),
        walk,
        summon() {
            drawer.open();
            field.focus();
            field.select();
        },
    });
    listen(byId("prev-hit"), "click", () => walk(-1));
    listen(byId("next-hit"), "click", () => walk(1));
    startSearchHelp(field, (query) => search(parts, query));
}

/**
 * Goes to a hit, with the folds around its words opened and the first of them in view.
 *
 * @param {Parts} parts
 * @param {Marker} marker
 * @param {number} hit
 */
function walkTo(parts, marker, hit) {
    const { reading, store } = parts;
    chooseEntry(parts, hit);
    // Also when it was chosen before: then the choice changes nothing.
    store.update({ hitAt: hit });
    marker.open(hit);
    reading.jump(() => {
        reading.elementOf(hit)?.scrollIntoView({ block: "start" });
        const first = marker.open(hit);
        if (first !== null && first.bottom > innerHeight - MARK_ROOM) {
            scrollBy(0, first.top - innerHeight / 3);
        }
    });
}
