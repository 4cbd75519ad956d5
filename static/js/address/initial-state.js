/** The state that the page starts with. */

import { LABEL_TIMES, recall } from "../base/storage.js";
import { NO_FOLDS } from "../outline/folds.js";
import { boundedQuery } from "../search/bounds.js";
import { recallUnfold } from "../state/choices.js";
import { NO_TOGGLES, toggledToShow } from "../state/steps.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { State } from "../state/state.js" */
/** @import { Place } from "./link.js" */

/**
 * @param {Outline} outline
 * @param {Place} place
 * @returns {State}
 */
export function initialState(outline, place) {
    const unfold = { ...recallUnfold(), detail: place.detail };
    return {
        leaf: place.leaf,
        target: place.target,
        compare: place.compare,
        cursor: place.target >= 0 ? place.target : place.leaf,
        filter: place.filter,
        query: boundedQuery(place.query),
        queryCut: false,
        hits: null,
        searching: false,
        hitAt: -1,
        folds: NO_FOLDS,
        only: place.only,
        labelTimes: recall(LABEL_TIMES) === "true",
        view: place.view,
        call: place.call,
        order: place.order,
        file: place.file,
        unfold,
        toggled: toggledToShow(outline, { unfold, toggled: NO_TOGGLES, leaf: place.leaf, only: place.only }, place.target),
    };
}
