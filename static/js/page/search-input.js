/** What pointer and keyboard do in the search field above the tree. */

import { chooseEntry } from "../actions/places.js";
import { search } from "../actions/reader.js";
import { byId, inputById, listen } from "../base/dom.js";
import { startSearchBox } from "../search/box.js";
import { startSearchHelp } from "../search/help.js";
import { nextHit } from "./hits.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Marker } from "../transcript/marks.js" */
/** @import { Drawer } from "../ui/drawer.js" */
/** @import { Renderer } from "./render.js" */

/** A first mark lower than this is brought up. */
const MARK_ROOM = 96;

/**
 * @param {Parts} parts
 * @param {Renderer} renderer
 * @param {Drawer} drawer
 * @param {Marker} marker
 * @returns {() => void} goes to the field
 */
export function listenToSearch(parts, renderer, drawer, marker) {
    const field = inputById("search");
    /** @type {(step: 1 | -1) => void} */
    const walk = (step) => {
        const hit = nextHit(renderer.hitOrder(), parts.store.get().hitAt, step);
        if (hit >= 0) {
            walkTo(parts, marker, hit);
            if (drawer.close()) {
                parts.reading.focus(hit);
            }
        }
    };
    startSearchBox(field, {
        search: (query) => search(parts, query),
        walk,
    });
    listen(byId("prev-hit"), "click", () => walk(-1));
    listen(byId("next-hit"), "click", () => walk(1));
    startSearchHelp(field, (query) => search(parts, query));
    return () => {
        drawer.open();
        field.focus();
        field.select();
    };
}

/**
 * Goes to a hit, with the folds around its words opened and the first of them in view.
 *
 * @param {Parts} parts
 * @param {Marker} marker
 * @param {number} hit
 */
function walkTo(parts, marker, hit) {
    const { reading, store } = parts;
    chooseEntry(parts, hit);
    // Also when it was chosen before: then the choice changes nothing.
    store.update({ hitAt: hit });
    marker.open(hit);
    reading.jump(() => {
        reading.elementOf(hit)?.scrollIntoView({ block: "start" });
        const first = marker.open(hit);
        if (first !== null && first.bottom > innerHeight - MARK_ROOM) {
            scrollBy(0, first.top - innerHeight / 3);
        }
    });
}
