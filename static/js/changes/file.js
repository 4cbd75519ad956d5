/** One file: its head, and its hunks, which are made when the reader comes near. */

import { IS_LOCKED } from "../address/link.js";
import { counted, make, makeButton } from "../base/dom.js";
import { recallList, remember } from "../base/storage.js";
import { makeTriedBefore, makeUndone } from "./attempts.js";
import { ENTRY, HOW_KNOWN } from "./data.js";
import { commandLink, entryLink, LINE_HEIGHT, makeHunk, reasonOf } from "./hunk.js";
import { KNOWN, STATUS } from "./words.js";

/** @import { ChangesData, HunkPlace, Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** A command is named up to this length. */
const COMMAND_LENGTH = 60;

/**
 * @param {Shown} shown
 * @returns {HTMLElement} `M`
 */
export function makeStatus({ status }) {
    const [letter, words] = STATUS[status] ?? STATUS.unknown;
    const element = make("abbr", "status", letter);
    element.dataset.status = status;
    element.title = words;
    return element;
}

/**
 * @param {{added: number, removed: number, isAbout?: boolean}} shown
 * @returns {HTMLElement} `+42 −9`; with "≈" where not all of it is exact
 */
export function makeCounts({ added, removed, isAbout }) {
    const element = make("span", "counts");
    if (isAbout && added + removed > 0) {
        const about = make("span", "about", "≈ ");
        about.title = "Some edits are known only in part. These are the lines of all edits added up.";
        element.append(about);
    }
    if (added > 0) {
        element.append(make("ins", "", `+${added.toLocaleString("en-US")}`));
    }
    if (removed > 0) {
        element.append(added > 0 ? " " : "", make("del", "", `−${removed.toLocaleString("en-US")}`));
    }
    return element;
}

/**
 * @param {string} path
 * @returns {HTMLElement} the folder faint, the name strong
 */
export function makePath(path) {
    const element = make("span", "path");
    const cut = path.lastIndexOf("/") + 1;
    element.append(make("span", "folder", path.slice(0, cut)), make("b", "", path.slice(cut)));
    return element;
}

/**
 * @param {Shown} shown
 * @returns {string} as it is written
 */
export function pathOf({ path, plainPath = path }) {
    return plainPath;
}

/**
 * The files that the reader has seen, remembered from visit to visit; one that has changed since is new again.
 *
 * @param {string} page what tells the session from others
 * @returns {{has: (shown: Shown) => boolean, set: (shown: Shown, isViewed: boolean) => void}}
 */
