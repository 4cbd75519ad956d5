/** One row of the tree list as an element. */

import { counted, make } from "../base/dom.js";
import { FOLD_NONE, FOLD_OPEN, FOLD_SHUT } from "../outline/folds.js";
import { isOnPath } from "../outline/paths.js";
import { sessionOfRow, sessionRowText } from "../outline/sessions.js";
import { FAILED, PROMPT, STOPPED, TESTS_FAILED } from "../outline/shared.js";
import { labelText, rowText } from "../outline/texts.js";
import { markedText, MARKS_EACH } from "../search/spans.js";
import { labelTime } from "./label-times.js";
import { rowTop } from "./heights.js";
import { BAR, CONNECTORS, CORNER, prefixPieces, TEE } from "./layout.js";
import { makeText } from "./said.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Searcher } from "../search/searcher.js" */
/** @import { Layout } from "./layout.js" */

/** The cells of the prefix that the level of a capped row takes. */
export const LEVEL_CELLS = 2;

/** How the pieces of a prefix are drawn; the characters stay in the text for people who copy rows. */
const PIECE_CLASSES = new Map([
    [BAR, "bar"],
    [CONNECTORS[TEE], "tee"],
    [CONNECTORS[CORNER], "corner"],
]);

/**
 * @param {Outline} outline
 * @param {TreeRendering} rendering
 * @param {number} row
 * @param {Measure} measure
 * @returns {HTMLElement}
 */
export function makeRow(outline, rendering, row, measure) {
    const { layout } = rendering;
    const n = layout.order[row];
    const started = sessionOfRow(outline, n, rendering.leaf);
    const element = make("div", started === 0 ? rowClass(outline, rendering, row) : "row sub-session");
    element.id = `row-${n}`;
    element.dataset.entryId = outline.keys[n];
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(layout.depth[row] + 1));
    element.setAttribute("aria-setsize", String(layout.setSize[row]));
    element.setAttribute("aria-posinset", String(layout.position[row]));
    element.setAttribute("aria-selected", String(row === rendering.selected));
    const isHeaded = layout.isSearch && layout.spaces[row] !== (layout.spaces[row - 1] ?? 0);
    element.style.setProperty("inset-block-start", `${rowTop(layout, measure, row) - (isHeaded ? measure.promptSpace : 0)}px`);
    if (started !== 0) {
        fillSessionRow(outline, rendering, element, started);
        element.prepend(makePrefix(layout, row, measure.levels));
        return element;
    }
    element.append(makePrefix(layout, row, measure.levels));
    const fold = layout.fold[n];
    if (fold !== FOLD_NONE) {
        element.setAttribute("aria-expanded", String(fold === FOLD_OPEN));
        element.append(makeFoldMark());
    }
    if (fold === FOLD_SHUT && layout.quiet.get(outline.run[n]) === n) {
        fillQuietRow(outline, element, outline.run[n]);
        return element;
    }
    const text = makeText(outline, n, rendering.marks, layout.isStory);
    // Its icon says how it ended.
    element.classList.toggle("marked", /cross|stop/.test(text.dataset.icon ?? ""));
    element.append(...makeLabel(outline, rendering, n), text);
    element.append(...makeAround(rendering, text, n));
    if (isHeaded) {
        element.classList.add("headed");
        element.append(makePromptHeading(outline, n));
    }
    const notable = outline.notable.get(n);
    if (notable !== undefined) {
        element.append(makeMark("notable", "", notable));
    }
    element.title = rowTitle(outline, rendering, row, measure.levels);
    return element;
}

/**
 * @param {Outline} outline
 * @param {TreeRendering} rendering
 * @param {number} row
 * @returns {string}
 */
