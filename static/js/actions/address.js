/** Following links, and changes of the address. */

import { readScrollMark } from "../address/history.js";
import { IS_LOCKED, placeAt } from "../address/link.js";
import { resolveLink } from "../address/resolve.js";
import { isTelling, paramsOf } from "../address/write.js";
import { boundedQuery } from "../search/bounds.js";
import { arrival, arriveAt, arriveAtCompare, showPlace } from "./places.js";
import { runSearch } from "./reader.js";

/** @import { Link, Spot } from "../address/resolve.js" */
/** @import { Notice } from "../ui/notice.js" */
/** @import { Parts } from "./parts.js" */

/**
 * @param {Parts} parts
 * @param {Link} link
 */
export function followLink(parts, link) {
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
export function followAddress(parts, historyState) {
    const mark = readScrollMark(historyState);
    parts.addressBar.drop();
    const place = placeAt(parts.outline, location);
    if (parts.addressBar.isNews() || place.call !== parts.store.get().call) {
        const { leaf, target, compare, filter, view, order, file, call, only, detail } = place;
        const before = parts.store.get();
        const query = IS_LOCKED ? place.query || before.query : place.query;
        const unfold = before.unfold.detail === detail ? before.unfold : { ...before.unfold, detail };
        const arrived = arrival(parts.outline, { ...before, unfold }, leaf, target);
        parts.store.update({ unfold, filter, view, order, file, call, only, leaf, target, compare, ...arrived });
        if (boundedQuery(query) !== before.query) {
            runSearch(parts, query);
        }
        tellProblems(parts.notice, place);
        arriveAt(parts.reading, place.target, mark);
        if (view === "changes" && file !== "" && mark === null) {
            void parts.changes?.goToFile(file);
        }
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
export function tidyAddress({ outline, store, addressBar }) {
    if (isTelling(location)) {
        addressBar.replace(paramsOf(outline, store.get()));
    }
}

/**
 * @param {Notice} notice
 * @param {Spot} place
 */
export function tellProblems(notice, place) {
    if (place.problems.length > 0) {
        notice.tell(place.problems.join(" "));
    } else {
        notice.clear();
    }
}
