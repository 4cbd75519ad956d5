#!/usr/bin/env node
// Exports the same sessions with leafpress and with pi's own export, opens both pages in Chromium and prints the
// ratios as the README has them.
//
//   node benches/peer.mjs [--dir target/peer] [--sizes small,medium,large,huge] [--runs 3] [--leafpress FILE] [--json]
//
// Makes what it needs in DIR: the sessions (by `cargo bench --bench stages -- --write`), node 22, pi 1.5.2 and
// playwright-core from npm. Needs cargo, npm and Chromium ($CHROME or /usr/bin/chromium); peak memory needs
// /usr/bin/time. Times on a busy machine are noise: only the ratios of one run mean something.

import fs from "node:fs";
import path from "node:path";

import { close, launch, openPage, rendererMemory, within } from "./lib/browser.mjs";
import * as setup from "./lib/setup.mjs";

const PI = "1.5.2";

/** What to look at and to click in each page. */
const PAGES = {
    leafpress: {
        first: "#transcript article",
        status: "#status",
        hits: "#search-status",
        filter: 'button[data-filter="user-only"]',
        search: "#search",
        // Only rows near the view are in the document, and those of the current branch come first.
        tree: "#tree",
        row: "#tree [role=treeitem]:not(.on-path)",
        id: "data-entry-id",
    },
    pi: {
        first: "#messages > *",
        status: "#tree-status",
        hits: "#tree-status",
        filter: '.filter-btn[data-filter="user-only"]',
        search: "#tree-search",
        row: ".tree-node:not(.in-path)",
        id: "data-id",
    },
};

const dir = setup.workFolder("peer");
const sizes = setup.option("sizes", "small,medium,large,huge").split(",");
const runs = Number(setup.option("runs", "3"));

/** Fetches pi and the node that runs it. */
function fetchPi() {
    fs.mkdirSync(path.join(dir, "home"), { recursive: true });
    setup.installPackages(dir, ["node@22", "playwright-core@1"]);
    if (!fs.existsSync(path.join(dir, "package"))) {
        const packed = setup.run("npm", ["pack", "--silent", `@earendil-works/pi-coding-agent@${PI}`], { cwd: dir });
        setup.run("tar", ["xzf", packed.toString().trim()], { cwd: dir });
    }
}

/** Time, memory and size of an export by each of both. pi may rewrite what it reads, so it gets a copy. */
function measureExports(size) {
    const file = setup.sessionOfSize(dir, size);
    const [own, theirs, copy] = ["leafpress.html", "pi.html", "copy.jsonl"].map((end) => path.join(dir, `${size}.${end}`));
    const found = { leafpress: [], pi: [] };
    for (let nth = 0; nth < runs; nth++) {
        found.leafpress.push(setup.timedSuccess(leafpress, [file, "-o", own]));
        fs.copyFileSync(file, copy);
        const env = { HOME: path.join(dir, "home"), PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
        const program = path.join(dir, "node_modules/node/bin/node");
        found.pi.push(setup.timedSuccess(program, [path.join(dir, "package/dist/bundle/cli.js"), "--export", copy, theirs], env));
        fs.rmSync(copy, { force: true });
    }
    const told = (runs, page) => ({
        export_ms: setup.median(runs.map(({ ms }) => ms)),
        export_mb: setup.median(runs.map(({ mb }) => mb)),
        page_mb: fs.statSync(page).size / 1e6,
    });
    return { leafpress: told(found.leafpress, own), pi: told(found.pi, theirs) };
}

async function opened(chromium, file, page) {
    const browser = await launch(chromium);
    const found = {};
    try {
        const tab = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
        await tab.goto("about:blank");
        const empty = rendererMemory();
        found.first_ms = await openPage(tab, file, page.first);
        await tab.waitForTimeout(1000);
        found.memory_mb = rendererMemory() - empty;
        const time = (what) =>
            within(
                tab.evaluate(
                    ([what, page]) => {
                        const at = (selector) => document.querySelector(selector);
                        const before = at(page.status)?.textContent;
                        const hitsBefore = at(page.hits)?.textContent;
                        if (what === "filter") {
                            return window.__bench.time(() => at(page.filter).click(), () => at(page.status).textContent !== before);
                        }
                        if (what === "search") {
                            const act = () => {
                                at(page.search).value = "buoy";
                                at(page.search).dispatchEvent(new InputEvent("input", { bubbles: true }));
                            };
                            return window.__bench.time(act, () => /\d/.test(at(page.hits).textContent) && at(page.hits).textContent !== hitsBefore);
                        }
                        const rows = Array.from(document.querySelectorAll(page.row));
                        const row = rows.find(({ textContent }) => /user:|assistant:/.test(textContent)) ?? rows[0];
                        const id = row?.getAttribute(page.id);
                        return row && window.__bench.time(() => row.click(), () => window.__bench.inView(document.getElementById(`entry-${id}`)));
                    },
                    [what, page],
                ),
            );
        found.search_ms = await time("search");
        await tab.evaluate((page) => {
            document.querySelector(page.search).value = "";
            document.querySelector(page.search).dispatchEvent(new InputEvent("input", { bubbles: true }));
            const tree = page.tree && document.querySelector(page.tree);
            tree?.scrollTo({ top: tree.scrollHeight });
        }, page);
        await tab.waitForTimeout(1000);
        found.branch_ms = await time("branch");
        await tab.waitForTimeout(1000);
        found.filter_ms = await time("filter");
    } catch (error) {
        found.error = error.message.split("\n")[0];
    } finally {
        await close(browser);
    }
    return found;
}

const ROWS = [
    ["export, ms", "export_ms"],
    ["export, peak MB", "export_mb"],
    ["page, MB", "page_mb"],
    ["first entry in view, ms", "first_ms"],
    ["memory of the page, MB", "memory_mb"],
    ["filter, ms", "filter_ms"],
    ["first hits of a search, ms", "search_ms"],
    ["another branch, ms", "branch_ms"],
];

function table(results) {
    const cell = ({ leafpress, pi }, name) => {
        const [own, theirs] = [leafpress[name], pi[name]];
        const ratio = own > 0 && theirs > 0 ? ` (${(own / theirs).toFixed(2)})` : "";
        return `${setup.figure(own)} : ${setup.figure(theirs)}${ratio}`;
    };
    const names = Object.keys(results);
    const rows = ROWS.map(([title, name]) => [title, names.map((size) => cell(results[size], name))]);
    setup.printTable(`leafpress : pi ${PI} (ratio)`, names, rows);
}

const leafpress = setup.leafpressProgram();
fetchPi();
const chromium = setup.chromiumDriver(dir);
const results = {};
for (const size of sizes) {
    const result = measureExports(size);
    for (const [peer, page] of Object.entries(PAGES)) {
        const found = [];
        for (let nth = 0; nth < runs && found.at(-1)?.error === undefined; nth++) {
            found.push(await opened(chromium, path.join(dir, `${size}.${peer}.html`), page));
        }
        for (const name of ["first_ms", "memory_mb", "filter_ms", "search_ms", "branch_ms"]) {
            const values = found.map((one) => one[name]).filter((value) => value > 0);
            result[peer][name] = values.length === 0 ? null : setup.median(values);
        }
        result[peer].error = found.at(-1)?.error;
        console.error(`${size}: ${peer} ${found.at(-1)?.error ?? "done"}`);
    }
    results[size] = result;
}
if (setup.flag("json")) {
    console.log(JSON.stringify(results, null, 1));
} else {
    table(results);
}
