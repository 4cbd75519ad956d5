/** Clicks in the transcript. */

import { copyText, shareAddress } from "../address/copy.js";
import { ANCHOR } from "../address/link.js";
import { eventTarget, hasModifier } from "../base/dom.js";
import { keyOfArticle } from "../chunks/articles.js";
import { hasChanges } from "../base/has-changes.js";
import { isOnPath, resultOnPath } from "../outline/paths.js";
import { focusForkLink } from "../transcript/fork-links.js";
import { followLink } from "./address.js";
import { followEntry, showTurnChanges } from "./places.js";
import { clickSteps } from "./steps.js";

/** @import { Parts } from "./parts.js" */

/**
 * A click in the transcript: a copy button, a tool call's stub, a link to an entry.
 *
 * @param {Parts} parts
 * @param {MouseEvent} event
 */
export function clickTranscript(parts, event) {
    const { outline, store, notice } = parts;
    const { leaf, compare } = store.get();
    if (eventTarget(event, ".steps-toggle :is(ins, del)") !== null && hasChanges()) {
        const n = outline.byKey.get(keyOfArticle(eventTarget(event, "article"))) ?? -1;
        showTurnChanges(parts, n);
        return;
    }
    if (clickSteps(parts, event)) {
        return;
    }
    const copy = eventTarget(event, "a.copy-link");
    if (copy !== null) {
        if (event.button !== 0 || hasModifier(event)) {
            return;
        }
        event.preventDefault();
        const beside = compare < 0 ? null : outline.keys[compare];
        void copyText(shareAddress(outline.keys[leaf], keyOfArticle(copy.closest("article")), beside), "Link copied", notice);
        return;
    }
    const raw = eventTarget(event, "button.raw")?.closest("article");
    if (raw) {
        void parts.raw.open(raw);
    }
    const link = eventTarget(event, `a[href^="${ANCHOR}"]`);
    if (link === null || event.button !== 0 || hasModifier(event)) {
        return;
    }
    event.preventDefault();
    /** @type {HTMLElement | null} */
    const list = link.closest("[popover]");
    list?.hidePopover();
    if (link.dataset.goTo !== undefined) {
        // A file, which the view Changes shows.
        return;
    }
    if (link.matches(".call")) {
        const place = outline.byKey.get(keyOfArticle(link.closest("article"))) ?? leaf;
        followCall(parts, link.dataset.results ?? "", compare >= 0 && isOnPath(outline, place, compare) ? compare : leaf);
    } else {
        const key = link.getAttribute("href")?.slice(ANCHOR.length) ?? null;
        const n = compare < 0 ? -1 : outline.byKey.get(key ?? "") ?? -1;
        if (parts.compare?.holds(n) === true) {
            followEntry(parts, n);
            return;
        }
        followLink(parts, { leafId: outline.keys[leaf], targetId: key, compare: null, anchor: true });
        void focusWithin(parts, store.get().target, link.getAttribute("rel"));
        if (list !== null) {
            void openCard(parts, store.get().target);
        }
    }
}

/**
 * Who comes from a list wants to read what it counts.
 *
 * @param {Parts} parts
 * @param {number} n
 */
async function openCard({ reading, transcript }, n) {
    await transcript.filled(n);
    reading.elementOf(n)?.querySelector("details.card")?.setAttribute("open", "");
}

/**
 * Puts the focus on an entry, or on its link to a branch once that is there.
 *
 * @param {Parts} parts
 * @param {number} n
 * @param {string | null} rel
 */
async function focusWithin({ reading, transcript }, n, rel) {
    if (focusForkLink(reading.elementOf(n), rel)) {
        return;
    }
    reading.focus(n);
    if (rel !== null) {
        await transcript.filled(n);
        if (document.activeElement === reading.elementOf(n)) {
            focusForkLink(reading.elementOf(n), rel);
        }
    }
}

/**
 * @param {Parts} parts
 * @param {string} results
 * @param {number} leaf
 */
function followCall(parts, results, leaf) {
    const result = resultOnPath(parts.outline, results, leaf);
    if (result >= 0) {
        followEntry(parts, result);
    } else {
        parts.notice.mention("No result of this call on this branch");
    }
}
