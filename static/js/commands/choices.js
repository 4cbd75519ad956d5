/** The buttons for the level of detail and for what is expanded. */

import { keysOf } from "../actions/commands.js";
import { byId, make, makeButton, setText } from "../base/dom.js";

/** @import { Choice, Unfold } from "../state/choices.js" */
/** @import { State } from "../state/state.js" */

/**
 * @param {string} detail
 */
export function drawDetail(detail) {
    document.documentElement.dataset.detail = detail;
    for (const button of document.querySelectorAll("button[data-detail]")) {
        button.setAttribute("aria-pressed", String(button.getAttribute("data-detail") === detail));
    }
}

/**
 * The button of a narrow screen for the level of detail, or for the order of the changes.
 *
 * @param {Readonly<State>} state
 */
export function drawLevel({ view, compare, order, unfold }) {
    const isOrder = view === "changes" && compare < 0;
    setText(byId("level"), isOrder ? `By ${order}` : unfold.detail);
    byId("level").title = isOrder ? "Order of the changes" : "Level of detail";
}

/** @type {HTMLElement[]} */
const CHOICE_BUTTONS = [];

/**
 * @param {Choice} choice
 * @returns {HTMLElement} one button for each value
 */
export function makeChoice({ name, label, values }) {
    const group = make("div", "views");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    group.title = `${label} (${keysOf(name)})`;
    for (const value of values) {
        const button = makeButton("", value);
        button.dataset.choice = name;
        button.dataset.value = value;
        group.append(button);
        CHOICE_BUTTONS.push(button);
    }
    return group;
}

/**
 * @param {Unfold} unfold
 */
export function drawChoices(unfold) {
    for (const button of CHOICE_BUTTONS) {
        button.setAttribute("aria-pressed", String(unfold[button.dataset.choice ?? ""] === button.dataset.value));
    }
}
