/** Which of conversation, context, changes and comparison is shown. */

import { byId } from "../base/dom.js";

/** @import { ChangesView } from "../changes/view.js" */
/** @import { ContextView } from "../context/view.js" */
/** @import { State } from "../state/state.js" */

/**
 * @param {Readonly<State>} state
 * @param {ContextView} contextView
 * @param {ChangesView | null} changesView
 */
export function drawView(state, contextView, changesView) {
    const comparing = state.compare >= 0;
    const inContext = state.view === "context" && !comparing;
    const inChanges = state.view === "changes" && !comparing;
    byId("transcript").hidden = inContext || inChanges || comparing;
    byId("context-view").hidden = !inContext;
    byId("changes").hidden = !inChanges;
    byId("compare-view").hidden = !comparing;
    document.documentElement.classList.toggle("comparing", comparing);
    if (inContext) {
        contextView.show(state.leaf, state.call);
    }
    changesView?.count(state.leaf);
    if (inChanges) {
        changesView?.show(state.leaf, state.order, state.file);
    }
    document.documentElement.dataset.view = comparing ? "compare" : state.view;
    for (const button of document.querySelectorAll("button[data-order]")) {
        button.setAttribute("aria-pressed", String(button.getAttribute("data-order") === state.order));
    }
    for (const button of document.querySelectorAll("button[data-view]")) {
        button.setAttribute("aria-pressed", String(!comparing && button.getAttribute("data-view") === state.view));
    }
}
