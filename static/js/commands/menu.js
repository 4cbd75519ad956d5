/** The menu behind the "more" button: the moves with their counts, the branches, print, the session file, keys. */

import { COMMANDS, keysOf } from "../actions/commands.js";
import { move, MOVE_KINDS, moveToHit, stopsOf } from "../actions/moves.js";
import { byId, listen, make, makeButton, setText } from "../base/dom.js";
import { CHOICES } from "../state/choices.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { drawChoices, makeChoice } from "./choices.js";

/** @import { Command } from "../actions/commands.js" */
/** @import { Parts } from "../actions/parts.js" */
/** @import { CommandAction } from "./run.js" */

/**
 * @param {Parts} parts
 * @param {Map<string, CommandAction>} actions by the ids of their commands
 * @returns {() => void} opens it
 */
export function makeMenu(parts, actions) {
    const [dialog, body] = makeDialog("menu", "View and navigate");
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
    /** @type {(id: string) => void} */
    const runInstead = (id) => {
        dialog.close();
        actions.get(id)?.(0);
    };
    const others = make("div", "menu-actions");
    others.append(...menuCommands().map((command) => menuItem(command, runInstead)));
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
 * @returns {Command[]}
 */
function menuCommands() {
    const hasSource = document.getElementById("source") !== null;
    return COMMANDS.filter(({ id, menu }) => menu !== undefined && (id !== "download" || hasSource));
}

/**
 * @param {Command} command
 * @param {(id: string) => void} run
 * @returns {HTMLElement}
 */
function menuItem({ id = "", keys, menu = "" }, run) {
    const button = makeButton("menu-item", menu, () => run(id));
    button.dataset.command = id;
    button.append(...keys.map(makeKey));
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
 * @param {{name: string, many: string}} kind its name is the id of its command
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
