/**
 * Runs behind the link to the index of an archive: it is shown where the index led here. Whoever gets the page alone has no
 * use for it.
 */

import { byId } from "./base/dom.js";

if (new URLSearchParams(location.search).has("archive")) {
    byId("all-sessions").hidden = false;
}
