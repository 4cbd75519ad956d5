/**
 * The steps of a turn: a run of them is one line, which opens in place. Which entries make a run, and what its line
 * says, was computed in Rust; here a line opens and closes.
 *
 * A run is named by its first entry, and so are the entries in a row that no person ever saw (progress, hooks,
 * an extension's state), which have a line of their own within a run: that one by `~first`. Those of a tool call
 * have it in the card of its result.
 */

/** @typedef {Pick<State, "unfold" | "toggled" | "leaf" | "only">} FoldState what decides which steps are seen */

/** @type {ReadonlySet<number>} */
const NO_TOGGLES = new Set();

/**
 * Whether a run stands open: as the level of detail has it, unless its line was clicked; and wherever a filter has
 * chosen the entries, since the line may not be among them.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} first
 * @returns {boolean}
 */
function isRunOpen(outline, { unfold, toggled, only }, first) {
    return only || (unfold.detail !== "story" && !outline.asides.has(first)) !== toggled.has(first);
}

/**
 * Whether only a line stands for an entry.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n
 * @returns {boolean}
 */
function isShut(outline, state, n) {
    const [run, quiet] = [outline.run[n], outline.quiet[n]];
    return (run >= 0 && !isRunOpen(outline, state, run)) || (quiet >= 0 && !state.only && !state.toggled.has(~quiet));
}

/**
 * Whether the line of quiet entries is in the card of a tool result, which the path on show may lack.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} first
 * @returns {boolean}
 */
function isInCard(outline, { leaf }, first) {
    const card = outline.cards.get(first);
    return card !== undefined && isOnPath(outline, card, leaf);
}

/**
 * Whether an entry is seen, or the line that stands for it.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n
 * @returns {boolean}
 */
function takesRoom(outline, state, n) {
    const isOpen = outline.run[n] < 0 || isRunOpen(outline, state, outline.run[n]);
    return outline.run[n] === n || !isShut(outline, state, n) || (isOpen && outline.quiet[n] === n && !isInCard(outline, state, n));
}

/**
 * The clicked lines once an entry is to be seen: those that hide it are opened, all others stay.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n -1 for none
 * @returns {ReadonlySet<number>}
 */
function toggledToShow(outline, state, n) {
    if (n < 0 || !isShut(outline, state, n)) {
        return state.toggled;
    }
    const toggled = new Set(state.toggled);
    if (outline.run[n] >= 0 && !isRunOpen(outline, state, outline.run[n])) {
        flip(toggled, outline.run[n]);
    }
    if (outline.quiet[n] >= 0) {
        toggled.add(~outline.quiet[n]);
    }
    return toggled;
}

/**
 * The clicked lines if none of them hides anything.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @returns {ReadonlySet<number>}
 */
function toggledToShowAll(outline, state) {
    const toggled = new Set();
    for (let n = 0; n < outline.count; n++) {
        if (outline.run[n] === n && !isRunOpen(outline, { ...state, toggled: NO_TOGGLES }, n)) {
            toggled.add(n);
        }
        if (outline.quiet[n] === n) {
            toggled.add(~n);
        }
    }
    return toggled;
}

/**
 * @param {Set<number>} toggled
 * @param {number} name
 */
function flip(toggled, name) {
    if (!toggled.delete(name)) {
        toggled.add(name);
    }
}

/**
 * Draws whether an entry is seen, and its lines; also in a copy of its article.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n
 * @param {HTMLElement} article
 */
function drawSteps(outline, state, n, article) {
    if (outline.progress.has(n)) {
        setExpanded(article, ".card > .card-body > .progress > .progress-toggle", progressOf(outline, state, n).every((first) => state.toggled.has(~first)));
    }
    if (outline.run[n] < 0) {
        return;
    }
    const shut = isShut(outline, state, n);
    article.classList.toggle("shut", shut);
    article.classList.toggle("within", !isRunOpen(outline, state, outline.run[n]));
    const body = article.querySelector(":scope > .body");
    if (shut !== (body?.hasAttribute("hidden") ?? shut)) {
        // Hidden, and found all the same by the browser's own search.
        body?.[shut ? "setAttribute" : "removeAttribute"]("hidden", "until-found");
    }
    if (outline.run[n] === n) {
        setExpanded(article, ":scope > div > .steps-toggle", isRunOpen(outline, state, n));
    }
    if (outline.quiet[n] === n) {
        setExpanded(article, ":scope > div > .quiet-toggle", state.toggled.has(~n));
        article.classList.toggle("in-card", shut && isInCard(outline, state, n));
    }
}

/**
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} result
 * @returns {number[]} the first ones of the quiet entries that its card tells of, on the path on show
 */
function progressOf(outline, { leaf }, result) {
    return (outline.progress.get(result) ?? []).filter((first) => isOnPath(outline, first, leaf));
}

/**
 * @param {HTMLElement} article
 * @param {string} selector
 * @param {boolean} open
 */
function setExpanded(article, selector, open) {
    let line = article.querySelector(selector);
    if (line instanceof HTMLSpanElement) {
        // Without a script nothing can be opened, so the line comes as text.
        const button = make("button", line.className);
        button.setAttribute("type", "button");
        button.append(...line.childNodes);
        line.replaceWith(button);
        line = button;
    }
    line?.setAttribute("aria-expanded", String(open));
}

/**
 * A call stands once: as the card of its result, or, where the path on show has none, in the turn that made it.
 *
 * @param {Outline} outline
 * @param {number} leaf
 * @param {HTMLElement} article
 */
function drawCalls(outline, leaf, article) {
    for (const call of /** @type {Iterable<HTMLElement>} */ (article.querySelectorAll("a.call[data-results]"))) {
        call.hidden = resultOnPath(outline, call.dataset.results ?? "", leaf) >= 0;
    }
}

/**
 * Opens and closes the run or the quiet entries whose line was clicked.
 *
 * @param {Parts} parts
 * @param {Event} event
 * @returns {boolean} whether a line was clicked
 */
function clickSteps({ outline, store }, event) {
    const line = eventTarget(event, "button:is(.steps-toggle, .quiet-toggle, .progress-toggle)");
    const n = outline.byKey.get(keyOfArticle(line?.closest("article") ?? null)) ?? -1;
    if (line === null || n < 0) {
        return false;
    }
    const toggled = new Set(store.get().toggled);
    if (line.matches(".progress-toggle")) {
        const isOpen = line.getAttribute("aria-expanded") === "true";
        progressOf(outline, store.get(), n).forEach((first) => (isOpen ? toggled.delete(~first) : toggled.add(~first)));
    } else {
        flip(toggled, line.matches(".quiet-toggle") ? ~n : n);
    }
    store.update({ toggled });
    return true;
}

/**
 * The browser's own search has found something in an entry that is shut.
 *
 * @param {Parts} parts
 * @param {Event} event
 */
function openFound({ outline, store }, event) {
    const article = event.target instanceof Element ? event.target.closest("article") : null;
    const n = outline.byKey.get(keyOfArticle(article)) ?? -1;
    store.update({ toggled: toggledToShow(outline, store.get(), n) });
}
