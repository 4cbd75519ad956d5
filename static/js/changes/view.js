/**
 * The view Changes: by prompt, each turn with the files that it changed; by file, each file from its first known state
 * to the end of the branch.
 *
 * Heads come first, in slices. What lies below them is made when the reader comes near.
 */

import { lastAtMost } from "../base/ascending.js";
import { counted, listen, make, makeButton } from "../base/dom.js";
import { runInSlices } from "../base/slices.js";
import { isOnPath } from "../outline/paths.js";
import { titleOf } from "../outline/texts.js";
import { topEdge, topOf } from "../transcript/edges.js";
import { CLOCK_TIME } from "../transcript/times.js";
import { makeCompared } from "./compared.js";
import { copyDiff } from "./copy.js";
import { filesAt, makeHunkReader, readChanges } from "./data.js";
import { makeFile, makeViewed, setOpen } from "./file.js";
import { makeHead } from "./head.js";
import { entryLink, shortText } from "./hunk.js";
import { makeStop } from "./stop.js";
import { makeVersions } from "./versions.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Pane } from "../transcript/reading.js" */
/** @import { Notice } from "../ui/notice.js" */
/** @import { ChangesData, Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */
/** @import { Order } from "../state/state.js" */

/** How far from the screen lines are made, in pixels. */
const NEAR = "1500px 0px";

/** Of prompts of other branches so many are named. */
const OTHERS = 5;