function rowClass(outline, { layout, leaf, searching }, row) {
    const classes = ["row"];
    const n = layout.order[row];
    if (isOnPath(outline, n, leaf)) {
        classes.push("on-path");
    } else if (isOnPath(outline, n, outline.newest[leaf])) {
        classes.push("newer");
    } else if (searching) {
        classes.push("elsewhere");
        const above = layout.order[row - 1];
        if (above !== undefined && branchHead(outline, above, leaf) !== branchHead(outline, n, leaf)) {
            classes.push("branch-start");
        }
    }
    if (n === leaf) {
        classes.push("leaf");
    }
    if ((outline.marks[n] & (FAILED | TESTS_FAILED)) !== 0) {
        classes.push("failed");
    } else if ((outline.marks[n] & STOPPED) !== 0) {
        classes.push("stopped");
    }
    return classes.join(" ");
}

/**
 * The row of collapsed steps, which says what their line in the text says.
 *
 * @param {Outline} outline
 * @param {HTMLElement} element
 * @param {number} first
 */
function fillQuietRow(outline, element, first) {
    const [steps, , failures = 0, stops = 0, notable = 0, added = 0, removed = 0, isAbout] = outline.steps.get(first) ?? [0];
    element.dataset.steps = String(steps);
    element.classList.remove("failed", "stopped");
    element.append(make("span", "text", counted(steps, "step")));
    if (isAbout === 1) {
        element.append(" ", make("span", "about-lines", "≈"));
    }
    if (added > 0) {
        element.append(" ", make("ins", "", `+${added.toLocaleString("en-US")}`));
    }
    if (removed > 0) {
        element.append(" ", make("del", "", `−${removed.toLocaleString("en-US")}`));
    }
    if (failures > 0) {
        element.append(" ", make("span", "failures", counted(failures, "failure")));
    }
    if (stops > 0) {
        element.append(" ", make("span", "stops", counted(stops, "stop")));
    }
    if (notable > 0) {
        element.append(" ", makeMark("notable", String(notable), counted(notable, "risky step")));
    }
}

/**
 * The prompt that the hits from a row on belong to.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {HTMLElement}
 */
function makePromptHeading(outline, n) {
    const number = outline.prompt[n];
    while (n >= 0 && (outline.marks[n] & PROMPT) === 0) {
        n = outline.parent[n];
    }
    return make("bdi", "of-prompt", `${number} ${outline.text[n] ?? ""}`);
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} words that are read aloud
 * @returns {HTMLElement}
 */
function makeMark(name, text, words) {
    const mark = make("span", name, text);
    mark.setAttribute("role", "img");
    mark.title = words;
    return mark;
}

/**
 * The row of a session that the one shown started.
 *
 * @param {Outline} outline
 * @param {TreeRendering} rendering
 * @param {HTMLElement} element
 * @param {number} number
 */
function fillSessionRow(outline, rendering, element, number) {
    const { name, task, facts } = sessionRowText(outline, number, rendering.sessionHits);
    const text = make("span", "text");
    // Titled by its task: several sessions often share a name, which the column has no room for beside it.
    text.append(...(task === "" ? [make("span", "session-name", name)] : markedText(task, rendering.marks)));
    element.append(make("span", "session-mark", ""), text);
    element.firstElementChild?.setAttribute("aria-hidden", "true");
    if (facts !== "") {
        element.append(make("span", "session-facts", ` · ${facts}`));
    }
    element.title = [name, task, facts].filter((line) => line !== "").join("\n");
}

/** What opens and closes a branch by pointer; to others the row itself says it. */
function makeFoldMark() {
    const mark = make("span", "fold-mark");
    mark.setAttribute("aria-hidden", "true");
    return mark;
}

/**
 * @param {Outline} outline
 * @param {TreeRendering} rendering
 * @param {number} n
 * @returns {(HTMLElement | string)[]}
 */
function makeLabel(outline, rendering, n) {
    const label = labelText(outline, n);
    if (label === undefined) {
        return [];
    }
    const element = make("span", "label");
    element.append(...markedText(`[${label}]`, rendering.marks));
    const time = rendering.labelTimes ? outline.labelTimes.get(n) : undefined;
    return time === undefined ? [element, " "] : [element, " ", make("span", "label-time", labelTime(time)), " "];
}

