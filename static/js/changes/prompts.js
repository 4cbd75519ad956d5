/**
 * The sidebar beside the view: the prompts of the branch, each with the files that it changed and what checked it. The
 * list stands in place of the tree while nothing is searched (controls/changes/prompts.css).
 */

import { byId, counted, eventTarget, listen, make, makeButton } from "../base/dom.js";
import { pathTo } from "../outline/paths.js";
import { PROMPT } from "../outline/shared.js";
import { titleOf } from "../outline/texts.js";
import { mainLeaf } from "./data.js";
import { makeCounts, makeStatus, pathOf } from "./file.js";
import { entryLink, shortText } from "./hunk.js";
import { makeLazyList, makeNear } from "./lazy.js";
import { lastCheck, OUTCOMES, verbOf } from "./stop.js";

/** @import { Shown, Turn } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** About how high a row is, and the room above a prompt, in pixels: what is not made yet takes so much room. */
const [ROW_HEIGHT, PROMPT_SPACE] = [24, 8];

/** A prompt, and a command, is named up to this length. */
const TEXT_LENGTH = 80;

/** So many files of a prompt have a row; the others are counted. */
const LISTED = 12;

/**
 * @typedef {object} PromptList
 * @property {(drawing: Drawing, turns: readonly Turn[]) => void} draw
 * @property {(n: number | undefined) => void} mark the prompt where the reader is, -1 for what was done before the first one
 */

/**
 * @param {(n: number, file: string | undefined, follow: (() => void) | null) => void} go to a prompt, or to a file of it;
 *     `follow` clicks the link to the prompt, which writes the address; null where it was clicked
 * @returns {PromptList}
 */
export function makePromptList(go) {
    const scroller = make("nav", "");
    scroller.setAttribute("aria-label", "Prompts and the files that they changed");
    const status = make("p", "prompts-status");
    const element = make("div", "");
    element.id = "prompts";
    element.append(scroller, status);
    byId("tree").after(element);
    listen(element, "click", (event) => {
        const row = eventTarget(event, "a, button");
        if (row !== null && document.documentElement.classList.contains("drawer-open")) {
            /** @type {HTMLElement | null} */
            const closer = document.querySelector(".drawer-close");
            closer?.click();
        }
        const { prompt, path } = row?.dataset ?? {};
        /** @type {HTMLElement | null | undefined} */
        const link = row?.parentElement?.querySelector("a[data-prompt]");
        if (prompt !== undefined) {
            go(Number(prompt), path, link === row ? null : () => link?.click());
        }
    });
    const near = makeNear();
    /** @type {number[]} */
    let prompts = [];
    /** @type {import("./lazy.js").LazyList | undefined} */
    let list;
    let marked = NaN;
    return {
        draw(drawing, turns) {
            const { outline } = drawing;
            const byPrompt = new Map(turns.map((turn) => [turn.prompt, turn]));
            const own = pathTo(outline, mainLeaf(outline, drawing.leaf)).filter((n) => (outline.marks[n] & PROMPT) !== 0);
            prompts = byPrompt.has(-1) ? [-1, ...own] : own;
            const unit = (/** @type {number} */ n) => {
                const turn = byPrompt.get(n);
                const rows = 2 + Math.min(turn?.files.length ?? 0, LISTED);
                return { height: PROMPT_SPACE + rows * ROW_HEIGHT, make: () => makeGroup(drawing, n, turn) };
            };
            near.forget();
            list = makeLazyList(prompts.map(unit), near);
            scroller.replaceChildren(...list.nodes);
            const changed = own.filter((n) => byPrompt.has(n)).length;
            status.textContent = `${changed.toLocaleString("en-US")} of ${counted(own.length, "prompt")} changed files`;
            marked = NaN;
        },
        mark(n) {
            const at = n === undefined ? -1 : prompts.indexOf(n);
            if (n !== undefined && n !== marked && at >= 0 && element.checkVisibility()) {
                marked = n;
                scroller.querySelector("[aria-current]")?.removeAttribute("aria-current");
                const group = list?.reach(at);
                group?.setAttribute("aria-current", "true");
                group?.scrollIntoView({ block: "nearest" });
            }
        },
    };
}

/**
 * @param {Drawing} drawing
 * @param {number} n the prompt, -1 for what was done before the first one
 * @param {Turn | undefined} turn what it changed
 * @returns {HTMLElement}
 */
function makeGroup(drawing, n, turn) {
    const { outline } = drawing;
    const group = make("section", turn === undefined ? "unchanged" : "");
    const title = n < 0 ? "Before the first prompt" : shortText(titleOf(outline, n), TEXT_LENGTH) || "Prompt without text";
    const number = make("span", "stop-number", n < 0 ? "" : String(outline.prompt[n]));
    const head = n < 0 ? makeButton("", "") : entryLink(drawing, n, "");
    head.append(number, make("span", "text", title));
    if (turn !== undefined) {
        head.dataset.prompt = String(n);
        // It leads to the stop.
        head.classList.remove("in-conversation");
    }
    const files = turn?.files ?? [];
    group.append(head, ...files.slice(0, LISTED).map((shown) => makeFileRow(n, shown)));
    if (files.length > LISTED) {
        const more = makeButton("", "");
        more.append(make("span", ""), counted(files.length - LISTED, "more file"));
        more.dataset.prompt = String(n);
        group.append(more);
    }
    const check = turn === undefined ? undefined : lastCheck(turn);
    if (check !== undefined) {
        const link = entryLink(drawing, check[0], "");
        link.dataset.outcome = OUTCOMES[check[2]];
        link.append(make("span", "text", `${verbOf(check)} ${shortText(outline.text[check[0]], TEXT_LENGTH)}`));
        group.append(link);
    }
    return group;
}

/**
 * @param {number} n
 * @param {Shown} shown
 * @returns {HTMLElement}
 */
function makeFileRow(n, shown) {
    const row = makeButton("prompt-file", "");
    row.dataset.prompt = String(n);
    row.dataset.path = pathOf(shown);
    row.title = shown.path;
    row.append(makeStatus(shown), make("span", "text", shown.path.slice(shown.path.lastIndexOf("/") + 1)), makeCounts(shown));
    return row;
}
