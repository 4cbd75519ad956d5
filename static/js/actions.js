/** What the reader can do to the page: each changes the state, scrolls, and writes the address. */

/**
 * @typedef {object} Parts
 * @property {Outline} outline
 * @property {Store} store
 * @property {Searcher} searcher
 * @property {Transcript} transcript
 * @property {Lens} lens
 * @property {Compare} compare
 * @property {Reading} reading
 * @property {Trail} trail
 * @property {AddressBar} addressBar
 * @property {Notice} notice
 * @property {Raw} raw
 * @property {(within: Element) => Promise<void>} fillPictures
 */

/**
 * Shows a place. A change of leaf and a followed link make a new step in the history, the rest does not.
 *
 * @param {Parts} parts
 * @param {number} leaf
 * @param {number} target
 * @param {boolean} followed
 * @param {View} [wanted] the view on show unless given
 * @param {number} [compare] the leaf beside it; a comparison ends unless given
 */
function showPlace(parts, leaf, target, followed, wanted = parts.store.get().view, compare = -1) {
    const { outline, store, lens, reading, addressBar } = parts;
    // What the model did not see is on the path only.
    const inLens = wanted === "context" && compare < 0 && (target < 0 || lens.holds(leaf, target));
    const view = inLens ? "context" : "path";
    const step = followed || leaf !== store.get().leaf || view !== store.get().view || compare !== store.get().compare;
    leaveFootprint(parts);
    // Before the change: a new step remembers where the reader was.
    addressBar[step ? "push" : "replace"](paramsOf(outline, { ...store.get(), leaf, target, compare, view }));
    store.update({ leaf, target, compare, view, ...arrival(outline, store.get(), leaf, target) });
    if (target >= 0) {
        reading.goTo(target);
    }
}

/**
 * What a new place does: the cursor goes there, no fold and no line of steps hides it, and a hit is the one walked to.
 *
 * @param {Outline} outline
 * @param {Readonly<State>} state
 * @param {number} leaf
 * @param {number} target
 * @returns {Pick<State, "cursor" | "folds" | "hitAt" | "toggled">}
 */
function arrival(outline, state, leaf, target) {
    const { folds, hits, hitAt } = state;
    return {
        cursor: target >= 0 ? target : leaf,
        folds: foldsShowing(outline, folds, target),
        hitAt: hits?.matches[target] === 1 ? target : hitAt,
        toggled: toggledToShow(outline, state, target),
    };
}

/**
 * Remembers where the reader is, for the way back.
 *
 * @param {Parts} parts
 */
function leaveFootprint(parts) {
    const { leaf, target, compare, view } = parts.store.get();
    parts.trail.remember({ leaf, target, compare, view, mark: parts.reading.scrollMark() });
}

/**
 * @param {Parts} parts
 * @param {Footprint} print
 */
function returnTo(parts, { leaf, target, compare, view, mark }) {
    const { outline, store, reading, addressBar } = parts;
    const now = store.get();
    const step = leaf !== now.leaf || view !== now.view || compare !== now.compare;
    addressBar[step ? "push" : "replace"](paramsOf(outline, { ...now, leaf, target, compare, view }));
    store.update({ leaf, target, compare, view, ...arrival(outline, now, leaf, target) });
    parts.notice.clear();
    reading.wander();
    arriveAt(reading, -1, mark);
    reading.focus(outline.byKey.get(mark?.at ?? "") ?? target);
}

/**
 * Path or Context. The reader stays at the same entry where both have it.
 *
 * @param {Parts} parts
 * @param {View} view
 */
function chooseView(parts, view) {
    const { outline, store, reading, addressBar } = parts;
    const now = store.get();
    if (view === now.view && now.compare < 0) {
        return;
    }
    const mark = reading.scrollMark();
    addressBar.push(paramsOf(outline, { ...now, compare: -1, view }));
    store.update({ compare: -1, view });
    reading.wander();
    // The list that had the focus is gone.
    const lostFocus = document.activeElement === document.body || document.activeElement?.closest("[hidden]") !== null;
    const near = mark === null ? -1 : nearestShown(reading.entries(), outline.byKey.get(mark.at) ?? -1);
    if (near >= 0 && mark !== null) {
        reading.restore({ at: outline.keys[near], offset: mark.offset });
        if (lostFocus) {
            reading.focus(near);
        }
    } else {
        scrollTo(0, 0);
    }
}

