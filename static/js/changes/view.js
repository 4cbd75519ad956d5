/**
 * The view Changes: by prompt, each turn with the files that it changed; by file, each file from its first known state
 * to the end of the branch.
 *
 * What is far from the reader is made when they come near.
 */

import { counted, listen, make, makeButton, setText } from "../base/dom.js";
import { isOnPath } from "../outline/paths.js";
import { titleOf } from "../outline/texts.js";
import { CLOCK_TIME } from "../transcript/times.js";
import { makeCompared } from "./compared.js";
import { copyDiff } from "./copy.js";
import { filesAt, mainLeaf, makeHunkReader, readChanges } from "./data.js";
import { heightOf, makeFile, makeViewed, pathOf, setOpen } from "./file.js";
import { makeHead } from "./head.js";
import { entryLink, shortText } from "./hunk.js";
import { makeLazyList, makeNear } from "./lazy.js";
import { makePlaces } from "./place.js";
import { makePromptList } from "./prompts.js";
import { makeStop } from "./stop.js";
import { makeVersions } from "./versions.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Pane } from "../transcript/reading.js" */
/** @import { Notice } from "../ui/notice.js" */
/** @import { ChangesData, Shown, Turn } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */
/** @import { LazyList, Near } from "./lazy.js" */
/** @import { Drawn, Places } from "./place.js" */
/** @import { Order } from "../state/state.js" */

/** Of prompts of other branches so many are named. */
const OTHERS = 5;

/** Heights of parts that are not made yet, in pixels. */
const [STOP_HEIGHT, CHECK_HEIGHT] = [64, 26];

/**
 * @typedef {object} ChangesOwn
 * @property {(leaf: number, order: Order, file: string) => void} show
 * @property {(leaf: number) => void} count says beside the name of the view how many files changed, once the data is there
 * @property {(n: number) => boolean} holds whether an entry is a prompt with changes, once the data is there
 * @property {() => Promise<void>} finish makes all that is missing, for print
 * @property {(n: number, article: Element) => void} addDoor puts a link to the changes of its file below an edit, once the data is there
 * @property {(ends: readonly [number, number], ancestor: number) => Promise<HTMLElement | null>} compared which files two branches changed since they parted
 * @property {() => Promise<unknown>} load
 *
 * @typedef {Pane & Places & ChangesOwn} ChangesView
 *
 * @typedef {object} ChangesAsked with what the page's script asks for the view
 * @property {HTMLElement} root
 * @property {Outline} outline
 * @property {Articles} articles
 * @property {Notice} notice
 * @property {() => void} changed something was drawn
 * @property {(view: ChangesView) => void} take
 */

/**
 * @param {ChangesAsked} asked
 * @returns {ChangesView}
 */
