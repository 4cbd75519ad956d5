/** The menu behind the "more" button: the moves with their counts, the branches, print, the session file, keys. */

import { COMMANDS, keysOf } from "../actions/commands.js";
import { move, MOVE_KINDS, moveToHit, stopsOf } from "../actions/moves.js";
import { byId, listen, make, makeButton, setText } from "../base/dom.js";
import { CHOICES } from "../state/choices.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { drawChoices, makeChoice } from "./choices.js";

/** @import { CommandId } from "../actions/commands.js" */
/** @import { Parts } from "../actions/parts.js" */
/** @import { CommandActions } from "./run.js" */

/**
 * @param {Parts} parts
 * @param {CommandActions} actions
 * @returns {() => void} opens it
 */
export function makeMenu(parts, actions) {
    const [dialog, body] = makeDialog("menu", "View");
    const views = /** @type {Element} */ (byId("views").cloneNode(true));
    views.removeAttribute("id");
    const moves = make("div", "moves");
    const rows = MOVE_KINDS.map((kind) => makeMoveRow(kind, (step) => void move(parts, kind, step)));
    const hits = makeMoveRow({ name: "hit", many: "Search hits" }, moveToHit);
    moves.append(...rows.map((row) => row.element), hits.element);
    const draw = () => {
        MOVE_KINDS.forEach((kind, at) => rows[at].count(stopsOf(parts, kind).length));
        hits.count(parts.store.get().hits?.count ?? 0);
    };
    /** @type {(id: CommandId) => void} */
    const runInstead = (id) => {
        dialog.close();
        actions[id](0);
    };
    const others = make("div", "menu-actions");
    const hasSource = document.getElementById("source") !== null;
    for (const { id, keys, menu } of COMMANDS) {
        if (id !== null && menu !== undefined && (id !== "download" || hasSource)) {
            const item = makeButton("menu-item", menu, () => runInstead(id));
            item.dataset.command = id;
            item.append(...keys.map(makeKey));
            others.append(item);
        }
    }
    const choices = make("div", "choices");
    for (const choice of CHOICES) {
        choices.append(make("span", "", choice.label), makeChoice(choice));
    }
    body.append(views, choices, moves, others);
    // Another view has other stops.
    listen(body, "click", () => queueMicrotask(draw));
    return () => {
        draw();
        drawChoices(parts.store.get().unfold);
        openDialog(dialog);
    };
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
 * @param {{name: CommandId, many: string}} kind its name is the id of its command
 * @param {(step: 1 | -1) => void} go
 * @returns {{element: HTMLElement, count: (count: number) => void}}
 */
function makeMoveRow({ name, many }, go) {
    const [next, previous] = keysOf(name);
    const element = make("div", "move");
    element.dataset.move = name;
    const number = make("span", "move-count");
    const before = makeButton("move-prev", "", () => go(-1));
    const after = makeButton("move-next", "", () => go(1));
    before.setAttribute("aria-label", `Previous: ${many.toLowerCase()}`);
    after.setAttribute("aria-label", `Next: ${many.toLowerCase()}`);
    before.title = previous;
    after.title = next;
    const label = make("span", "move-name", many);
    // The same in the map.
    label.style.setProperty("--color", `var(--map-${name})`);
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
