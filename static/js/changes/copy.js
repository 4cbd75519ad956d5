/** "Copy diff": a file's hunks as a patch. */

import { copyText } from "../address/copy.js";
import { elementOfFragment } from "../chunks/fragments.js";
import { pathOf } from "./file.js";
import { patchLines } from "./lines.js";

/** @import { Notice } from "../ui/notice.js" */
/** @import { Shown } from "./data.js" */
/** @import { Drawing } from "./hunk.js" */

/** What a patch writes in quotes. */
const ODD = /[\u0000-\u001f"\\\u007f]/u;

/**
 * @param {Drawing} drawing
 * @param {Shown} shown
 * @param {Notice} notice
 */
export async function copyDiff(drawing, shown, notice) {
    if (shown.hunks.length === 0) {
        notice.mention("No exact diff of this file: only parts of it are known");
        return;
    }
    const { old, new: now } = drawing.data.hunks;
    const path = pathOf(shown);
    const isNew = shown.status === "created" || shown.status === "written";
    const isOutside = /^(?:[\\/~]|[a-z]:)/iu.test(path);
    let text = isOutside ? "# This file is outside of the session's folder: git apply does not take its path.\n" : "";
    text += `--- ${isNew ? "/dev/null" : named("a", shown.from ?? path)}\n+++ ${shown.status === "deleted" ? "/dev/null" : named("b", path)}\n`;
    for (const [first, parts] of shown.hunks) {
        let [lines, olds, news] = ["", 0, 0];
        for (let part = first; part < first + parts; part++) {
            const read = patchLines(elementOfFragment(await drawing.hunk(part)));
            lines += read.text;
            olds += read.old;
            news += read.now;
        }
        text += `@@ -${range(old[first], olds)} +${range(now[first], news)} @@\n${lines}`;
    }
    await copyText(text, "Diff copied", notice);
}

/**
 * @param {string} side
 * @param {string} path
 * @returns {string}
 */
function named(side, path) {
    return ODD.test(path) ? JSON.stringify(`${side}/${path}`) : `${side}/${path}`;
}

/**
 * @param {number} start
 * @param {number} lines
 * @returns {string}
 */
function range(start, lines) {
    return lines === 1 ? String(start) : `${start},${lines}`;
}