export function makeViewed(page) {
    const key = `leafpress:viewed:${page}`;
    /** @type {Set<string>} */
    const viewed = new Set(IS_LOCKED ? [] : recallList(key));
    /** @type {(shown: Shown) => string} */
    const name = ({ path, added, removed }) => `${path} ${added} ${removed}`;
    return {
        has: (shown) => viewed.has(name(shown)),
        set(shown, isViewed) {
            viewed[isViewed ? "add" : "delete"](name(shown));
            if (!IS_LOCKED) {
                remember(key, JSON.stringify([...viewed]));
            }
        },
    };
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {boolean} isViewed
 * @param {boolean} isOpen
 * @returns {HTMLElement}
 */
export function makeFile(drawing, shown, isViewed, isOpen) {
    const element = make("section", "file");
    element.dataset.file = pathOf(shown);
    element.dataset.known = KNOWN[shown.known].name;
    element.tabIndex = -1;
    const head = make("header", "file-head");
    const toggle = makeButton("file-name", "");
    toggle.append(makeStatus(shown), makePath(shown.path));
    if (shown.from !== undefined) {
        toggle.append(make("span", "from", `from ${shown.from}`));
    }
    const note = make("span", "file-note", noteOf(shown));
    const viewed = make("label", "viewed");
    const box = /** @type {HTMLInputElement} */ (make("input", ""));
    box.type = "checkbox";
    box.checked = isViewed;
    viewed.append(box, " Viewed");
    head.append(toggle, ...makeActions(shown), note, makeCounts(shown), viewed);
    if (shown.own !== undefined) {
        const own = make("span", "file-note", "this branch ");
        own.append(makeCounts(shown.own));
        note.after(own);
    }
    const body = make("div", "file-body");
    element.append(head, body);
    const why = shown.collapsed ?? "";
    setOpen(element, isOpen);
    if (why !== "" && !isOpen) {
        note.append(note.textContent === "" ? why : ` · ${why}`);
    }
    body.style.setProperty("min-block-size", `${rowsOf(drawing, shown) * LINE_HEIGHT}px`);
    drawing.whenNear(body, () => {
        body.style.removeProperty("min-block-size");
        body.append(...makeBody(drawing, shown));
    });
    return element;
}

/**
 * @param {Shown} shown
 * @returns {HTMLElement[]}
 */
function makeActions(shown) {
    const actions = [];
    if (shown.hunks.length > 0) {
        actions.push(makeButton("diff-copy", "Copy diff"));
    }
    if (shown.version > 0) {
        const save = makeButton("save-version", "Save this version");
        save.title = "Save the file as it was after the last of these edits";
        actions.push(save);
    }
    return actions;
}

/** Of a file's head with the room below it, in pixels. */
const FILE_HEIGHT = 46;

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {boolean} isOpen
 * @returns {number} about how high it is, in pixels
 */
export function heightOf(drawing, shown, isOpen) {
    return FILE_HEIGHT + (isOpen ? rowsOf(drawing, shown) * LINE_HEIGHT : 0);
}

/**
 * @param {HTMLElement} file
 * @param {boolean} isOpen
 */
export function setOpen(file, isOpen) {
    file.querySelector(".file-name")?.setAttribute("aria-expanded", String(isOpen));
    const body = /** @type {HTMLElement} */ (file.querySelector(".file-body"));
    body.hidden = !isOpen;
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @returns {HunkPlace[]} the hunks of edits that are not exact
 */
function askedHunks({ data }, shown) {
    const { asked } = data.files[shown.file];
    if (asked === undefined) {
        return [];
    }
    const edits = new Set(shown.edits);
    return asked.filter(([, , [edit]]) => edits.has(edit));
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @returns {number} the lines of its hunks, and two for the head of each
 */
function rowsOf(drawing, shown) {
    const { rows } = drawing.data.hunks;
    let sum = 0;
    for (const [first, parts] of [...shown.hunks, ...askedHunks(drawing, shown)]) {
        for (let part = first; part < first + parts; part++) {
            sum += rows[part];
        }
        sum += 2;
    }
    return sum;
}

/**
 * @param {Shown} shown
 * @returns {string} "13 edits, 2 failed", "from a patch"
 */
export function noteOf(shown) {
    const words = [];
    if (shown.edits.length > 1) {
        words.push(counted(shown.edits.length, "edit"));
    }
    if (shown.failed !== undefined) {
        words.push(`${shown.failed.length} failed`);
    }
    if (shown.known > 0 && shown.edits.length > 0) {
        words.push(KNOWN[shown.known].phrase);
    }
    if (shown.status === "written") {
        words.push(STATUS.written[1]);
    }
    return words.join(", ");
}

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @returns {HTMLElement[]}
 */
function makeBody(drawing, shown) {
    const all = drawing.data.files[shown.file].edits;
    const asked = askedHunks(drawing, shown);
    const { new: now, rows } = drawing.data.hunks;
    const parts = shown.hunks.flatMap((place) => {
        const [first, count, edits] = place;
        const lines = rows.slice(first, first + count).reduce((sum, more) => sum + more, 0);
        const tried = drawing.order === "file" ? makeTriedBefore(drawing, shown, edits, now[first], lines) : null;
        return [makeHunk(drawing, shown, place, ""), ...(tried === null ? [] : [tried])];
    });
    parts.push(...asked.map((place) => makeHunk(drawing, shown, place, KNOWN[all[place[2][0]][HOW_KNOWN]].phrase)));
    /** @type {(words: string, entries: number[], className?: string) => void} */
    const line = (words, entries, className = "") => {
        const element = make("p", `file-line ${className}`, words);
        entries.forEach((n, nth) => element.append(nth === 0 ? " " : ", ", entryLink(drawing, n, drawing.clock(n))));
        parts.push(element);
    };
    if (shown.collapsed === "binary") {
        line("This is a binary file. It is not shown.", []);
    } else if (shown.isSame && shown.edits.length > 0) {
        line("Changed and changed back: the file is as it was.", []);
    }
    const undone = drawing.order === "file" ? makeUndone(drawing, shown) : null;
    if (undone !== null) {
        parts.push(undone);
    }
    // What no hunk shows.
    const drawn = new Set(asked.map(([, , [edit]]) => edit));
    for (const edit of shown.edits.filter((at) => all[at][HOW_KNOWN] > 0 && !drawn.has(at) && shown.hunks.length === 0)) {
        const reason = reasonOf(drawing, all[edit]);
        line(`Known ${KNOWN[all[edit][HOW_KNOWN]].phrase}${reason === "" ? "" : `: ${reason}`} ·`, [all[edit][ENTRY]]);
    }
    if (shown.failed !== undefined) {
        line(`${counted(shown.failed.length, "edit")} failed:`, shown.failed, "failed");
    }
    if ((shown.breaks ?? []).length > 0) {
        line("Changed between edits, as these entries show:", shown.breaks ?? [], "caution outside");
    }
    if ((shown.misfits ?? []).length > 0) {
        line("These edits do not fit the edits before them:", shown.misfits ?? [], "caution");
    }
    for (const n of shown.maybe ?? []) {
        const element = make("p", "file-line caution maybe", "A command may have changed this file: ");
        element.append(commandLink(drawing, n, "", COMMAND_LENGTH));
        parts.push(element);
    }
    // On a phone they have no room in the head.
    const actions = make("p", "file-actions");
    actions.append(...makeActions(shown));
    return [...parts, actions];
}
