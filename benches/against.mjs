#!/usr/bin/env node
// Exports the same sessions with this tree and with another revision, in turn, opens both pages in Chromium in turn, changes
// the level of detail, searches for a word that most entries have, and prints the ratios.
//
//   node benches/against.mjs REVISION [SESSION…] [--dir target/against] [--sizes small,medium,large] [--runs 5] [--openings 20]
//
// Builds both with cargo's release profile, the revision in a worktree of its own below DIR. `--openings 0` opens no page,
// and needs neither npm nor Chromium. Times on a busy machine are noise: only the ratios of one run mean something.

import fs from "node:fs";
import path from "node:path";

import { LIMIT, close, launch, openPage, within } from "./lib/browser.mjs";
import * as setup from "./lib/setup.mjs";

const FIRST = "#transcript article";

const [revision, ...sessions] = setup.operands();
if (revision === undefined) {
    console.error("usage: node benches/against.mjs REVISION [SESSION…]");
    process.exit(2);
}
const dir = setup.workFolder("against");
const runs = Number(setup.option("runs", "5"));
const openings = Number(setup.option("openings", "20"));

/** Until the page has the level Full, and until a search has found all hits, each with what the browser paints then. */
async function levelAndSearch(tab) {
    await tab.waitForSelector("html[data-ready]", { state: "attached", timeout: LIMIT });
    const level = await tab.evaluate(() =>
        window.__bench.time(
            () => document.querySelector("#detail [data-detail=full]").click(),
            () => document.documentElement.dataset.detail === "full",
        ),
    );
    const search = await tab.evaluate(() =>
        window.__bench.time(
            () => {
                const field = document.querySelector("#search");
                field.value = "the";
                field.dispatchEvent(new Event("input", { bubbles: true }));
            },
            () => /^[1-9]/u.test(document.querySelector("#search-status").textContent),
        ),
    );
    return [level, search];
}

/** By what is measured, then by page. */
async function openInTurn(chromium, pages) {
    const times = [0, 1, 2].map(() => pages.map(() => []));
    for (let nth = 0; nth < openings; nth++) {
        for (const [which, page] of pages.entries()) {
            const browser = await launch(chromium);
            try {
                const tab = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
                await tab.goto("about:blank");
                const found = [await openPage(tab, page, FIRST), ...(await within(levelAndSearch(tab)))];
                found.forEach((ms, what) => times[what][which].push(ms));
            } finally {
                await close(browser);
            }
        }
    }
    return times;
}

const programs = [setup.leafpressProgram(), setup.programOfRevision(dir, revision)];
const chromium = openings > 0 ? setup.chromiumDriver(dir) : undefined;
const sizes = setup.option("sizes", "small,medium,large").split(",").filter((size) => size !== "");
const files = [...sizes.map((size) => setup.sessionOfSize(dir, size)), ...sessions.map((file) => path.resolve(file))];
const rows = [];
for (const file of files) {
    const pages = programs.map((_, which) => path.join(dir, `${which === 0 ? "this" : "that"}.html`));
    const found = programs.map(() => ({ ms: [], mb: [] }));
    // The first run of each warms up the caches.
    for (let nth = -1; nth < runs; nth++) {
        for (const [which, program] of programs.entries()) {
            const { ms, mb } = setup.timedSuccess(program, [file, "-o", pages[which], "--force"]);
            if (nth >= 0) {
                found[which].ms.push(ms);
                found[which].mb.push(mb);
            }
        }
    }
    const bytes = pages.map((page) => fs.statSync(page).size);
    const opened = chromium === undefined ? [] : await openInTurn(chromium, pages);
    rows.push([
        path.basename(file),
        [
            setup.ratio(found[0].ms, found[1].ms),
            setup.ratio(found[0].mb, found[1].mb),
            `${bytes[0]} : ${bytes[1]} (${(bytes[0] / bytes[1]).toFixed(2)})`,
            ...opened.map((pair) => `${pair.map((times) => setup.figure(setup.median(times))).join(" : ")} ms ${setup.ratio(...pair)}`),
        ],
    ]);
}
const opening = chromium === undefined ? [] : ["first entry in view", "level Full", "search, all hits"];
setup.printTable(`this tree : ${revision}`, ["export, time", "export, peak memory", "page, bytes", ...opening], rows);
