/** The search field: typing reduces the tree, Enter walks the hits, Escape clears, `/` comes here. */

/**
 * @typedef {object} SearchActions
 * @property {(query: string) => void} search
 * @property {(step: 1 | -1) => void} walk
 * @property {() => void} summon makes the field reachable and focuses it
 */

/**
 * @param {HTMLInputElement} field
 * @param {SearchActions} actions
 */
function startSearchBox(field, actions) {
    field.addEventListener("input", () => actions.search(field.value));
    field.addEventListener("keydown", (event) => {
        // While an input method composes, Enter and Escape are its own.
        if (event.isComposing) {
            return;
        }
        if (event.key === "Enter") {
            event.preventDefault();
            actions.walk(event.shiftKey ? -1 : 1);
        } else if (event.key === "Escape" && field.value !== "") {
            event.preventDefault();
            event.stopPropagation();
            field.value = "";
            actions.search("");
        }
    });
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) {
            event.preventDefault();
            actions.summon();
        }
    });
}

/**
 * @param {Event} event
 * @returns {boolean}
 */
function isTyping(event) {
    const at = event.target;
    return at instanceof HTMLElement && (at.isContentEditable || at.matches("input, textarea, select"));
}

/**
 * @param {Readonly<State>} state
 * @param {Layout} layout
 * @returns {string}
 */
function searchStatus(state, layout) {
    if (queryWords(state.query).length === 0) {
        return "";
    }
    const found = state.hits === null ? "" : hitCount(state.hits, layout.length);
    return state.searching ? `searching … ${found}`.trim() : found;
}

/**
 * @param {Hits} hits
 * @param {number} shown
 * @returns {string}
 */
function hitCount(hits, shown) {
    const unlisted = hits.count - shown;
    // The filter hides them, or they are turns without text, which have no row.
    return unlisted > 0 ? `${counted(shown, "hit")}, ${unlisted} more not listed` : counted(shown, "hit");
}

/**
 * The hit to go to: the first row to begin with, then in document order and round again. Rows would not do,
 * since going to a hit may bring its branch to the top of the list.
 *
 * @param {Layout} layout
 * @param {number} current the entry on show, -1 when no hit has been walked to
 * @param {1 | -1} step
 * @returns {number} -1 when there is no hit
 */
function nextHit(layout, current, step) {
    if (current < 0 || layout.length === 0) {
        return layout.order[step > 0 ? 0 : layout.length - 1] ?? -1;
    }
    const hits = layout.order.slice().sort();
    const after = hits.findIndex((n) => n > current);
    const before = hits.findLastIndex((n) => n < current);
    const next = step > 0 ? after : before;
    return hits.at(step > 0 ? Math.max(0, next) : next) ?? -1;
}
