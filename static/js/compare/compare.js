/**
 * The comparison. A script of its own, which is only in pages with several branches: the page's script asks for the view
 * by an event.
 */

import { listen } from "../base/dom.js";
import { makeCompare } from "./view.js";

/** @import { CompareAsked } from "./view.js" */

listen(window, /** @type {any} */ ("compare"), (/** @type {any} */ event) => {
    /** @type {CompareAsked} */
    const asked = event.detail;
    asked.take(makeCompare(asked));
});
