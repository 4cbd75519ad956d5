/** What the reader can do to the page: each changes the state, scrolls, and writes the address. */

/**
 * @typedef {object} Parts
 * @property {Outline} outline
 * @property {Store} store
 * @property {Searcher} searcher
 * @property {Transcript} transcript
 * @property {AddressBar} addressBar
 * @property {Notice} notice
 */

/**
 * Shows a place. A change of leaf and a followed link make a new step in the history, the rest does not.
 *
 * @param {Parts} parts
 * @param {number} leaf
 * @param {number} target
 * @param {boolean} followed
 */
function showPlace(parts, leaf, target, followed) {
    const { outline, store, transcript, addressBar } = parts;
    const targetKey = target >= 0 ? outline.keys[target] : null;
    const step = followed || leaf !== store.get().leaf;
    // Before the change: a new step remembers where the reader was.
    addressBar[step ? "push" : "replace"](outline.keys[leaf], targetKey);
    store.update({ leaf, target, cursor: target >= 0 ? target : leaf });
    if (target >= 0) {
        transcript.goTo(target);
    }
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
function chooseEntry(parts, n) {
    parts.notice.clear();
    showPlace(parts, leafShowing(parts.outline, n, parts.store.get().leaf), n, false);
}

/**
 * @param {Parts} parts
 * @param {number} n
 */
function followEntry(parts, n) {
    parts.notice.clear();
    showPlace(parts, leafShowing(parts.outline, n, parts.store.get().leaf), n, true);
    parts.transcript.focus(n);
}

/**
 * @param {Parts} parts
 * @param {Link} link
 */
function followLink(parts, link) {
    const place = resolveLink(parts.outline, link);
    showPlace(parts, place.leaf, place.target, true);
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
        const place = resolveLink(parts.outline, readLink(location.search, location.hash));
        const cursor = place.target >= 0 ? place.target : place.leaf;
        parts.store.update({ leaf: place.leaf, target: place.target, cursor });
        tellProblems(parts.notice, place);
        arriveAt(parts.transcript, place.target, mark);
    } else if (mark !== null) {
        parts.transcript.restore(mark);
    }
}

/**
 * @param {Transcript} transcript
 * @param {number} target
 * @param {ScrollMark | null} mark
 */
function arriveAt(transcript, target, mark) {
    if (mark !== null) {
        transcript.restore(mark);
    } else if (target >= 0) {
        transcript.goTo(target);
    } else if (scrollY > 0) {
        scrollTo(0, 0);
    }
}

/**
 * @param {Notice} notice
 * @param {Place} place
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
function search(parts, query) {
    parts.store.update({ query, searching: true });
    parts.searcher.start(query, (hits) => {
        parts.store.update({ hits, searching: hits !== null && !hits.done });
    });
}

/**
 * A click in the transcript: a copy button, a tool call's stub, a link to an entry.
 *
 * @param {Parts} parts
 * @param {MouseEvent} event
 */
function clickTranscript(parts, event) {
    const { outline, store, notice } = parts;
    const { leaf } = store.get();
    const copy = eventTarget(event, "button.copy-link");
    const articleId = copy?.closest("article")?.id;
    if (articleId !== undefined) {
        void copyAddress(shareAddress(outline.keys[leaf], articleId.slice("entry-".length)), notice);
        return;
    }
    const link = eventTarget(event, `a[href^="${ANCHOR}"]`);
    if (link === null || event.button !== 0 || hasModifier(event)) {
        return;
    }
    event.preventDefault();
    if (link.matches(".call")) {
        followCall(parts, link.dataset.results ?? "", leaf);
    } else {
        const key = link.getAttribute("href")?.slice(ANCHOR.length) ?? null;
        followLink(parts, { leafId: outline.keys[leaf], targetId: key, anchor: true });
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
