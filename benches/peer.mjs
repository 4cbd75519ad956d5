#!/usr/bin/env node
// Presses the same sessions with leafpress and with pi's own export, opens both pages in Chromium and prints the
// ratios as the README has them.
//
//   node benches/peer.mjs [--dir target/peer] [--sizes small,medium,large,huge] [--runs 3] [--json]
//
// Makes what it needs in DIR: the sessions (by `cargo bench --bench stages -- --write`), node 22, pi 1.5.2 and
// playwright-core from npm. Needs cargo, npm and Chromium ($CHROME or /usr/bin/chromium); peak memory needs
// /usr/bin/time. Times on a busy machine are noise: only the ratios of one run mean something.

import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PI = "1.5.2";

/** Entries, shape and weight of the sessions. */
const SIZES = {
    small: ["60", "tree", "1"],
    medium: ["2000", "tree", "2"],
    large: ["10000", "tree", "2"],
    huge: ["50000", "tree", "2"],
    deep: ["100000", "chain", "1"],
    wide: ["5000", "fan", "1"],
};

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

/** Beyond this a page counts as one that does not open, in ms. */
const LIMIT = 120_000;

const words = process.argv.slice(2);
const option = (name, usual) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : usual);
const target = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");
const dir = path.resolve(ROOT, option("dir", path.join(target, "peer")));
const sizes = option("sizes", "small,medium,large,huge").split(",");
const runs = Number(option("runs", "3"));

const run = (program, args, more = {}) => execFileSync(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], ...more });
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function setUp() {
    fs.mkdirSync(path.join(dir, "home"), { recursive: true });
    run("cargo", ["build", "--release"]);
    if (!fs.existsSync(path.join(dir, "node_modules/playwright-core"))) {
        fs.writeFileSync(path.join(dir, "package.json"), "{}");
        run("npm", ["install", "--no-audit", "--no-fund", "node@22", "playwright-core@1"], { cwd: dir });
    }
    if (!fs.existsSync(path.join(dir, "package"))) {
        const packed = run("npm", ["pack", "--silent", `@earendil-works/pi-coding-agent@${PI}`], { cwd: dir });
        run("tar", ["xzf", packed.toString().trim()], { cwd: dir });
    }
    for (const size of sizes) {
        const [entries, shape, weight] = SIZES[size];
        const file = path.join(dir, `${size}.jsonl`);
        if (!fs.existsSync(file)) {
            const what = ["--write", file, "--entries", entries, "--shape", shape, "--weight", weight];
            run("cargo", ["bench", "--bench", "stages", "--", ...what]);
        }
    }
}

/** Runs a program once: wall time in ms, peak memory in MB. */
function timed(program, args, env) {
    const timer = "/usr/bin/time";
    const [command, ...rest] = fs.existsSync(timer) ? [timer, "-f", "%M", program, ...args] : [program, ...args];
    const begun = performance.now();
    const done = spawnSync(command, rest, { env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 1e8 });
    const ms = performance.now() - begun;
    if (done.status !== 0) {
        throw new Error(`${program} failed: ${done.stderr}`);
    }
    return { ms, mb: Number(done.stderr.trim().split("\n").at(-1)) / 1024 };
}

