/** What each command does, by its id in `actions/commands.js`. */

import { chooseDetail, chooseUnfold } from "../actions/choices.js";
import { copyMarkdownHere } from "../actions/markdown.js";
import { move, MOVE_KINDS, moveBack, moveToHit } from "../actions/moves.js";
import { chooseOrder, chooseView, leaveFootprint } from "../actions/places.js";
import { printAll } from "../actions/print.js";
import { toggleTurn } from "../actions/steps.js";
import { copyText } from "../address/copy.js";
import { hasChanges } from "../base/has-changes.js";
import { downloadSource } from "../chunks/download.js";
import { DETAILS } from "../outline/shared.js";
import { CHOICES } from "../state/choices.js";

/** @import { CommandId } from "../actions/commands.js" */
/** @import { MoveKind } from "../actions/moves.js" */
/** @import { Parts } from "../actions/parts.js" */
/** @import { View } from "../state/state.js" */

/** @typedef {(nth: number) => void} CommandAction `nth` is the place of the pressed key among those of the command */

/** @typedef {Readonly<Record<CommandId, CommandAction>>} CommandActions */

/**
 * @typedef {object} Opened what commands open
 * @property {() => void} leaves
 * @property {() => void} compare
 * @property {() => void} keys
 * @property {() => void} search
 */

/**
 * @param {Parts} parts
 * @param {Opened} opened
 * @returns {CommandActions}
 */
export function commandActions(parts, opened) {
    return {
        ...actionsOf(MOVE_KINDS, (kind, nth) => moveAndFocus(parts, kind, nth)),
        ...actionsOf(CHOICES, ({ name }) => chooseUnfold(parts, name)),
        hit: (nth) => moveToHitAndFocus(parts, nth),
        back: () => moveBack(parts),
        edge: (nth) => jumpToEdge(parts, nth),
        search: opened.search,
        view: () => chooseView(parts, nextView(parts)),
        order: () => orderOrMention(parts),
        steps: () => toggleTurn(parts),
        detail: (nth) => chooseDetail(parts, DETAILS[nth]),
        label: () => copyLabelCommand(parts),
        markdown: (nth) => copyMarkdownHere(parts, nth === 0),
        leaves: opened.leaves,
        compare: opened.compare,
        print: () => void printAll(parts),
        download: () => void downloadSource(parts.sessionFile, parts.notice),
        keys: opened.keys,
    };
}

/**
 * @template {{name: string}} Row
 * @param {readonly Row[]} rows each with the id of its command
 * @param {(row: Row, nth: number) => void} run
 * @returns {Record<Row["name"], CommandAction>}
 */
function actionsOf(rows, run) {
    return /** @type {any} */ (Object.fromEntries(rows.map((row) => [row.name, (/** @type {number} */ nth) => run(row, nth)])));
}

/**
 * @param {Parts} parts
 * @param {MoveKind} kind
 * @param {number} nth 0 for the next, 1 for the previous
 */
function moveAndFocus(parts, kind, nth) {
    const n = move(parts, kind, nth === 0 ? 1 : -1);
    if (n >= 0) {
        parts.reading.focus(n);
    }
}

/**
 * @param {Parts} parts
 * @param {number} nth 0 for the next, 1 for the previous
 */
function moveToHitAndFocus(parts, nth) {
    moveToHit(nth === 0 ? 1 : -1);
    parts.reading.focus(parts.store.get().target);
}

/**
 * @param {Parts} parts
 * @param {number} nth 0 for the top, 1 for the bottom
 */
function jumpToEdge(parts, nth) {
    leaveFootprint(parts);
    parts.reading.wander();
    // Heights far away are estimates: the end moves while one goes there.
    parts.reading.jump(() => scrollTo(0, nth === 0 ? 0 : document.documentElement.scrollHeight));
}

/**
 * @param {Parts} parts
 */
function copyLabelCommand({ outline, reading, notice }) {
    const entries = reading.entries();
    const n = entries[Math.max(0, reading.here(entries))] ?? -1;
    if (!outline.keepsLabels || outline.session[n] !== 0) {
        notice.mention("This session cannot hold labels");
    } else {
        const command = `leafpress label SESSION ${outline.keys[n]} "…"`;
        void copyText(command, `Copied: ${command}`, notice);
    }
}

/**
 * @param {Parts} parts
 * @returns {View}
 */
function nextView(parts) {
    /** @type {View[]} */
    const views = hasChanges() ? ["path", "context", "changes"] : ["path", "context"];
    return views[(views.indexOf(parts.store.get().view) + 1) % views.length];
}

/**
 * @param {Parts} parts
 */
function orderOrMention(parts) {
    if (hasChanges()) {
        chooseOrder(parts);
    } else {
        parts.notice.mention("This session changed no files");
    }
}
