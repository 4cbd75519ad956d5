/** A prompt that changed something: its words, its files, and the commands that ran after its last edit. */

import { counted, make } from "../base/dom.js";
import { titleOf } from "../outline/texts.js";
import { makeCounts } from "./file.js";
import { commandLink, entryLink } from "./hunk.js";

/** @import { Check, Earlier, Shown, Turn } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** So many commands are listed; the others on demand. */
const LISTED = 3;

/** A command is named up to this length, and below other words up to this one. */
const [COMMAND_LENGTH, SHORT_COMMAND_LENGTH] = [100, 60];

/** Outcomes in the data of a check. */
const [FAILED, PASSED] = [0, 1];

/**
 * @param {Drawing} drawing
 * @param {Turn} turn
 * @param {readonly HTMLElement[]} files what stands for its files
 * @returns {HTMLElement}
 */
export function makeStop(drawing, turn, files) {
    const { outline } = drawing;
    const element = make("section", "turn-changes");
    element.tabIndex = -1;
    element.dataset.stop = outline.keys[turn.prompt] ?? "";
    const head = make("header", "stop-head");
    const title = make("h3", "");
    if (turn.prompt < 0) {
        title.append("Before the first prompt");
    } else {
        head.append(make("span", "stop-number", String(outline.prompt[turn.prompt])));
        title.append(entryLink(drawing, turn.prompt, titleOf(outline, turn.prompt) || "Prompt without text"));
    }
    head.append(title);
    const test = lastTest(turn);
    if (test !== undefined) {
        head.append(make("span", test[2] === PASSED ? "checked passed" : "checked failed", test[2] === PASSED ? "checked" : "tests failed"));
    }
    const net = make("span", "stop-net", `${counted(turn.files.length, "file")} `);
    net.append(makeCounts(sumOf(turn.files)));
    head.append(net);
    if (turn.prompt >= 0) {
        head.append(make("span", "stop-time", drawing.clock(turn.prompt)));
    }
    element.append(head, ...files);
    const { failed } = turn;
    if (failed !== undefined) {
        const line = make("p", "file-line failed", `${counted(failed.length, "edit")} of other files failed: `);
        failed.forEach(([path, n], nth) => line.append(nth > 0 ? ", " : "", entryLink(drawing, n, path)));
        element.append(line);
    }
    element.append(...makeCautions(drawing, turn));
    if (turn.checks !== undefined || turn.earlier !== undefined) {
        element.append(makeChecks(drawing, turn.checks ?? [], turn.earlier));
    }
    return element;
}

/**
 * What else may have happened to files in the turn, a line for each entry that shows it.
 *
 * @param {Drawing} drawing
 * @param {Turn} turn
 * @returns {HTMLElement[]}
 */
function makeCautions(drawing, { breaks = [], misfits = [], maybe = [] }) {
    const { data } = drawing;
    const time = (/** @type {number} */ n) => entryLink(drawing, n, drawing.clock(n));
    /** @type {(words: string, pairs: [number, number][], link: (n: number) => HTMLElement) => HTMLElement[]} */
    const lines = (words, pairs, link) => {
        /** @type {Map<number, string[]>} */
        const paths = new Map();
        for (const [n, file] of pairs) {
            const own = paths.get(n) ?? [];
            own.push(data.files[file].states.at(-1)?.path ?? "");
            paths.set(n, own);
        }
        return Array.from(paths, ([n, own]) => {
            const more = own.length > LISTED ? ` and ${own.length - LISTED} more` : "";
            const line = make("p", "file-line caution", `${words}: ${own.slice(0, LISTED).join(", ")}${more} · `);
            line.append(link(n));
            return line;
        });
    };
    const commands = lines("A command may have changed", maybe, (n) => commandLink(drawing, n, "", SHORT_COMMAND_LENGTH));
    const rest = commands.splice(LISTED);
    const shown = [...lines("Changed between edits", breaks, time), ...lines("An edit does not fit those before it", misfits, time), ...commands];
    return rest.length === 0 ? shown : [...shown, makeMore(rest)];
}

