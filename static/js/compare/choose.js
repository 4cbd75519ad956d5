/** Choosing what to compare: from a fork, by key, from the list of branches; and closing the comparison again. */

import { clickTranscript } from "../actions/clicks.js";
import { openLeaf } from "../actions/moves.js";
import { arriveAtCompare, leaveFootprint, showPlace } from "../actions/places.js";
import { paramsOf } from "../address/write.js";
import { byId, eventTarget, listen, makeButton } from "../base/dom.js";
import { keyOfArticle } from "../chunks/articles.js";
import { branchesOf } from "../outline/branches.js";
import { commonAncestor, isOnPath, pathTo } from "../outline/paths.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Branch } from "../outline/branches.js" */

/**
 * @param {Parts} parts
 * @param {number} other
 */
export function startCompare(parts, other) {
    const { store, notice } = parts;
    notice.clear();
    showPlace(parts, store.get().leaf, -1, true, "path", other);
    arriveAtCompare(parts);
}

/**
 * Back to the path, at the entry that was read where that is on it, else where the branches part.
 *
 * @param {Parts} parts
 */
export function closeCompare(parts) {
    const { outline, store, reading, addressBar } = parts;
    const { leaf, compare, target } = store.get();
    if (compare < 0) {
        return;
    }
    const mark = reading.scrollMark();
    const at = outline.byKey.get(mark?.at ?? "") ?? -1;
    const change = { compare: -1, target: target >= 0 && isOnPath(outline, target, leaf) ? target : -1 };
    leaveFootprint(parts);
    addressBar.push(paramsOf(outline, { ...store.get(), ...change }));
    store.update(change);
    parts.notice.clear();
    reading.wander();
    if (mark !== null && at >= 0 && isOnPath(outline, at, leaf)) {
        reading.restore(mark);
        reading.focus(at);
    } else {
        const ancestor = commonAncestor(outline, leaf, compare);
        const near = ancestor < 0 ? pathTo(outline, leaf)[0] : ancestor;
        reading.goTo(near);
        reading.focus(near);
    }
}

/**
 * The branches that can be compared with the one shown.
 *
 * @param {Parts} parts
 * @returns {Branch[]}
 */
export function comparable({ outline, store }) {
    const { leaf } = store.get();
    return branchesOf(outline, leaf).filter((branch) => branch.leaf !== leaf);
}

/**
 * Compares at once where there is only one to compare with.
 *
 * @param {Parts} parts
 * @param {Branch[]} branches
 * @param {(branches: Branch[]) => void} choose
 */
export function compareOneOf(parts, branches, choose) {
    if (branches.length === 0) {
        parts.notice.mention("There is no other branch to compare with");
    } else if (branches.length === 1) {
        startCompare(parts, branches[0].leaf);
    } else {
        choose(branches);
    }
}

/**
 * The branches that leave a path at one of its entries' parents.
 *
 * @param {Parts} parts
 * @param {number} n the entry that begins a branch of several
 * @returns {Branch[]}
 */
function branchesBeside(parts, n) {
    const { outline } = parts;
    const above = outline.parent[n];
    const others = comparable(parts).filter(({ leaf }) => !isOnPath(outline, n, leaf));
    return others.filter(({ leaf }) => above < 0 || isOnPath(outline, above, leaf));
}

/**
 * The button beside the links to the other branches.
 *
 * @param {HTMLElement} article
 */
export function addForkCompare(article) {
    const nav = article.querySelector(":scope > nav.fork");
    if (nav !== null && nav.querySelector(".fork-compare") === null) {
        const button = makeButton("fork-compare", "Compare");
        button.title = "Compare this branch with another";
        nav.firstElementChild?.after(button);
    }
}

/**
 * @param {Parts} parts
 * @param {(branches: Branch[]) => void} choose
 */
export function startComparing(parts, choose) {
    const { outline } = parts;
    listen(byId("transcript"), "click", (event) => {
        const article = eventTarget(event, "button.fork-compare")?.closest("article");
        const n = outline.byKey.get(keyOfArticle(article)) ?? -1;
        if (n >= 0) {
            compareOneOf(parts, branchesBeside(parts, n), choose);
        }
    });
    listen(byId("compare-view"), "click", (event) => {
        const leaf = Number(eventTarget(event, "button.side-open")?.dataset.leaf ?? -1);
        if (leaf >= 0) {
            openLeaf(parts, leaf);
        } else if (eventTarget(event, "button.compare-close") !== null) {
            closeCompare(parts);
        } else if (eventTarget(event, "button.compare-other") !== null) {
            compareOneOf(parts, comparable(parts), choose);
        } else {
            clickTranscript(parts, event);
        }
    });
}