/** Time, memory and size of an export by each of both. pi may rewrite what it reads, so it gets a copy. */
function measureExports(size) {
    const file = path.join(dir, `${size}.jsonl`);
    const [own, theirs, copy] = ["leafpress.html", "pi.html", "copy.jsonl"].map((end) => path.join(dir, `${size}.${end}`));
    const found = { leafpress: [], pi: [] };
    for (let nth = 0; nth < runs; nth++) {
        found.leafpress.push(timed(path.join(target, "release/leafpress"), [file, "-o", own]));
        fs.copyFileSync(file, copy);
        const env = { HOME: path.join(dir, "home"), PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" };
        const program = path.join(dir, "node_modules/node/bin/node");
        found.pi.push(timed(program, [path.join(dir, "package/dist/bundle/cli.js"), "--export", copy, theirs], env));
        fs.rmSync(copy, { force: true });
    }
    const told = (runs, page) => ({
        export_ms: median(runs.map(({ ms }) => ms)),
        export_mb: median(runs.map(({ mb }) => mb)),
        page_mb: fs.statSync(page).size / 1e6,
    });
    return { leafpress: told(found.leafpress, own), pi: told(found.pi, theirs) };
}

/** The memory of the largest renderer below this process, in MB. */
function rendererMemory() {
    const list = execFileSync("ps", ["-eo", "pid,ppid,rss,args", "--no-headers"], { encoding: "utf8", maxBuffer: 1e8 });
    const processes = list.split("\n").map((line) => line.trim().split(/\s+/));
    const below = new Set([String(process.pid)]);
    let largest = 0;
    // A child may be listed before its parent.
    for (let round = 0; round < 4; round++) {
        for (const [pid, parent, rss, ...args] of processes) {
            if (below.has(parent)) {
                below.add(pid);
                largest = args.includes("--type=renderer") ? Math.max(largest, Number(rss) / 1024) : largest;
            }
        }
    }
    return largest;
}

/** Runs in the page before its own scripts: notes when the first entry is in view, and times what is done. */
function watch({ first }) {
    const inView = (element) => {
        const box = element?.getBoundingClientRect();
        return box !== undefined && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    };
    const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
    const peer = { first: 0, inView };
    window.__peer = peer;
    const look = () => {
        if (Array.from(document.querySelectorAll(first)).slice(0, 50).some(inView)) {
            painted((at) => (peer.first = at));
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look);
    peer.time = (act, isDone) =>
        new Promise((done) => {
            const begun = performance.now();
            act();
            const wait = () => (isDone() ? painted((at) => done(at - begun)) : requestAnimationFrame(wait));
            requestAnimationFrame(wait);
        });
}

async function opened(chromium, file, page) {
    const browser = await chromium.launch({
        executablePath: process.env.CHROME ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
    });
    const within = (what) => {
        let timer;
        const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error("too late")), LIMIT)));
        return Promise.race([what, late]).finally(() => clearTimeout(timer));
    };
    const found = {};
    try {
        const tab = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
        await tab.goto("about:blank");
        const empty = rendererMemory();
        await tab.addInitScript(watch, page);
        await within(tab.goto(pathToFileURL(file).href, { waitUntil: "commit", timeout: LIMIT }));
        await within(tab.waitForFunction(() => window.__peer?.first > 0 && document.readyState === "complete", null, { timeout: LIMIT }));
        found.first_ms = await tab.evaluate(() => window.__peer.first);
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
                            return window.__peer.time(() => at(page.filter).click(), () => at(page.status).textContent !== before);
                        }
                        if (what === "search") {
                            const act = () => {
                                at(page.search).value = "buoy";
                                at(page.search).dispatchEvent(new InputEvent("input", { bubbles: true }));
                            };
                            return window.__peer.time(act, () => /\d/.test(at(page.hits).textContent) && at(page.hits).textContent !== hitsBefore);
                        }
                        const rows = Array.from(document.querySelectorAll(page.row));
                        const row = rows.find(({ textContent }) => /user:|assistant:/.test(textContent)) ?? rows[0];
                        const id = row?.getAttribute(page.id);
                        return row && window.__peer.time(() => row.click(), () => window.__peer.inView(document.getElementById(`entry-${id}`)));
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
        await Promise.race([browser.close(), new Promise((done) => setTimeout(done, 5000))]);
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
    const figure = (number) => (number === undefined || number === null || Number.isNaN(number) ? "–" : number < 10 ? number.toFixed(1) : number.toFixed(0));
    const cell = ({ leafpress, pi }, name) => {
        const [own, theirs] = [leafpress[name], pi[name]];
        const ratio = own > 0 && theirs > 0 ? ` (${(own / theirs).toFixed(2)})` : "";
        return `${figure(own)} : ${figure(theirs)}${ratio}`;
    };
    const names = Object.keys(results);
    console.log(`| leafpress : pi ${PI} (ratio) | ${names.join(" | ")} |`);
    console.log(`|---|${"---|".repeat(names.length)}`);
    for (const [title, name] of ROWS) {
        console.log(`| ${title} | ${names.map((size) => cell(results[size], name)).join(" | ")} |`);
    }
}

setUp();
const { chromium } = createRequire(path.join(dir, "x.js"))("playwright-core");
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
            result[peer][name] = values.length === 0 ? null : median(values);
        }
        result[peer].error = found.at(-1)?.error;
        console.error(`${size}: ${peer} ${found.at(-1)?.error ?? "done"}`);
    }
    results[size] = result;
}
if (words.includes("--json")) {
    console.log(JSON.stringify(results, null, 1));
} else {
    table(results);
}
