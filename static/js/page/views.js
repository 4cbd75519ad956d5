/** Which of transcript, context and comparison is shown. */

import { byId } from "../base/dom.js";

/** @import { ContextView } from "../context/view.js" */
/** @import { State } from "../state/state.js" */

/**
 * @param {Readonly<State>} state
 * @param {ContextView} contextView
 */
export function drawView(state, contextView) {
    const comparing = state.compare >= 0;
    const inContext = state.view === "context" && !comparing;
    byId("transcript").hidden = inContext || comparing;
    byId("context-view").hidden = !inContext;
    byId("compare-view").hidden = !comparing;
    document.documentElement.classList.toggle("comparing", comparing);
    if (inContext) {
        contextView.show(state.leaf, state.call);
    }
    for (const button of document.querySelectorAll("button[data-view]")) {
        button.setAttribute("aria-pressed", String(!comparing && button.getAttribute("data-view") === state.view));
    }
}
