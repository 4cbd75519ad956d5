/** What pointer and keyboard do in the tree. */

import { chooseEntry } from "../actions/places.js";
import { openSession } from "../actions/sessions.js";
import { byId, eventTarget, listen } from "../base/dom.js";
import { FOLD_OPEN, withFold } from "../outline/folds.js";
import { sessionOfRow } from "../outline/sessions.js";
import { flip } from "../state/steps.js";
import { foldAfterKey, listenToTreeKeys, rowAfterKey } from "./keys.js";
import { cursorRow } from "./place.js";
import { makeTypeAhead } from "./type-ahead.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Drawer } from "../ui/drawer.js" */
/** @import { Layout } from "./layout.js" */
/** @import { TreeView } from "./view.js" */

/**
 * @typedef {object} ShownTree
 * @property {TreeView} treeView
 * @property {() => Layout} layout of the rows on the screen
 */

/**
 * @param {Parts} parts
 * @param {ShownTree} rendering
 * @param {Drawer} drawer
 */
export function listenToTree(parts, rendering, drawer) {
    const { outline, reading } = parts;
    const tree = byId("tree");
    /** @type {(n: number) => void} */
    const choose = (n) => {
        const started = sessionOfRow(outline, n, parts.store.get().leaf);
        if (started !== 0) {
            openSession(parts, started);
        } else {
            chooseEntry(parts, n);
        }
        if (drawer.close()) {
            reading.focus(n);
        }
    };
    listen(tree, "click", (event) => {
        const key = eventTarget(event, "[role=treeitem]")?.dataset.entryId;
        const n = key === undefined ? undefined : outline.byKey.get(key);
        if (n === undefined) {
            return;
        }
        if (eventTarget(event, ".fold-mark") === null) {
            choose(n);
        } else {
            openOrClose(n, rendering.layout().fold[n] === FOLD_OPEN);
        }
    });
    /** @type {(n: number, on: boolean) => void} */
    const openOrClose = (n, on) => {
        if (rendering.layout().quiet.get(outline.run[n]) === n) {
            // A new set of folds: the tree holds the row that was opened or closed.
            const toggled = new Set(parts.store.get().toggled);
            flip(toggled, outline.run[n]);
            parts.store.update({ toggled, folds: new Set(parts.store.get().folds), cursor: n });
        } else {
            foldRow(parts, n, on);
        }
    };
    listenToTreeKeys(tree, makeTreeKeys(parts, rendering, choose, openOrClose));
}

/**
 * @param {Parts} parts
 * @param {ShownTree} rendering
 * @param {(n: number) => void} choose
 * @param {(n: number, on: boolean) => void} openOrClose
 * @returns {(key: string) => boolean} false when the key means nothing here
 */
function makeTreeKeys(parts, rendering, choose, openOrClose) {
    const { outline, store } = parts;
    const { treeView } = rendering;
    const typeAhead = makeTypeAhead(outline);
    return (key) => {
        const layout = rendering.layout();
        const row = cursorRow(outline, layout, store.get());
        if (row < 0) {
            return false;
        }
        const typed = "pointer" in byId("tree").dataset ? -1 : typeAhead.press(layout, row, key);
        const n = layout.order[row];
        if (typed < 0 && (key === "Enter" || key === " ")) {
            choose(n);
            return true;
        }
        const fold = foldAfterKey(layout, row, key);
        if (fold !== null) {
            openOrClose(n, fold);
            return true;
        }
        const next = typed < 0 ? rowAfterKey(layout, row, treeView.pageSize(), key) : typed;
        if (next >= 0) {
            store.update({ cursor: layout.order[next] });
            treeView.reveal(next);
        }
        return next >= 0;
    };
}

/**
 * @param {Parts} parts
 * @param {number} n
 * @param {boolean} on
 */
export function foldRow({ store }, n, on) {
    store.update({ folds: withFold(store.get().folds, n, on), cursor: n });
}
