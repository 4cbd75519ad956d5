/**
 * The view Changes. A script of its own, which is only in pages of sessions that edited files: the page's script asks for
 * the view by an event.
 */

import { listen } from "../base/dom.js";
import { makeChangesView } from "./view.js";

/** @import { ChangesAsked } from "./view.js" */

listen(window, /** @type {any} */ ("changes"), (/** @type {any} */ event) => {
    /** @type {ChangesAsked} */
    const asked = event.detail;
    asked.take(makeChangesView(asked));
});
