/**
 * The view Changes. A script of its own, which is only in pages of sessions that edited files: the page's script asks for
 * the view by an event.
 */

import { byId, listen } from "../base/dom.js";
import { sayChanges } from "../base/has-changes.js";
import { makeChangesView } from "./view.js";

/** @import { ChangesAsked } from "./view.js" */

sayChanges();
listen(window, /** @type {any} */ ("changes"), (/** @type {any} */ event) => {
    /** @type {ChangesAsked} */
    const asked = event.detail;
    asked.take(makeChangesView(asked));
    addTabs();
});

/** A narrow screen has the names of the views above the page, as the top bar has no room for them. */
function addTabs() {
    const row = /** @type {HTMLElement} */ (byId("views").cloneNode(true));
    row.removeAttribute("id");
    row.classList.add("tab-row");
    document.querySelector("main")?.prepend(row);
}
