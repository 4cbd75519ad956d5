/**
 * The steps of a turn: a run of them is one line, which opens in place. Which entries make a run, and what its line
 * says, was computed in Rust; here a line opens and closes.
 *
 * A run is named by its first entry, and so are the entries in a row that no person ever saw (progress, hooks,
 * an extension's state), which have a line of their own within a run: that one by `~first`. Those of a tool call
 * have it in the card of its result.
 */

import { isOnPath } from "../outline/paths.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "./state.js" */

/** @typedef {Pick<State, "unfold" | "toggled" | "leaf" | "only">} FoldState what decides which steps are seen */

/** @type {ReadonlySet<number>} */
export const NO_TOGGLES = new Set();

/**
 * Whether a run stands open: as the level of detail has it, unless its line was clicked; and wherever a filter has
 * chosen the entries, since the line may not be among them.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} first
 * @returns {boolean}
 */
export function isRunOpen(outline, { unfold, toggled, only }, first) {
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
export function isShut(outline, state, n) {
    const [run, quiet] = [outline.run[n], outline.quiet[n]];
    return (run >= 0 && !isRunOpen(outline, state, run)) || (quiet >= 0 && !state.only && !state.toggled.has(~quiet));
}

/**
 * Whether the line of quiet entries is in the card of a tool result, which the path shown may lack.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} first
 * @returns {boolean}
 */
export function isInCard(outline, { leaf }, first) {
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
    const first = outline.run[n];
    const isOpen = first < 0 || isRunOpen(outline, state, first);
    // At Story a line of settings stands for nothing that is shown.
    const hasLine = first === n && (isOpen || state.unfold.detail !== "story" || !outline.asides.has(n));
    return hasLine || !isShut(outline, state, n) || (isOpen && outline.quiet[n] === n && !isInCard(outline, state, n));
}

/** Pixels: what an entry takes beside its text, by its role; a line of text; an open card. */
const BESIDE = [65, 65, 36, 110];
const LINE = 25;
const CARD = 350;

/** The same of the line that stands for steps and of a landmark below it, and where fingers press them. */
const STEPS = [36, 33];
const STEPS_ON_PHONE = [52, 66];

/** A long prompt is collapsed to so many lines, with its button. */
const PROMPT_LINES = 14;

/**
 * About how high an entry will be.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n
 * @returns {number} 0 where it takes no room
 */
export function heightOf(outline, state, n) {
    if (!takesRoom(outline, state, n)) {
        return 0;
    }
    if (isShut(outline, state, n)) {
        const [line, landmark] = innerWidth < 900 ? STEPS_ON_PHONE : STEPS;
        return line + landmark * (outline.steps.get(n)?.[1] ?? 0);
    }
    const role = outline.roles[n];
    // Between a phone of 390 and a wide screen of 1,100 px text is broken in proportion.
    const lines = outline.textLines[n] + outline.phoneLines[n] * Math.max(0, Math.min(1, (1100 - innerWidth) / 710));
    if (role === 2 && lines === 0 && state.unfold.detail === "full" && outline.tools.has(n)) {
        return CARD;
    }
    return BESIDE[role] + LINE * (role === 0 ? Math.min(lines, PROMPT_LINES) : lines);
}

/**
 * The clicked lines once an entry is to be seen: those that hide it are opened, all others stay.
 *
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} n -1 for none
 * @returns {ReadonlySet<number>}
 */
export function toggledToShow(outline, state, n) {
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
export function toggledToShowAll(outline, state) {
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
export function flip(toggled, name) {
    if (!toggled.delete(name)) {
        toggled.add(name);
    }
}

/**
 * @param {Outline} outline
 * @param {FoldState} state
 * @param {number} result
 * @returns {number[]} the first ones of the quiet entries that its card tells of, on the path shown
 */
export function progressOf(outline, { leaf }, result) {
    return (outline.progress.get(result) ?? []).filter((first) => isOnPath(outline, first, leaf));
}
