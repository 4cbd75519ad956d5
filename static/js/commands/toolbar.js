/** The tools in the top bar, on a phone partly at the lower edge: one tab stop, arrows inside. */

import { chooseDetail, chooseUnfold } from "../actions/choices.js";
import { clickTranscript } from "../actions/clicks.js";
import { isWalkingHits, move, MOVE_KINDS, moveToHit } from "../actions/moves.js";
import { chooseOrder, chooseView, leaveFootprint, showChanges, showPlace } from "../actions/places.js";
import { startPrint } from "../actions/print.js";
import { ANCHOR } from "../address/link.js";
import { byId, eventTarget, hasModifier, listen } from "../base/dom.js";
import { comparable, compareOneOf, startComparing } from "../compare/choose.js";
import { leafShowing } from "../outline/paths.js";
import { DETAILS } from "../outline/shared.js";
import { openedDialog } from "../ui/dialog.js";
import { drawChoices } from "./choices.js";
import { startKeys } from "./keys.js";
import { makeLeavesDialog } from "./leaves.js";
import { makeMenu } from "./menu.js";
import { makeOverlay } from "./overlay.js";
import { commandActions } from "./run.js";

/** @import { Parts } from "../actions/parts.js" */

/**
 * @param {Parts} parts
 * @param {() => boolean} closeDrawer
 * @param {() => void} search goes to the search field
 */
export function startTools(parts, closeDrawer, search) {
    const leaves = makeLeavesDialog(parts);
    startComparing(parts, leaves.compare);
    /** @type {(open: () => void) => () => void} */
    const outsideDrawer = (open) => () => {
        closeDrawer();
        open();
    };
    const actions = commandActions(parts, {
        leaves: outsideDrawer(leaves.open),
        compare: outsideDrawer(() => compareOneOf(parts, comparable(parts), leaves.compare)),
        keys: outsideDrawer(makeOverlay()),
        search,
    });
    const menu = makeMenu(parts, actions);
    startKeys(actions, () => openedDialog() !== undefined);
    listen(document, "click", (event) => {
        const view = eventTarget(event, "button[data-view]")?.dataset.view;
        if (view === "path" || view === "context" || view === "changes") {
            chooseView(parts, view);
        }
        const order = eventTarget(event, "button[data-order]")?.dataset.order;
        if (order === "prompt" || order === "file") {
            chooseOrder(parts, order);
        }
        chooseDetail(parts, eventTarget(event, "button[data-detail]")?.dataset.detail ?? "");
        const call = eventTarget(event, ":is(button, rect)[data-call]")?.dataset.call;
        if (call !== undefined) {
            chooseView(parts, "context", parts.outline.byKey.get(call) ?? -1);
        }
        const { choice, value } = eventTarget(event, "button[data-choice]")?.dataset ?? {};
        chooseUnfold(parts, choice ?? "", value);
    });
    drawChoices(parts.store.get().unfold);
    /** @type {(step: 1 | -1) => void} */
    const step = (by) => (isWalkingHits() ? moveToHit(by) : void move(parts, MOVE_KINDS[0], by));
    listen(byId("prev-prompt"), "click", () => step(-1));
    listen(byId("next-prompt"), "click", () => step(1));
    listen(byId("level"), "click", () => {
        if (parts.store.get().view === "changes") {
            chooseOrder(parts);
            return;
        }
        const { detail } = parts.store.get().unfold;
        chooseDetail(parts, DETAILS[(DETAILS.indexOf(detail) + 1) % DETAILS.length]);
    });
    listen(byId("find"), "click", search);
    listen(byId("more"), "click", menu);
    startRoving(byId("tools"));
    startPrint(parts);
    listen(document, "click", (event) => {
        if (eventTarget(event, "#context-view, #changes, #prompts") !== null) {
            clickView(parts, event);
        }
        const door = eventTarget(event, "[data-go-to]");
        const file = door?.dataset.goTo ?? "";
        if (door?.matches(".list-file") === true && parts.store.get().order === "prompt") {
            leaveFootprint(parts);
            void parts.changes?.goToFile(file);
        } else if (door !== null) {
            showChanges(parts, file);
        }
    });
}

/**
 * A click in a view that is not the conversation: its links lead there.
 *
 * @param {Parts} parts
 * @param {MouseEvent} event
 */
function clickView(parts, event) {
    const link = eventTarget(event, "a:is(.to-path, .in-conversation)");
    if (link === null || event.button !== 0 || hasModifier(event)) {
        clickTranscript(parts, event);
        return;
    }
    event.preventDefault();
    const n = parts.outline.byKey.get(link.getAttribute("href")?.slice(ANCHOR.length) ?? "") ?? -1;
    showPlace(parts, leafShowing(parts.outline, n, parts.store.get().leaf), n, true, "path");
    parts.reading.focus(n);
}

/**
 * @param {HTMLElement} toolbar
 */
function startRoving(toolbar) {
    const buttons = /** @type {HTMLElement[]} */ (Array.from(toolbar.querySelectorAll("button")));
    /** @type {(current: HTMLElement) => void} */
    const rove = (current) => {
        for (const button of buttons) {
            button.tabIndex = button === current ? 0 : -1;
        }
    };
    // The last one is there at every width.
    rove(buttons[buttons.length - 1]);
    listen(toolbar, "focusin", (event) => {
        const button = buttons.find((other) => other === event.target);
        if (button !== undefined) {
            rove(button);
        }
    });
    listen(toolbar, "keydown", (event) => {
        const shown = buttons.filter((button) => button.offsetParent !== null);
        const at = shown.findIndex((button) => button === event.target);
        const count = shown.length;
        const to = { ArrowRight: (at + 1) % count, ArrowLeft: (at + count - 1) % count, Home: 0, End: count - 1 }[event.key];
        const next = hasModifier(event) ? undefined : shown[to ?? -1];
        if (next !== undefined) {
            event.preventDefault();
            next.focus();
        }
    });
}
