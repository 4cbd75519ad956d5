/** The menu behind the "more" button: the moves with their counts, the branches, print, the session file, keys. */

import { move, MOVE_KINDS, moveBack, moveToHit, stopsOf } from "../actions/moves.js";
import { byId, listen, make, makeButton, setText } from "../base/dom.js";
import { CHOICES } from "../state/choices.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { drawChoices, makeChoice } from "./choices.js";

/** @import { Parts } from "../actions/parts.js" */

/**
 * @typedef {object} MenuActions
 * @property {() => void} leaves
 * @property {() => void} compare
 * @property {() => void} print
 * @property {() => void} overlay
 * @property {() => void} download
 */

/**
 * @param {Parts} parts
 * @param {MenuActions} actions
 * @returns {() => void} opens it
 */
export function makeMenu(parts, actions) {
    const [dialog, body] = makeDialog("menu", "Reading");
    const views = [byId("detail"), byId("views")].map((group) => {
        const copy = group.cloneNode(true);
        if (copy instanceof Element) {
            copy.removeAttribute("id");
        }
        return copy;
    });
    const moves = make("div", "moves");
    const rows = MOVE_KINDS.map((kind) => makeMoveRow(kind, (step) => void move(parts, kind, step)));
    const hits = makeMoveRow({ name: "hit", many: "Search hits", keys: ["n", "N"] }, moveToHit);
    moves.append(...rows.map((row) => row.element), hits.element);
    const draw = () => {
        MOVE_KINDS.forEach((kind, at) => rows[at].count(stopsOf(parts, kind).length));
        hits.count(parts.store.get().hits?.count ?? 0);
    };
    /** @type {(action: () => void) => () => void} */
    const instead = (action) => () => {
        dialog.close();
        action();
    };
    const others = make("div", "menu-actions");
    others.append(
        menuItem("Back to where I was", "b", instead(() => moveBack(parts))),
        menuItem("All branches", "l", instead(actions.leaves)),
        menuItem("Compare with another branch", "d", instead(actions.compare)),
        menuItem("Print everything", "", instead(actions.print), "print"),
        ...(document.getElementById("source") === null
            ? []
            : [menuItem("Download the session file", "", instead(actions.download), "download")]),
        menuItem("Keys", "?", instead(actions.overlay)),
    );
    body.append(...views);
    const choices = make("div", "choices");
    for (const choice of CHOICES) {
        choices.append(make("span", "", choice.label), makeChoice(choice));
    }
    body.append(choices, moves, others);
    // Another view has other stops.
    listen(body, "click", () => queueMicrotask(draw));
    return () => {
        draw();
        drawChoices(parts.store.get().unfold);
        openDialog(dialog);
    };
}

/**
 * @param {string} text
 * @param {string} key
 * @param {() => void} action
 * @param {string} [id]
 * @returns {HTMLElement}
 */
function menuItem(text, key, action, id) {
    const button = makeButton("menu-item", text, action);
    if (key !== "") {
        button.append(makeKey(key));
    }
    if (id !== undefined) {
        button.id = id;
    }
    return button;
}

/**
 * @param {string} key
 * @returns {HTMLElement}
 */
function makeKey(key) {
    const element = make("kbd", "", key);
    element.setAttribute("aria-hidden", "true");
    return element;
}

/**
 * @param {{name: string, many: string, keys: [string, string]}} kind
 * @param {(step: 1 | -1) => void} go
 * @returns {{element: HTMLElement, count: (count: number) => void}}
 */
function makeMoveRow({ name, many, keys }, go) {
    const element = make("div", "move");
    element.dataset.move = name;
    const number = make("span", "move-count");
    const before = makeButton("move-prev", "", () => go(-1));
    const after = makeButton("move-next", "", () => go(1));
    before.setAttribute("aria-label", `Previous of: ${many.toLowerCase()}`);
    after.setAttribute("aria-label", `Next of: ${many.toLowerCase()}`);
    before.title = keys[1];
    after.title = keys[0];
    const label = make("span", "move-name", many);
    element.append(label, number, before, after);
    return {
        element,
        count(count) {
            setText(label, count === 0 ? `No ${many.toLowerCase()}` : many);
            setText(number, count === 0 ? "" : String(count));
            element.classList.toggle("none", count === 0);
            before.toggleAttribute("disabled", count === 0);
            after.toggleAttribute("disabled", count === 0);
        },
    };
}