/**
 * @param {readonly HTMLElement[]} rows of commands
 * @returns {HTMLElement} "5 more commands"
 */
function makeMore(rows) {
    const more = make("details", "");
    const list = make(rows[0].matches("li") ? "ul" : "div", "");
    list.append(...rows);
    more.append(make("summary", "", counted(rows.length, "more command")), list);
    return more;
}

/** By the outcome in the data of a check. */
export const OUTCOMES = ["failed", "passed", "unknown"];

/**
 * @param {Check} check
 * @returns {string} "Checked by"
 */
export function verbOf([, isTest, outcome]) {
    if (isTest === 0) {
        return outcome === FAILED ? "Failed:" : "Ran";
    }
    return ["Tests failed", "Checked by", "Ran tests, result not known:"][outcome];
}

/**
 * @param {Turn} turn
 * @returns {Check | undefined} the last test run after its last edit, else the last command that failed
 */
export function lastCheck({ checks }) {
    return checks?.findLast(([, isTest]) => isTest === 1) ?? checks?.findLast(([, , outcome]) => outcome === FAILED);
}

/**
 * @param {Turn} turn
 * @returns {Check | undefined} the last test run after its last edit whose result is known
 */
function lastTest({ checks }) {
    return checks?.findLast(([, isTest, outcome]) => isTest === 1 && outcome <= PASSED);
}

/**
 * @param {Shown[]} files
 * @returns {{added: number, removed: number, isAbout: boolean}}
 */
export function sumOf(files) {
    return {
        added: files.reduce((sum, file) => sum + file.added, 0),
        removed: files.reduce((sum, file) => sum + file.removed, 0),
        isAbout: files.some((file) => file.isAbout === true && file.edits.length > 0),
    };
}

/**
 * The commands after the last edit: test runs first, the last run of each command with how often it failed before. The
 * tests before that edit count with the last test run after it; without one they have a row of their own.
 *
 * @param {Drawing} drawing
 * @param {Check[]} checks
 * @param {Earlier | undefined} earlier
 * @returns {HTMLElement}
 */
function makeChecks(drawing, checks, earlier) {
    const { outline } = drawing;
    const last = checks.findLast(([, isTest]) => isTest === 1);
    /** @type {Map<string, {check: Check, failed: number}>} */
    const runs = new Map();
    for (const check of checks) {
        const words = outline.text[check[0]];
        const before = runs.get(words);
        // In the order of the last runs.
        runs.delete(words);
        const failed = (before?.failed ?? 0) + (before?.check[2] === FAILED ? 1 : 0);
        runs.set(words, { check, failed: failed + (check === last ? (earlier?.[2] ?? 0) : 0) });
    }
    const all = Array.from(runs.values()).sort((a, b) => b.check[1] - a.check[1]);
    const element = make("ul", "checks");
    const rows = all.map(({ check, failed }) => makeCheck(drawing, check[0], check[2], verbOf(check), failed));
    if (earlier !== undefined && last === undefined) {
        const [n, outcome, failed] = earlier;
        const verb = `Tests before the last edit ${["failed", "passed", "ran, result not known"][outcome]}:`;
        rows.unshift(makeCheck(drawing, n, outcome, verb, failed - (outcome === FAILED ? 1 : 0)));
    }
    element.append(...rows.slice(0, LISTED));
    if (rows.length > LISTED) {
        const row = make("li", "more-commands");
        row.append(makeMore(rows.slice(LISTED)));
        element.append(row);
    }
    return element;
}

/**
 * @param {Drawing} drawing
 * @param {number} n
 * @param {0 | 1 | 2} outcome
 * @param {string} verb
 * @param {number} failed how often it failed before
 * @returns {HTMLElement}
 */
function makeCheck(drawing, n, outcome, verb, failed) {
    const row = make("li", "");
    row.dataset.outcome = OUTCOMES[outcome];
    row.append(commandLink(drawing, n, `${verb} `, COMMAND_LENGTH), failed > 0 ? ` · ${failed} failed before` : "", make("span", "stop-time", drawing.clock(n)));
    return row;
}