/**
 * @typedef {object} ChangesOwn
 * @property {(leaf: number, order: Order, file: string) => void} show
 * @property {(n: number) => boolean} holds whether an entry is a prompt with changes, once the data is there
 * @property {(step: 1 | -1) => boolean} stepFile goes to the next or previous file; false where there is none
 * @property {(file: string) => Promise<void>} goToFile
 * @property {(n: number) => Promise<void>} goToStop goes to the last prompt with changes at or before an entry
 * @property {() => Promise<void>} finish makes all that is missing, for print
 * @property {(n: number, article: Element) => void} addDoor puts a link to the changes of its file below an edit, once the data is there
 * @property {(ends: readonly [number, number], ancestor: number) => Promise<HTMLElement | null>} compared which files two branches changed since they parted
 * @property {() => Promise<unknown>} load
 *
 * @typedef {Pane & ChangesOwn} ChangesView
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
    /** @type {Promise<ChangesData> | undefined} */
    let loading;
    /** @type {ChangesData | undefined} */
    let data;
    /** @type {Map<number, string>} */
    let fileOfEntry = new Map();
    /** @type {Drawing | undefined} */
    let drawing;
    /** @type {Map<number, HTMLElement>} by prompt */
    let stops = new Map();
    /** @type {HTMLElement[]} in order */
    let files = [];
    /** @type {WeakMap<HTMLElement, Shown>} */
    let shownBy = new WeakMap();
    let drawn = "";
    let stopBuilding = () => {};
    /** @type {Promise<void>} */
    let built = Promise.resolve();

    /** @type {Map<Element, () => void>} */
    const waiting = new Map();
    const near = new IntersectionObserver(
        (entries) => {
            for (const { target, isIntersecting } of entries) {
                if (isIntersecting) {
                    fill(target);
                }
            }
        },
        { rootMargin: NEAR },
    );
    /** @type {(target: Element) => void} */
    const fill = (target) => {
        const make = waiting.get(target);
        waiting.delete(target);
        near.unobserve(target);
        make?.();
    };

    const load = () => {
        loading ??= readChanges().then((read) => {
            data = read;
            for (const [file, { edits, states }] of read.files.entries()) {
                const last = states.at(-1);
                for (const [entry] of last === undefined ? [] : edits) {
                    fileOfEntry.set(entry, fileOfEntry.get(entry) ?? last?.plainPath ?? last?.path ?? String(file));
                }
            }
            return read;
        });
        return loading;
    };

    /** @type {(shown: Shown, wanted: string) => HTMLElement} */
    const fileElement = (shown, wanted) => {
        const element = makeFile(/** @type {Drawing} */ (drawing), shown, viewed.has(shown), wanted === (shown.plainPath ?? shown.path));
        shownBy.set(element, shown);
        files.push(element);
        return element;
    };

    /** @type {(read: ChangesData, leaf: number, order: Order, atLeaf: Shown[]) => Drawing} */
    const drawingAt = (read, leaf, order, atLeaf) => ({
        outline,
        data: read,
        headings: new Map(read.hunks.headings),
        undone: new Map(atLeaf.map((file) => [file.file, new Set(file.undone)])),
        leaf,
        order,
        clock: (n) => (outline.time[n] === null ? "go to the entry" : clock.format(outline.time[n] ?? 0)),
        whenNear(element, make) {
            waiting.set(element, make);
            near.observe(element);
        },
        hunk: makeHunkReader(read),
        async diffsOf(n) {
            await articles.packs.openFor(n);
            const diffs = articles.read(n)?.querySelectorAll(".card-body .diff") ?? [];
            return Array.from(diffs, (diff) => diff.cloneNode(true));
        },
    });

    /** @type {(read: ChangesData, leaf: number, order: Order, wanted: string) => void} */
    const draw = (read, leaf, order, wanted) => {
        stopBuilding();
        near.disconnect();
        waiting.clear();
        [stops, files, shownBy] = [new Map(), [], new WeakMap()];
        root.dataset.order = order;
        const atLeaf = filesAt(read, outline, leaf);
        if (atLeaf === null) {
            root.replaceChildren(
                make("p", "note", `This page has the files at the end of its ${read.leaves.length} newest branches, of ${read.leafCount}. \`leafpress changes --leaf\` shows those of this one.`),
            );
            return;
        }
        drawing = drawingAt(read, leaf, order, atLeaf);
        root.replaceChildren(makeHead(drawing, atLeaf, viewed.has));
        /** @type {(() => void)[]} */
        const work = order === "file" ? byFile(drawing, atLeaf, wanted) : byPrompt(drawing, read, leaf, wanted);
        let next = 0;
        /** @type {() => void} */
        let done = () => {};
        built = new Promise((resolve) => {
            done = resolve;
        });
        stopBuilding = runInSlices({
            step() {
                work[next++]?.();
                return next < work.length;
            },
            pause(isDone) {
                changed();
                if (isDone) {
                    done();
                }
            },
        });
    };

    /** @type {(drawing: Drawing, atLeaf: Shown[], wanted: string) => (() => void)[]} */
    const byFile = (drawing, atLeaf, wanted) => {
        /** @type {(shown: Shown) => number} */
        const rank = (shown) => (shown.edits.length === 0 ? 2 : shown.isSame ? 1 : 0);
        const sorted = atLeaf.slice().sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
        return sorted.map((shown) => () => {
            root.append(fileElement(shown, wanted));
        });
    };

    /** @type {(drawing: Drawing, read: ChangesData, leaf: number, wanted: string) => (() => void)[]} */
    const byPrompt = (drawing, read, leaf, wanted) => {
        const own = read.turns.filter(({ prompt }) => prompt < 0 || isOnPath(outline, prompt, mainLeaf(outline, leaf)));
        const others = read.turns.filter((turn) => !own.includes(turn));
        const work = own.flatMap((turn) => {
            const stop = makeStop(drawing, turn);
            const place = /** @type {HTMLElement} */ (stop.querySelector(".stop-files"));
            const add = () => {
                root.append(stop);
                stops.set(turn.prompt, stop);
            };
            return [add, ...turn.files.map((shown) => () => place.append(fileElement(shown, wanted)))];
        });
        if (own.length === 0) {
            work.push(() => root.append(make("p", "note", "This branch changed no files.")));
        }
        if (others.length > 0) {
            work.push(() => {
                const note = make("p", "file-line", `${counted(others.length, "prompt")} of other branches changed files too: `);
                others.slice(0, OTHERS).forEach(({ prompt }, nth) => note.append(nth > 0 ? ", " : "", entryLink(drawing, prompt, `“${shortText(titleOf(outline, prompt), 48)}”`)));
                note.append(others.length > OTHERS ? " …" : "");
                root.append(note);
            });
        }
        return work;
    };

    listen(root, "click", (event) => {
        const target = /** @type {Element} */ (event.target);
        const toggle = target.closest(".file-name");
        const file = /** @type {HTMLElement | null} */ (target.closest(".file"));
        if (toggle !== null && file !== null) {
            setOpen(file, toggle.getAttribute("aria-expanded") !== "true");
        }
        const shown = file === null ? undefined : shownBy.get(file);
        if (shown !== undefined && drawing !== undefined && target.closest(".diff-copy") !== null) {
            void copyDiff(drawing, shown, notice);
        }
        if (shown !== undefined && target.closest(".save-version") !== null) {
            void save(shown);
        }
    });
    listen(root, "change", (event) => {
        const box = /** @type {HTMLInputElement} */ (event.target);
        const file = /** @type {HTMLElement | null} */ (box.closest(".file"));
        const place = Number(/** @type {HTMLElement | null} */ (box.closest("[data-viewed-file]"))?.dataset.viewedFile ?? "-1");
        const shown = file === null ? (drawing === undefined ? [] : filesAt(drawing.data, outline, drawing.leaf) ?? []).find((other) => other.file === place) : shownBy.get(file);
        if (shown === undefined) {
            return;
        }
        viewed.set(shown, box.checked);
        for (const other of files) {
            const own = shownBy.get(other);
            if (own?.file === shown.file && viewed.has(own) === box.checked) {
                const input = /** @type {HTMLInputElement} */ (other.querySelector(".viewed input"));
                input.checked = box.checked;
                setOpen(other, !box.checked);
            }
        }
        const row = /** @type {HTMLInputElement | null} */ (root.querySelector(`[data-viewed-file="${shown.file}"] input`));
        if (row !== null && file !== null) {
            row.checked = box.checked;
        }
    });

    /** @type {(path: string) => HTMLElement | undefined} */
    const find = (path) => files.find((file) => file.dataset.file === path);

    return {
        load,
        show(leaf, order, file) {
            const wanted = `${leaf} ${order}`;
            if (drawn === wanted) {
                return;
            }
            drawn = wanted;
            if (data !== undefined) {
                draw(data, leaf, order, file);
                return;
            }
            root.replaceChildren(make("p", "note", "Reading the changes …"));
            load().then(
                (read) => {
                    if (drawn === wanted) {
                        draw(read, leaf, order, file);
                    }
                },
                () => root.replaceChildren(make("p", "note", "This part of the page is damaged. The changes cannot be shown.")),
            );
        },
        holds: (n) => data?.turns.some(({ prompt }) => prompt === n) ?? false,
        addDoor: (n, article) => addDoor(article, fileOfEntry.get(n)),
        async goToFile(path) {
            await load();
            await built;
            const element = find(path);
            if (element !== undefined) {
                setOpen(element, true);
                element.scrollIntoView({ block: "start" });
                element.focus({ preventScroll: true });
            }
        },
        async goToStop(n) {
            await load();
            await built;
            const prompts = Array.from(stops.keys()).sort((a, b) => a - b);
            const element = stops.get(prompts[lastAtMost(prompts, n)] ?? -1);
            element?.scrollIntoView({ block: "start" });
            element?.focus({ preventScroll: true });
        },
        async compared(ends, ancestor) {
            return makeCompared(drawingAt(await load(), ends[0], "file", []), ends, ancestor);
        },
        stepFile(step) {
            const tops = files.map((file) => topOf(file) - topEdge());
            const at = step > 0 ? tops.findIndex((top) => top > 12) : tops.findLastIndex((top) => top < -12);
            files[at]?.scrollIntoView({ block: "start" });
            files[at]?.focus({ preventScroll: true });
            return files[at] !== undefined;
        },
        async finish() {
            await built;
            while (waiting.size > 0) {
                for (const target of Array.from(waiting.keys())) {
                    fill(target);
                }
                await new Promise((done) => setTimeout(done));
            }
        },
        entries: () => Array.from(stops.keys()).filter((n) => n >= 0),
        span: () => [0, stops.size],
        elementOf: (n) => stops.get(n),
        reach: (n) => stops.get(n),
    };
}

/**
 * @param {Outline} outline
 * @param {number} leaf
 * @returns {number} where the session itself stands that shows a leaf of a sub-agent
 */
function mainLeaf({ session, sessions, newest }, leaf) {
    let n = leaf;
    while (session[n] > 0) {
        n = sessions[session[n]].startedBy;
    }
    return n === leaf ? leaf : newest[n];
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
