/** The one state of the page. Everything on the screen is drawn from it; nothing reads the screen back. */

/**
 * @typedef {object} State
 * @property {number} leaf the leaf on show
 * @property {number} target the entry that was asked for, -1 for none
 * @property {number} cursor the entry that the keyboard stands on in the tree
 * @property {string} filter
 * @property {string} query
 * @property {Hits | null} hits of the query; null without one, and until the first are found
 * @property {boolean} searching
 */

/**
 * @typedef {object} Store
 * @property {() => Readonly<State>} get
 * @property {(change: Partial<State>) => void} update
 */

/**
 * @param {State} initial
 * @param {(state: Readonly<State>, before: Readonly<State>) => void} draw
 * @returns {Store}
 */
function makeStore(initial, draw) {
    let state = initial;
    return {
        get: () => state,
        update(change) {
            const before = state;
            state = { ...state, ...change };
            draw(state, before);
        },
    };
}

/**
 * @param {Outline} outline
 * @param {Place} place
 * @returns {State}
 */
function initialState(outline, place) {
    return {
        leaf: place.leaf,
        target: place.target,
        cursor: place.target >= 0 ? place.target : place.leaf,
        filter: outline.filter,
        query: "",
        hits: null,
        searching: false,
    };
}

/**
 * The entry whose row is marked as the chosen one.
 *
 * @param {Readonly<State>} state
 * @returns {number}
 */
function selectedEntry(state) {
    return state.target >= 0 ? state.target : state.leaf;
}
