/** The list of all branches, as a dialog: what each ended with; choosing one opens it, or compares it. */

import { openLeaf } from "../actions/moves.js";
import { byId, counted, eventTarget, hasModifier, inputById, listen, make, setText } from "../base/dom.js";
import { runInSlices } from "../base/slices.js";
import { comparable, startCompare } from "../compare/choose.js";
import { branchesOf } from "../outline/branches.js";
import { standingLeaf } from "../outline/paths.js";
import { sessionNames } from "../outline/sessions.js";
import { ENTRY_TIME } from "../transcript/times.js";
import { dialogById, openDialog } from "../ui/dialog.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Branch } from "../outline/branches.js" */
/** @import { Outline } from "../outline/outline.js" */

/** From so many on there is a field to filter them. */
const FILTERED_FROM = 12;

/**
 * @param {Parts} parts
 * @returns {{open: () => void, compare: (branches: Branch[]) => void}} each opens it
 */
export function makeLeavesDialog(parts) {
    const { outline, store } = parts;
    const dialog = dialogById("leaves");
    const field = inputById("leaves-filter");
    const status = byId("leaves-status");
    const list = byId("leaves-list");
    const uses = queryButtons(dialog);
    /** @type {Branch[]} */
    let branches = [];
    let use = "open";
    let stop = () => {};

    const draw = () => {
        stop();
        const words = queryOf(field.value);
        const found = branches.filter((branch) => fits(branch, words));
        list.replaceChildren();
        for (const button of uses.querySelectorAll("button")) {
            button.setAttribute("aria-pressed", String(button.dataset.use === use));
        }
        const place = outline.session[store.get().leaf] === 0 ? "" : ` in ${sessionNames(outline, store.get().leaf)}`;
        setText(status, leavesStatus(found.length, branches.length) + place);
        let next = 0;
        stop = runInSlices({
            step() {
                if (found[next] !== undefined) {
                    list.append(makeLeafItem(outline, found[next], store.get().leaf, next === 0));
                }
                return ++next < found.length;
            },
        });
    };
    listen(uses, "click", (event) => {
        const chosen = eventTarget(event, "button[data-use]")?.dataset.use;
        if (chosen !== undefined && chosen !== use) {
            use = chosen;
            branches = use === "compare" ? comparable(parts) : branchesOf(outline, store.get().leaf);
            draw();
        }
    });
    listen(field, "input", draw);
    listen(dialog, "close", () => stop());
    listen(dialog, "keydown", (event) => moveInList(list, field, event));
    listen(list, "click", (event) => {
        const leaf = Number(eventTarget(event, "button[data-leaf]")?.dataset.leaf ?? -1);
        if (leaf >= 0) {
            dialog.close();
            if (use === "compare") {
                startCompare(parts, leaf);
            } else {
                openLeaf(parts, leaf);
            }
        }
    });
    /** @type {(chosen: string, offered: Branch[]) => void} */
    const open = (chosen, offered) => {
        field.value = "";
        use = chosen;
        branches = offered;
        uses.hidden = comparable(parts).length === 0;
        field.hidden = branches.length <= FILTERED_FROM;
        openDialog(dialog);
        draw();
        if (field.hidden) {
            list.querySelector("button")?.focus();
        } else {
            field.focus();
        }
    };
    return {
        open: () => open("open", branchesOf(outline, store.get().leaf)),
        compare: (offered) => open("compare", offered),
    };
}

/**
 * @param {HTMLElement} dialog
 * @returns {HTMLElement} the two buttons that say what choosing does
 */
function queryButtons(dialog) {
    return /** @type {HTMLElement} */ (dialog.querySelector(".leaves-use"));
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function queryOf(text) {
    return text.toLowerCase().split(/\s+/u).filter((word) => word !== "");
}

/**
 * @param {Branch} branch
 * @param {string[]} words
 * @returns {boolean}
 */
function fits(branch, words) {
    const text = `${branch.title} ${branch.words} ${branch.label ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
}

/**
 * @param {number} found
 * @param {number} all
 * @returns {string}
 */
function leavesStatus(found, all) {
    const branches = counted(all, "branch", "branches");
    return found === all ? branches : `${found} of ${branches}`;
}

/**
 * @param {Outline} outline
 * @param {Branch} branch
 * @param {number} shown the current leaf
 * @param {boolean} isFirst the list is one tab stop
 * @returns {HTMLElement}
 */
function makeLeafItem(outline, branch, shown, isFirst) {
    const button = make("button", "leaf-choice");
    button.setAttribute("type", "button");
    button.tabIndex = isFirst ? 0 : -1;
    button.dataset.leaf = String(branch.leaf);
    if (branch.leaf === shown) {
        button.setAttribute("aria-current", "true");
    }
    const facts = make("span", "leaf-facts");
    facts.append(make("span", "leaf-state", leafState(outline, branch.leaf, shown)));
    if (branch.label !== null) {
        facts.append(make("span", "entry-label", branch.label));
    }
    facts.append(make("span", "", counted(branch.entries, "entry", "entries")));
    if (branch.time !== null) {
        facts.append(leafTime(branch.time));
    }
    button.append(make("span", "leaf-words", branch.title || "no text"));
    if (branch.words !== branch.title) {
        button.append(make("span", "leaf-end", branch.words));
    }
    button.append(facts);
    const item = document.createElement("li");
    item.append(button);
    return item;
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @param {number} shown
 * @returns {string}
 */
function leafState(outline, leaf, shown) {
    return leaf === shown ? "this branch" : leaf === standingLeaf(outline, leaf) ? "active branch" : "other branch";
}

const LEAF_TIME = new Intl.DateTimeFormat(undefined, ENTRY_TIME);

/**
 * @param {number} time
 * @returns {HTMLElement}
 */
function leafTime(time) {
    const element = document.createElement("time");
    const date = new Date(time);
    if (!Number.isNaN(date.getTime())) {
        element.dateTime = date.toISOString();
        element.textContent = `last used ${LEAF_TIME.format(date)}`;
    }
    return element;
}

/**
 * Arrows walk the list; from the field, down leads into it.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement} field
 * @param {KeyboardEvent} event
 */
function moveInList(list, field, event) {
    const at = document.activeElement?.closest("li");
    const inList = at !== null && at !== undefined && list.contains(at);
    const { firstElementChild, lastElementChild } = list;
    const keys = {
        ArrowDown: inList ? at.nextElementSibling : firstElementChild,
        ArrowUp: inList ? at.previousElementSibling : null,
        Home: firstElementChild,
        End: lastElementChild,
    };
    const next = hasModifier(event) ? null : keys[/** @type {keyof typeof keys} */ (event.key)];
    const leaving = inList && event.key === "ArrowUp" && at.previousElementSibling === null && !field.hidden;
    const button = leaving ? field : next?.querySelector("button");
    if (button !== null && button !== undefined && (inList || event.key === "ArrowDown")) {
        event.preventDefault();
        for (const stop of list.querySelectorAll('button[tabindex="0"]')) {
            stop.setAttribute("tabindex", "-1");
        }
        (next?.querySelector("button") ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
        button.focus();
    }
}