/**
 * @param {number[]} entries
 * @param {number} n
 * @returns {number} `n`, or the first entry after it in the document, -1 for none
 */
function nearestShown(entries, n) {
    return entries.includes(n) ? n : entries.find((entry) => entry >= n) ?? entries.at(-1) ?? -1;
}

/**
 * An entry where it is on show, in a comparison too; else on its branch.
 *
 * @param {Parts} parts
 * @param {number} n
 * @param {boolean} followed
 */
function showEntry(parts, n, followed) {
    const { leaf, compare, view } = parts.store.get();
    if (compare >= 0 && parts.compare.holds(n)) {
        showPlace(parts, leaf, n, followed, view, compare);
    } else {
        showPlace(parts, leafShowing(parts.outline, n, leaf), n, followed);
    }
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
function chooseEntry(parts, n) {
    parts.notice.clear();
    showEntry(parts, n, false);
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
function followEntry(parts, n) {
    parts.notice.clear();
    showEntry(parts, n, true);
    parts.reading.focus(n);
}

/**
 * @param {Parts} parts
 * @param {Link} link
 */
function followLink(parts, link) {
    const place = resolveLink(parts.outline, link);
    showPlace(parts, place.leaf, place.target, true, undefined, place.compare);
    if (place.compare >= 0 && place.target < 0) {
        arriveAtCompare(parts);
    }
    tellProblems(parts.notice, place);
}

/**
 * The address has changed: back, forward, or a fragment typed by hand.
 *
 * @param {Parts} parts
 * @param {unknown} historyState
 */
function followAddress(parts, historyState) {
    const mark = readScrollMark(historyState);
    parts.addressBar.drop();
    if (parts.addressBar.isNews()) {
        const place = placeAt(parts.outline, location);
        const { leaf, target, compare, filter, view, only, detail } = place;
        const before = parts.store.get();
        const query = IS_LOCKED ? place.query || before.query : place.query;
        const unfold = before.unfold.detail === detail ? before.unfold : { ...before.unfold, detail };
        const arrived = arrival(parts.outline, { ...before, unfold }, leaf, target);
        parts.store.update({ unfold, filter, view, only, leaf, target, compare, ...arrived });
        if (boundedQuery(query) !== before.query) {
            runSearch(parts, query);
        }
        tellProblems(parts.notice, place);
        arriveAt(parts.reading, place.target, mark);
    } else if (mark !== null) {
        parts.reading.restore(mark);
    }
    // A fragment typed by hand comes here twice, and the first time's writing was dropped above.
    tidyAddress(parts);
}

/**
 * Takes out of a locked page's address what should not stay in the browser's history.
 *
 * @param {Parts} parts
 */
function tidyAddress({ outline, store, addressBar }) {
    if (isTelling(location)) {
        addressBar.replace(paramsOf(outline, store.get()));
    }
}

/**
 * @param {Reading} reading
 * @param {number} target
 * @param {ScrollMark | null} mark
 */
function arriveAt(reading, target, mark) {
    if (mark !== null) {
        reading.restore(mark);
    } else if (target >= 0) {
        reading.goTo(target);
    } else if (scrollY > 0) {
        scrollTo(0, 0);
    }
}

/**
 * @param {Notice} notice
 * @param {Spot} place
 */
function tellProblems(notice, place) {
    if (place.problems.length > 0) {
        notice.tell(place.problems.join(" "));
    } else {
        notice.clear();
    }
}

/**
 * @param {Parts} parts
 * @param {string} query
 */
function runSearch(parts, query) {
    const { store, searcher } = parts;
    const bounded = boundedQuery(query);
    store.update({ query: bounded, queryCut: bounded !== query, searching: true });
    searcher.start(bounded, (hits) => {
        const change = () => store.update({ hits, searching: hits !== null && !hits.done });
        keepPlace(parts, store.get().only, change);
    });
}

/**
 * @param {Parts} parts
 * @param {string} query
 */
function search(parts, query) {
    runSearch(parts, query);
    parts.addressBar.replace(paramsOf(parts.outline, parts.store.get()));
}

/**
 * Sets a filter, or whether it applies to the transcript.
 *
 * @param {Parts} parts
 * @param {Partial<Pick<State, "filter" | "only">>} change
 */
function setReader(parts, change) {
    const touched = parts.store.get().only || change.only === true;
    keepPlace(parts, touched, () => parts.store.update(change));
    parts.addressBar.replace(paramsOf(parts.outline, parts.store.get()));
}

/**
 * Articles that come and go above the reader must not move what is being read.
 *
 * @param {Parts} parts
 * @param {boolean} touched whether the transcript changes at all
 * @param {() => void} change
 */
function keepPlace(parts, touched, change) {
    const { outline, store, reading } = parts;
    const mark = touched && store.get().view === "path" ? reading.scrollMark() : null;
    change();
    if (mark !== null) {
        const near = nearestShown(reading.entries(), outline.byKey.get(mark.at) ?? -1);
        if (near >= 0) {
            reading.restore({ at: outline.keys[near], offset: mark.offset });
        }
    }
}

/**
 * A click in the transcript: a copy button, a tool call's stub, a link to an entry.
 *
 * @param {Parts} parts
 * @param {MouseEvent} event
 */
function clickTranscript(parts, event) {
    const { outline, store, notice } = parts;
    const { leaf, compare } = store.get();
    if (clickSteps(parts, event)) {
        return;
    }
    const copy = eventTarget(event, "a.copy-link");
    if (copy !== null) {
        if (event.button !== 0 || hasModifier(event)) {
            return;
        }
        event.preventDefault();
        const beside = compare < 0 ? null : outline.keys[compare];
        void copyAddress(shareAddress(outline.keys[leaf], keyOfArticle(copy.closest("article")), beside), notice);
        return;
    }
    const raw = eventTarget(event, "button.raw")?.closest("article");
    if (raw) {
        void parts.raw.open(raw);
    }
    const link = eventTarget(event, `a[href^="${ANCHOR}"]`);
    if (link === null || event.button !== 0 || hasModifier(event)) {
        return;
    }
    event.preventDefault();
    if (link.matches(".call")) {
        const place = outline.byKey.get(keyOfArticle(link.closest("article"))) ?? leaf;
        followCall(parts, link.dataset.results ?? "", compare >= 0 && isOnPath(outline, place, compare) ? compare : leaf);
    } else {
        const key = link.getAttribute("href")?.slice(ANCHOR.length) ?? null;
        const n = compare < 0 ? -1 : outline.byKey.get(key ?? "") ?? -1;
        if (parts.compare.holds(n)) {
            followEntry(parts, n);
            return;
        }
        followLink(parts, { leafId: outline.keys[leaf], targetId: key, compare: null, anchor: true });
        void focusWithin(parts, store.get().target, link.getAttribute("rel"));
    }
}

/**
 * Puts the focus on an entry, or on its link to a branch once that is there.
 *
 * @param {Parts} parts
 * @param {number} n
 * @param {string | null} rel
 */
async function focusWithin({ reading, transcript }, n, rel) {
    if (focusForkLink(reading.elementOf(n), rel)) {
        return;
    }
    reading.focus(n);
    if (rel !== null) {
        await transcript.filled(n);
        if (document.activeElement === reading.elementOf(n)) {
            focusForkLink(reading.elementOf(n), rel);
        }
    }
}

/**
 * @param {Parts} parts
 * @param {string} results
 * @param {number} leaf
 */
function followCall(parts, results, leaf) {
    const result = resultOnPath(parts.outline, results, leaf);
    if (result >= 0) {
        followEntry(parts, result);
    } else {
        parts.notice.mention("No result of this call on this branch");
    }
}