export function makeChangesView({ root, outline, articles, notice, changed }) {
    const clock = new Intl.DateTimeFormat(undefined, CLOCK_TIME);
    const save = makeVersions(articles.packs, notice);
    const viewed = makeViewed(outline.keys[0] ?? "");
    const near = makeNear();
    /** Those of a comparison stand elsewhere. */
    const nearCompared = makeNear();
    /** @type {Promise<ChangesData> | undefined} */
    let loading;
    /** @type {ChangesData | undefined} */
    let data;
    /** @type {Map<number, string>} */
    const fileOfEntry = new Map();
    /** @type {WeakMap<Element, Shown>} */
    const shownBy = new WeakMap();
    /** @type {Drawn | null} */
    let drawn = null;
    let wanted = "";

    const load = () => {
        loading ??= readChanges().then((read) => {
            data = read;
            for (const { edits, states } of read.files) {
                const last = states.at(-1);
                for (const [entry] of last === undefined ? [] : edits) {
                    fileOfEntry.set(entry, fileOfEntry.get(entry) ?? pathOf(/** @type {Shown} */ (last)));
                }
            }
            return read;
        });
        return loading;
    };

    /** @type {(read: ChangesData, leaf: number, order: Order, atLeaf: Shown[], own: Near) => Drawing} */
    const drawingAt = (read, leaf, order, atLeaf, own) => ({
        outline,
        data: read,
        headings: new Map(read.hunks.headings),
        undone: new Map(atLeaf.map((file) => [file.file, new Set(file.undone)])),
        leaf,
        order,
        clock: (n) => (outline.time[n] === null ? "go to the entry" : clock.format(outline.time[n] ?? 0)),
        whenNear: own.when,
        changed,
        hunk: makeHunkReader(read),
        async diffsOf(n) {
            await articles.packs.openFor(n);
            const diffs = articles.read(n)?.querySelectorAll(".card-body .diff") ?? [];
            return Array.from(diffs, (diff) => diff.cloneNode(true));
        },
    });

    /** @type {(drawing: Drawing, files: readonly Shown[], file: string) => LazyList} */
    const listOfFiles = (drawing, files, file) => {
        const unit = (/** @type {Shown} */ shown) => {
            const isOpen = (pathOf(shown) === file || (shown.collapsed ?? "") === "") && !viewed.has(shown);
            return {
                height: heightOf(drawing, shown, isOpen),
                make() {
                    const element = makeFile(drawing, shown, viewed.has(shown), isOpen);
                    shownBy.set(element, shown);
                    return element;
                },
            };
        };
        return makeLazyList(files.map(unit), near);
    };

    /** @type {(drawing: Drawing, atLeaf: Shown[], file: string) => Drawn} */
    const byFile = (drawing, atLeaf, file) => {
        const list = listOfFiles(drawing, atLeaf, file);
        root.append(...list.nodes);
        return { drawing, atLeaf, list, turns: [], prompts: [], ofStops: new Map(), files: atLeaf };
    };

    /** @type {(drawing: Drawing, atLeaf: Shown[], file: string) => Drawn} */
    const byPrompt = (drawing, atLeaf, file) => {
        const own = ownTurns(drawing);
        const isOwn = new Set(own);
        const others = drawing.data.turns.filter((turn) => !isOwn.has(turn));
        /** @type {Drawn["ofStops"]} */
        const ofStops = new Map();
        const units = own.map((turn) => ({
            height: STOP_HEIGHT + CHECK_HEIGHT * (turn.checks?.length ?? 0) + turn.files.reduce((sum, shown) => sum + heightOf(drawing, shown, true), 0),
            make() {
                const files = listOfFiles(drawing, turn.files, file);
                ofStops.set(turn.prompt, files);
                return makeStop(drawing, turn, files.nodes);
            },
        }));
        const list = makeLazyList(units, near);
        root.append(...list.nodes);
        if (own.length === 0) {
            root.append(make("p", "note", "This branch changed no files."));
        }
        if (others.length > 0) {
            root.append(makeOthers(drawing, others));
        }
        return { drawing, atLeaf, list, turns: own, prompts: own.map(({ prompt }) => prompt), ofStops, files: [] };
    };

    /** @type {(read: ChangesData, leaf: number, order: Order, file: string) => void} */
    const draw = (read, leaf, order, file) => {
        near.forget();
        root.dataset.order = order;
        /** @type {(shown: Shown) => number} */
        const rank = (shown) => (shown.edits.length === 0 ? 2 : shown.isSame ? 1 : 0);
        const atLeaf = filesAt(read, outline, leaf)?.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
        if (atLeaf === undefined) {
            drawn = null;
            root.replaceChildren(
                make("p", "note", `This page has the files at the end of its ${read.leaves.length} newest branches, of ${read.leafCount}. \`leafpress changes --leaf\` shows those of this one.`),
            );
            return;
        }
        const drawing = drawingAt(read, leaf, order, atLeaf, near);
        root.replaceChildren(makeHead(drawing, atLeaf, viewed.has));
        drawn = order === "file" ? byFile(drawing, atLeaf, file) : byPrompt(drawing, atLeaf, file);
        promptList.draw(drawing, ownTurns(drawing));
        changed();
    };

    listen(root, "click", (event) => {
        const target = /** @type {Element} */ (event.target);
        const file = /** @type {HTMLElement | null} */ (target.closest(".file"));
        const shown = file === null ? undefined : shownBy.get(file);
        if (file === null || shown === undefined || drawn === null) {
            return;
        }
        if (target.closest(".file-name") !== null) {
            setOpen(file, target.closest(".file-name")?.getAttribute("aria-expanded") !== "true");
        } else if (target.closest(".diff-copy") !== null) {
            void copyDiff(drawn.drawing, shown, notice);
        } else if (target.closest(".save-version") !== null) {
            void save(drawn.drawing.data.versions, shown);
        }
    });
    listen(root, "change", (event) => {
        const box = /** @type {HTMLInputElement} */ (event.target);
        const row = /** @type {HTMLElement | null} */ (box.closest("[data-viewed-file]"));
        const own = /** @type {HTMLElement | null} */ (box.closest(".file"));
        const shown = own === null ? drawn?.atLeaf.find(({ file }) => String(file) === row?.dataset.viewedFile) : shownBy.get(own);
        if (shown !== undefined) {
            viewed.set(shown, box.checked);
            drawViewed(shown, box.checked);
        }
    });
    /** A file may stand in several places. @type {(shown: Shown, isViewed: boolean) => void} */
    const drawViewed = (shown, isViewed) => {
        for (const file of /** @type {Iterable<HTMLElement>} */ (root.querySelectorAll(".file"))) {
            const other = shownBy.get(file);
            if (other?.file === shown.file && viewed.has(other) === isViewed) {
                /** @type {HTMLInputElement} */ (file.querySelector(".viewed input")).checked = isViewed;
                setOpen(file, !isViewed);
            }
        }
        const row = drawn?.atLeaf.find(({ file }) => file === shown.file);
        const box = /** @type {HTMLInputElement | null} */ (root.querySelector(`[data-viewed-file="${shown.file}"] input`));
        if (row !== undefined && box !== null) {
            box.checked = viewed.has(row);
        }
    };

    /** @type {(n: number) => number} */
    const stopOf = (n) => drawn?.prompts.indexOf(n) ?? -1;

    let countedLeaf = -1;
    /** @type {(leaf: number) => void} */
    const count = (leaf) => {
        countedLeaf = leaf;
        const files = data === undefined ? null : filesAt(data, outline, leaf);
        for (const place of document.querySelectorAll("button[data-view=changes] > .count")) {
            setText(place, String(files?.filter((file) => file.edits.length > 0).length ?? ""));
        }
    };

    const places = makePlaces(root, () => load(), () => drawn, shownBy);
    const promptList = makePromptList((n, file, follow) => {
        const isByFile = root.dataset.order === "file";
        if (file === undefined && isByFile) {
            /** @type {HTMLElement | null} */
            const byPrompt = document.querySelector("button[data-order=prompt]");
            byPrompt?.click();
        }
        if (n < 0) {
            void places.goToStop(n);
        } else if (file === undefined || !isByFile) {
            follow?.();
        }
        if (file !== undefined) {
            void places.goToFile(file, n);
        }
    });
    return {
        ...places,
        place(at) {
            const prompts = drawn?.prompts ?? [];
            promptList.mark(at < 0 ? prompts[0] : prompts.filter((n) => n >= 0)[at]);
            return places.place(at);
        },
        load: () => load().then(() => count(countedLeaf)),
        count,
        show(leaf, order, file) {
            const asked = `${leaf} ${order}`;
            if (wanted === asked) {
                return;
            }
            wanted = asked;
            if (data !== undefined) {
                draw(data, leaf, order, file);
                return;
            }
            root.replaceChildren(make("p", "note", "Reading the changes …"));
            load().then(
                (read) => {
                    if (wanted === asked) {
                        draw(read, leaf, order, file);
                    }
                },
                () => root.replaceChildren(make("p", "note", "This part of the page is damaged. The changes cannot be shown.")),
            );
        },
        holds: (n) => data?.turns.some(({ prompt }) => prompt === n) ?? false,
        addDoor: (n, article) => addDoor(article, fileOfEntry.get(n)),
        async compared(ends, ancestor) {
            nearCompared.forget();
            return makeCompared(drawingAt(await load(), ends[0], "file", [], nearCompared), ends, ancestor);
        },
        finish: near.all,
        entries: () => drawn?.prompts.filter((n) => n >= 0) ?? [],
        span: () => [0, drawn?.prompts.length ?? 0],
        elementOf: (n) => drawn?.list.at(stopOf(n)),
        reach: (n) => drawn?.list.reach(stopOf(n)),
        lines: () => linesNear(root),
    };
}

