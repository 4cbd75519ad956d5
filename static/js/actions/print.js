/** Paper: the Print button completes what is shown first; the browser's own print says what is missing. */

import { byId, counted, listen } from "../base/dom.js";
import { pathTo } from "../outline/paths.js";
import { toggledToShowAll } from "../state/steps.js";

/** @import { Parts } from "./parts.js" */

/** `details` whose content is not on paper while they are closed. */
const FOLDED = "details:not([open])";

const LEAVES_OUT = "This printout leaves out";

/**
 * The list shown.
 *
 * @returns {HTMLElement}
 */
function shownPane() {
    const shown = ["compare-view", "context-view", "changes"].map(byId).find((pane) => !pane.hidden);
    return shown ?? byId("transcript");
}

/**
 * @returns {HTMLDetailsElement[]} closed ones of articles shown
 */
function foldedOnShow() {
    const folded = /** @type {HTMLDetailsElement[]} */ (Array.from(shownPane().querySelectorAll(FOLDED)));
    return folded.filter((details) => details.closest("[hidden]") === null);
}

/**
 * Opens everything of the path shown, as at the level Full, prints, and closes it again.
 *
 * @param {Parts} parts
 * @returns {Promise<void>}
 */
export async function printAll(parts) {
    const before = parts.store.get();
    parts.store.update({ only: false, toggled: toggledToShowAll(parts.outline, { ...before, only: false }) });
    if (before.compare >= 0) {
        // Long sides are laid out as far as the reader asked for; paper says what is missing.
    } else if (before.view === "context") {
        await parts.contextView.finish();
    } else if (before.view === "changes") {
        await parts.changes?.finish();
    } else {
        await parts.transcript.unroll();
    }
    await parts.fillPictures(shownPane());
    const facts = /** @type {HTMLDetailsElement[]} */ (Array.from(byId("session").querySelectorAll(FOLDED)));
    const opened = [...foldedOnShow(), ...facts];
    for (const details of opened) {
        details.open = true;
    }
    listen(window, 
        "afterprint",
        () => {
            for (const details of opened) {
                details.open = false;
            }
            parts.store.update({ only: before.only, toggled: before.toggled });
            parts.transcript.rollUp();
        },
        { once: true },
    );
    print();
}

/**
 * @param {Parts} parts
 */
export function startPrint(parts) {
    const note = byId("paper-note");
    listen(window, "beforeprint", () => {
        // For the margin of each page (print.css).
        document.documentElement.style.setProperty("--title", JSON.stringify(document.querySelector("h1")?.textContent ?? ""));
        const missing = missingOnPaper(parts);
        note.hidden = missing === "";
        note.textContent = missing;
    });
    listen(window, "afterprint", () => {
        note.hidden = true;
    });
}

/**
 * @param {Parts} parts
 * @returns {string} empty when nothing is missing
 */
function missingOnPaper(parts) {
    const { outline, store, transcript, contextView, compare } = parts;
    const { leaf, view } = store.get();
    const missing = [];
    const shut = shownPane().querySelectorAll(":scope > article.shut").length;
    if (shut > 0) {
        missing.push(counted(shut, "collapsed entry", "collapsed entries"));
    }
    const folded = foldedOnShow().length;
    if (folded > 0) {
        missing.push(counted(folded, "collapsed part"));
    }
    if (store.get().compare >= 0) {
        const left = (compare?.sides() ?? []).reduce((sum, side) => sum + side.pane.entries().length - side.articles().length, 0);
        if (left > 0) {
            missing.push(`${counted(left, "entry", "entries")} of the two branches`);
        }
        return missing.length === 0 ? "" : `${LEAVES_OUT} ${missing.join(", ")}.`;
    }
    const listed = transcript.pane.entries().length;
    const filtered = view === "path" ? pathTo(outline, leaf).length - listed : 0;
    const [from, to] = transcript.pane.span();
    if (view === "path" && to - from < listed) {
        missing.push(counted(listed - (to - from), "entry", "entries"));
    }
    if (filtered > 0) {
        missing.push(`${counted(filtered, "entry", "entries")} hidden by the filter or the search`);
    }
    if (view === "context" && !contextView.isComplete()) {
        missing.push("messages not yet loaded");
    }
    return missing.length === 0
        ? ""
        : `${LEAVES_OUT} ${missing.join(", ")}. “Print everything” in the menu, or the key p, adds all of it.`;
}