/**
 * The prefix, of which only the last levels are drawn where all would not leave the text its room; then the
 * level is said.
 *
 * @param {Layout} layout
 * @param {number} row
 * @param {number} levels
 * @returns {HTMLElement}
 */
function makePrefix(layout, row, levels) {
    const depth = layout.depth[row];
    const prefix = make("span", "prefix");
    prefix.setAttribute("aria-hidden", "true");
    const from = depth <= levels ? 0 : depth - levels + LEVEL_CELLS;
    if (from > 0) {
        const more = make("span", "more", "…");
        more.dataset.level = String(depth + 1);
        prefix.append(more);
    }
    for (const piece of prefixPieces(layout, row, from, depth)) {
        prefix.append(make("span", PIECE_CLASSES.get(piece) ?? "", piece));
    }
    return prefix;
}

/**
 * Why a row is among the hits, where its own text does not say it: the words around the hit. Of several their number.
 *
 * @param {TreeRendering} rendering
 * @param {HTMLElement} text
 * @param {number} n
 * @returns {HTMLElement[]}
 */
function makeAround({ searching, marks, around }, text, n) {
    if (!searching || marks.length === 0) {
        return [];
    }
    const { words, count } = around(n, marks);
    const parts = [];
    if (words !== "" && text.parentElement?.querySelector("mark") === null) {
        text.classList.add("beside");
        const element = make("span", "around");
        element.append(...markedText(words, marks));
        parts.push(element);
    }
    if (count > 1) {
        const hits = count < MARKS_EACH ? String(count) : `${MARKS_EACH}+`;
        parts.push(makeMark("of-hits", hits, `${hits} hits`));
    }
    return parts;
}

/**
 * @param {Outline} outline
 * @param {TreeRendering} rendering
 * @param {number} row
 * @param {number} levels
 * @returns {string}
 */
function rowTitle(outline, rendering, row, levels) {
    const { layout, leaf, searching } = rendering;
    const n = layout.order[row];
    const depth = layout.depth[row];
    const label = labelText(outline, n);
    const text = rowText(outline, n);
    const lines = [label === undefined ? text : `[${label}] ${text}`];
    if ((outline.marks[n] & FAILED) !== 0) {
        lines.push("failed");
    } else if ((outline.marks[n] & TESTS_FAILED) !== 0) {
        lines.push("tests failed");
    } else if ((outline.marks[n] & STOPPED) !== 0) {
        lines.push("stopped");
    }
    if (depth > levels) {
        lines.push(`level ${depth + 1}`);
    }
    if (searching && !isOnPath(outline, n, leaf)) {
        lines.push(`on another branch: ${rowText(outline, branchHead(outline, n, leaf))}`);
    }
    return lines.join("\n");
}

/**
 * The first entry on the way to `n` that is not on the way to `leaf`.
 *
 * @param {Outline} outline
 * @param {number} n
 * @param {number} leaf
 * @returns {number}
 */
function branchHead(outline, n, leaf) {
    let head = n;
    while (outline.parent[head] >= 0 && !isOnPath(outline, outline.parent[head], leaf)) {
        head = outline.parent[head];
    }
    return head;
}

/**
 * @typedef {object} TreeRendering all that a drawing of the tree depends on
 * @property {Layout} layout
 * @property {number} leaf
 * @property {number} selected row, -1 for none
 * @property {number} cursor row, -1 for none
 * @property {boolean} searching whether the rows are hits
 * @property {RegExp[]} marks what is marked in the rows
 * @property {boolean} labelTimes
 * @property {Int32Array | null} sessionHits the hits in each session
 * @property {Searcher["around"]} around the words around a hit
 */

/** @typedef {{rowHeight: number, promptSpace: number, levels: number}} Measure space above prompts; levels of indentation that fit */