/**
 * @param {Drawing} drawing
 * @returns {Turn[]} of the branch shown
 */
function ownTurns({ data, outline, leaf }) {
    const end = mainLeaf(outline, leaf);
    return data.turns.filter(({ prompt }) => prompt < 0 || isOnPath(outline, prompt, end));
}

/**
 * @param {HTMLElement} root
 * @returns {[-1, HTMLElement][]} the words of prompts, and the lines of hunks, within a screen above or below
 */
function linesNear(root) {
    /** @type {HTMLElement[]} */
    const lines = Array.from(root.querySelectorAll("h3, .out, .attempt .diff"));
    const near = lines.filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > top && bottom > -innerHeight && top < 2 * innerHeight;
    });
    return near.map((element) => [-1, element]);
}

/**
 * @param {Drawing} drawing
 * @param {readonly Turn[]} turns
 * @returns {HTMLElement} names the prompts of other branches that changed files
 */
function makeOthers(drawing, turns) {
    const note = make("p", "file-line", `${counted(turns.length, "prompt")} of other branches changed files too: `);
    turns.slice(0, OTHERS).forEach(({ prompt }, nth) => note.append(nth > 0 ? ", " : "", entryLink(drawing, prompt, `“${shortText(titleOf(drawing.outline, prompt), 48)}”`)));
    note.append(turns.length > OTHERS ? " …" : "");
    return note;
}

/**
 * Puts a link to a file's changes below its edit.
 *
 * @param {Element} article
 * @param {string | undefined} file that the entry edited
 */
function addDoor(article, file) {
    const body = file === undefined ? null : article.querySelector(":scope > .body > details.card > .card-body");
    if (body !== null && body.querySelector(":scope > .to-changes") === null) {
        const door = makeButton("to-changes", "All changes of this file");
        door.dataset.goTo = file;
        door.dataset.ui = "";
        body.append(door);
    }
}
