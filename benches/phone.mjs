#!/usr/bin/env node
// Exports sessions with leafpress, opens each page in Chromium as on a phone, with the processor slowed down four
// times, and prints how long the reader waits for what, and how evenly the page scrolls.
//
//   node benches/phone.mjs [--sizes small,medium,large,huge] [--files A.jsonl,B.jsonl] [--runs 3] [--rate 4]
//                          [--seconds 20] [--dir target/phone] [--leafpress FILE] [--profile] [--json]
//
// Without --sizes and --files it takes the large session. Makes what it needs in DIR: the sessions (by
// `cargo bench --bench stages -- --write`) and playwright-core from npm. Needs cargo, npm and Chromium ($CHROME,
// /usr/bin/chromium or /usr/bin/chromium-headless-shell). --seconds is how long a sweep through the whole transcript
// takes. --profile writes a CPU profile of each step to DIR, which the browser's developer tools open; it slows the
// page down.
//
// Each run is a new browser, and each figure the median of all runs. A step waits for something that must not be
// there before, and fails otherwise. The row of a plain page, scrolled in the same way, tells what the machine itself
// is capable of: without it, frames that are late tell nothing.

import fs from "node:fs";
import path from "node:path";

import { close, launch, openPage, rendererMemory, within } from "./lib/browser.mjs";
import { searchWords } from "./lib/search-words.mjs";
import * as setup from "./lib/setup.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** Presses of a key of which the median and the slowest count. */
const PRESSES = 20;

/** Swipes of a thumb, one after the other while the page still moves. */
const SWIPES = 12;

/** Between two frames of a headless browser that has little to do. */
const FRAME_MS = 1000 / 60;

/** A sweep that has not come to the end after so many parts does not come there. */
const PARTS = 6;

/** A step that takes longer does not end, in ms. */
const LIMIT = 30_000;

/** The page rests so long between two steps, so that none has to do the work of the one before. */
const REST_MS = 1000;

/** Longer than the page's own rest after which it begins to grow while idle. */
const GROWTH_MS = 3000;

const dir = setup.workFolder("phone");
const runs = Number(setup.option("runs", "3"));
const rate = Number(setup.option("rate", "4"));
const seconds = Number(setup.option("seconds", "20"));

/** The sessions to measure, by name. */
function sessions() {
    const files = setup.option("files", "").split(",").filter((file) => file !== "");
    const sizes = setup.option("sizes", files.length > 0 ? "" : "large").split(",").filter((size) => size !== "");
    return new Map([
        ...sizes.map((size) => [size, setup.sessionOfSize(dir, size)]),
        ...files.map((file) => [path.basename(file, ".jsonl"), path.resolve(file)]),
    ]);
}

/** Runs in the page before its own scripts: notes when the page can be used. */
function watchReady() {
    const observer = new MutationObserver(() => {
        if (document.documentElement?.dataset.ready !== undefined) {
            window.__ready = performance.now();
            observer.disconnect();
        }
    });
    observer.observe(document, { subtree: true, attributeFilter: ["data-ready"] });
}

/** Runs in the page: what the steps ask of it. */
function watchPhone() {
    const bench = window.__bench;
    const at = (selector) => document.querySelector(selector);
    const phone = { at };
    window.__phone = phone;
    /** Whether all articles in view have their content. */
    phone.isFilled = () => !Array.from(document.querySelectorAll("#transcript [aria-busy=true]")).some(bench.inView);
    /** The article that the reader went to last. */
    phone.target = () => at("#transcript > .target");
    phone.hits = () => Number(/(\d+) hits?/.exec(at("#search-status").textContent)?.[1] ?? Number.NaN);
    phone.isSearching = () => at("#search-status").textContent.startsWith("searching");
    phone.type = (words) => {
        at("#search").value = words;
        at("#search").dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    /** The time from a real key to the frame that shows what it did. The key is pressed from outside. */
    phone.awaitKey = (isDone) => {
        phone.key = new Promise((done, fail) => {
            const pressed = (event) => {
                if (isDone()) {
                    fail(new Error("it was there before"));
                    return;
                }
                const wait = () => (isDone() ? setTimeout(() => done(performance.now() - event.timeStamp)) : requestAnimationFrame(wait));
                requestAnimationFrame(wait);
            };
            addEventListener("keydown", pressed, { capture: true, once: true });
        });
        phone.key.catch(() => {});
    };
    /** Notes the time of each frame, and now and then whether there is text in the middle of the view. */
    phone.record = () => {
        const frames = [];
        const looks = [];
        let goesOn = true;
        const frame = (now) => {
            frames.push(now);
            if (goesOn) {
                requestAnimationFrame(frame);
            }
        };
        requestAnimationFrame(frame);
        const timer = setInterval(() => {
            const article = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("article");
            looks.push(article !== null && article !== undefined && !article.hasAttribute("aria-busy"));
        }, 100);
        const long = [];
        const observer = new PerformanceObserver((list) => {
            for (const { startTime, duration, styleAndLayoutStart, scripts } of list.getEntries()) {
                const layout = startTime + duration - styleAndLayoutStart;
                const calls = scripts.map((one) => ({ by: one.invoker, ms: one.duration, layout_ms: one.forcedStyleAndLayoutDuration }));
                long.push({ ms: duration, layout_ms: layout, calls });
            }
        });
        observer.observe({ type: "long-animation-frame" });
        phone.recorded = () => {
            goesOn = false;
            clearInterval(timer);
            observer.disconnect();
            return { frames, looks, long };
        };
    };
}

/** What the times of frames tell: the longest, and the share that is late. */
function frameFigures({ frames, looks, long }) {
    const lengths = frames.slice(1).map((time, at) => time - frames[at]);
    return {
        frames: lengths.length,
        seconds: (frames.at(-1) - frames[0]) / 1000,
        longest_ms: Math.max(...lengths),
        late_percent: (100 * lengths.filter((length) => length > 1.5 * FRAME_MS).length) / lengths.length,
        missed_percent: 100 - (100 * lengths.length * FRAME_MS) / (frames.at(-1) - frames[0]),
        blank_percent: (100 * looks.filter((hasText) => !hasText).length) / Math.max(1, looks.length),
        // For whoever looks for the cause.
        long: long.toSorted((a, b) => b.ms - a.ms).slice(0, 5),
    };
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Scrolls down by swipes of a thumb. Synthesized gestures of touch do not scroll in a headless browser. Events have
 * their own times and nothing waits for the page to take them: a page that is slow to do so would see a slow thumb.
 */
async function swipe(protocol) {
    const sent = [];
    for (let nth = 0; nth < SWIPES; nth++) {
        const begun = Date.now() / 1000;
        const touch = (type, at, y) => {
            const touchPoints = y === undefined ? [] : [{ x: 195, y }];
            sent.push(protocol.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp: begun + at / 1000 }));
        };
        touch("touchStart", 0, 700);
        for (let step = 1; step <= 8; step++) {
            await sleep(8);
            touch("touchMove", 8 * step, 700 - 40 * step);
        }
        touch("touchEnd", 66);
        await sleep(600);
    }
    await within(Promise.all(sent), LIMIT);
    await sleep(1500);
}

/** Scrolls down at an even speed in CSS pixels a second. */
function sweep(protocol, pixels, speed) {
    const gesture = { x: 195, y: 420, yDistance: -Math.round(pixels), speed: Math.round(speed), gestureSourceType: "mouse" };
    return within(protocol.send("Input.synthesizeScrollGesture", gesture), 10 * 60_000);
}

/** One tab, and what can be measured in it. */
async function openTab(browser) {
    const context = await browser.newContext(PHONE);
    const tab = await context.newPage();
    const protocol = await context.newCDPSession(tab);
    await tab.goto("about:blank");
    await protocol.send("Emulation.setCPUThrottlingRate", { rate });
    await protocol.send("Performance.enable");
    const rest = (ms = REST_MS) => tab.waitForTimeout(ms);
    /** Does a step, with a profile of it if that was asked for. */
    const step = async (name, doStep) => {
        const act = () =>
            doStep().catch((error) => {
                throw new Error(`${name}: ${error.message.split("\n")[0]}`);
            });
        if (!setup.flag("profile")) {
            return act();
        }
        await protocol.send("Profiler.enable");
        await protocol.send("Profiler.setSamplingInterval", { interval: 200 });
        await protocol.send("Profiler.start");
        const result = await act();
        const { profile } = await protocol.send("Profiler.stop");
        fs.writeFileSync(path.join(dir, `${name}.cpuprofile`), JSON.stringify(profile));
        return result;
    };
    /** The time of something that the page itself can do. */
    const time = (name, act, isDone, arg) => {
        const source = `window.__bench.time(() => (${act})(${JSON.stringify(arg)}), () => (${isDone})(${JSON.stringify(arg)}))`;
        return step(name, () => within(tab.evaluate(source), LIMIT));
    };
    /** The time from a key to the frame that shows what it did. */
    const timeKey = (name, key, isDone, arg) =>
        step(name, async () => {
            await tab.evaluate(`window.__phone.awaitKey(() => (${isDone})(${JSON.stringify(arg)}))`);
            await tab.keyboard.press(key);
            return within(tab.evaluate(() => window.__phone.key), LIMIT);
        });
    /** The frames while something happens, and how far it scrolled. */
    const frames = (name, act) =>
        step(name, async () => {
            const before = await tab.evaluate(() => scrollY);
            await tab.evaluate(() => window.__phone.record());
            await act();
            const recorded = await tab.evaluate(() => window.__phone.recorded());
            return { ...frameFigures(recorded), kilopixels: ((await tab.evaluate(() => scrollY)) - before) / 1000 };
        });
    /** MB of the script's heap once nothing is left to collect, and of the whole process. */
    const memory = async () => {
        await protocol.send("HeapProfiler.collectGarbage");
        await rest(300);
        const { metrics } = await protocol.send("Performance.getMetrics");
        return { heap: metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6, process: rendererMemory() };
    };
    return { tab, protocol, rest, step, time, timeKey, frames, memory };
}

const isLevel = (level) => document.documentElement.dataset.detail === level && window.__phone.isFilled();

const isDrawerOpen = () => {
    const isRowSeen = (row) => window.__bench.inView(row) && row.getBoundingClientRect().left >= 0;
    return document.documentElement.classList.contains("drawer-open") && Array.from(document.querySelectorAll("#tree [role=treeitem]")).some(isRowSeen);
};

/** Waits until the page no longer grows while idle. */
async function awaitGrowth({ tab, rest }) {
    const count = () => tab.evaluate(() => document.querySelectorAll("#transcript article").length);
    for (let [before, now] = [-1, await count()]; before !== now; ) {
        await rest(GROWTH_MS);
        [before, now] = [now, await count()];
    }
    return count();
}

/** Moves from prompt to prompt. */
async function pressNext({ tab, rest, timeKey }, found) {
    const times = [];
    for (let nth = 0; nth < PRESSES; nth++) {
        const before = await tab.evaluate(() => window.__phone.target()?.id);
        const isNext = (before) => {
            const target = window.__phone.target();
            return target !== null && target.id !== before && window.__bench.inView(target) && window.__phone.isFilled();
        };
        times.push(await timeKey("next", "j", isNext, before));
        await rest(300);
    }
    found.next_ms = setup.median(times);
    found.next_worst_ms = Math.max(...times);
}

/** Filters, without and with the transcript. The drawer is open. */
async function chooseFilters({ tab, rest, time }, found) {
    const usual = await tab.evaluate(() => window.__phone.at("button[data-filter][aria-pressed=true]").dataset.filter);
    const choose = async (name, filter) => {
        const before = await tab.evaluate(() => window.__phone.at("#status").textContent);
        const act = ({ filter }) => window.__phone.at(`button[data-filter="${filter}"]`).click();
        const isDone = ({ filter, before }) =>
            window.__phone.at(`button[data-filter="${filter}"]`).getAttribute("aria-pressed") === "true" &&
            window.__phone.at("#status").textContent !== before &&
            window.__phone.isFilled();
        const ms = await time(name, act, isDone, { filter, before });
        await rest();
        return ms;
    };
    found.filter_user_ms = await choose("filter-user", "user-only");
    found.filter_tools_ms = await choose("filter-tools", "no-tools");
    found.filter_back_ms = await choose("filter-back", usual);
    await tab.evaluate(() => window.__phone.at("#only").click());
    await rest();
    found.filter_transcript_ms = Math.max(
        await choose("filter-transcript", "user-only"),
        await choose("filter-transcript-tools", "no-tools"),
        await choose("filter-transcript-back", usual),
    );
    await tab.evaluate(() => window.__phone.at("#only").click());
    await rest();
}

/** Searches. The drawer is open, and nothing was searched for yet. */
async function search({ tab, rest, time, frames, memory }, words, found) {
    const before = await memory();
    const type = (text) => window.__phone.type(text);
    found.search_first_ms = await time("search-first", type, () => window.__phone.hits() > 0, words.common);
    await tab.evaluate(type, "");
    await rest();
    const isDone = () => window.__phone.hits() >= 0 && !window.__phone.isSearching();
    const during = await frames("search-all", async () => {
        found.search_all_ms = await within(
            tab.evaluate(`window.__bench.time(() => (${type})(${JSON.stringify(words.rare)}), ${isDone})`),
        );
    });
    found.search_longest_ms = during.longest_ms;
    found.hits = await tab.evaluate(() => window.__phone.hits());
    if (found.hits !== words.rareCount) {
        console.error(`"${words.rare}" is in ${words.rareCount} entries of the file, the page found ${found.hits}`);
    }
    const after = await memory();
    [found.heap_mb, found.heap_searched_mb] = [before.heap, after.heap];
    [found.process_mb, found.process_searched_mb] = [before.process, after.process];
    await tab.evaluate(type, "");
    await rest();
}

/** Switches to another branch by its row in the tree, if there is one. */
async function switchBranch({ tab, rest, time }, found) {
    await tab.evaluate(() => window.__phone.at("#sidebar-toggle").click());
    await rest();
    const row = "#tree [role=treeitem]:not(.on-path)";
    await tab.evaluate(() => window.__phone.at("#tree").scrollTo({ top: window.__phone.at("#tree").scrollHeight }));
    await rest();
    const id = await tab.evaluate((row) => window.__phone.at(row)?.getAttribute("data-entry-id") ?? null, row);
    if (id !== null) {
        const act = (id) => window.__phone.at(`#tree [data-entry-id="${id}"]`).click();
        const isThere = (id) => window.__bench.inView(document.getElementById(`entry-${id}`)) && window.__phone.isFilled();
        found.branch_ms = await time("branch", act, isThere, id);
    }
}

/** Scrolls through the transcript at the level on show. */
async function scrollThrough({ tab, protocol, rest, frames }, level, found) {
    const toTop = async () => {
        await tab.keyboard.press("g");
        await tab.keyboard.press("g");
        await rest();
    };
    await toTop();
    found[`fling_${level}`] = await frames(`fling-${level}`, () => swipe(protocol));
    await toTop();
    const left = () => tab.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY);
    const speed = (await left()) / seconds;
    found[`sweep_${level}`] = await frames(`sweep-${level}`, async () => {
        // The height is an estimate until the articles are there.
        for (let [part, pixels] = [0, await left()]; part < PARTS && pixels > 1; part++) {
            await sweep(protocol, pixels, speed);
            pixels = await left();
        }
    });
    found[`sweep_${level}`].left = await left();
    await rest();
}

async function measure(chromium, page, words) {
    const browser = await launch(chromium);
    const found = {};
    try {
        const phone = await openTab(browser);
        const { tab, rest, time, timeKey } = phone;
        await tab.addInitScript(watchReady);
        await phone.step("open", async () => {
            found.first_ms = await openPage(tab, page, "#transcript article");
            await within(tab.waitForFunction(() => window.__ready > 0));
        });
        found.ready_ms = await tab.evaluate(() => window.__ready);
        await tab.evaluate(watchPhone);
        await rest();
        const start = await tab.evaluate(() => document.documentElement.dataset.detail);
        await pressNext(phone, found);
        const other = start === "full" ? "story" : "full";
        found.detail_ms = await timeKey("detail", other === "full" ? "3" : "1", isLevel, other);
        await rest();
        found.detail_steps_ms = await timeKey("detail-steps", "2", isLevel, "steps");
        await rest();
        found.detail_back_ms = await timeKey("detail-back", start === "full" ? "3" : "1", isLevel, start);
        await rest();
        found.drawer_ms = await time("drawer", () => window.__phone.at("#sidebar-toggle").click(), isDrawerOpen);
        await rest();
        await search(phone, words, found);
        await chooseFilters(phone, found);
        await tab.keyboard.press("Escape");
        await rest();
        await scrollThrough(phone, "story", found);
        await tab.keyboard.press("3");
        await rest();
        await scrollThrough(phone, "full", found);
        found.grown_entries = await awaitGrowth(phone);
        found.grown_ms = await timeKey("grown-story", "1", isLevel, "story");
        await rest();
        await awaitGrowth(phone);
        found.grown_back_ms = await timeKey("grown-full", "3", isLevel, "full");
        await rest();
        await switchBranch(phone, found);
    } catch (error) {
        found.error = error.message.split("\n")[0];
    } finally {
        await close(browser);
    }
    return found;
}

/** The frames of a page of plain paragraphs, swept at a speed in pixels a second. */
async function measurePlain(chromium, speed) {
    const file = path.join(dir, "plain.html");
    const line = (nth) => `<article><p>Line ${nth} of a plain page, which has no script and no style of its own.</article>\n`;
    const lines = Array.from({ length: 20_000 }, (_, nth) => line(nth));
    fs.writeFileSync(file, `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><body>${lines.join("")}`);
    const browser = await launch(chromium);
    try {
        const phone = await openTab(browser);
        await openPage(phone.tab, file, "article");
        await phone.tab.evaluate(watchPhone);
        await phone.rest();
        const height = await phone.tab.evaluate(() => document.documentElement.scrollHeight);
        const swept = await phone.frames("plain-sweep", () => sweep(phone.protocol, Math.min(height, speed * seconds), speed));
        await phone.tab.evaluate(() => scrollTo(0, 0));
        await phone.rest();
        return { plain_sweep: swept, plain_fling: await phone.frames("plain-fling", () => swipe(phone.protocol)) };
    } finally {
        await close(browser);
    }
}

const SCROLLS = [
    ["fling_story", "swipes, story"],
    ["sweep_story", "sweep through all, story"],
    ["fling_full", "swipes, full"],
    ["sweep_full", "sweep through all, full"],
    ["plain_fling", "a plain page, swipes"],
    ["plain_sweep", "a plain page, sweep at the same speed"],
];

const ROWS = [
    ["first entry in view, ms", "first_ms"],
    ["the page can be used, ms", "ready_ms"],
    ["`j`, next prompt, ms", "next_ms"],
    ["`j`, slowest, ms", "next_worst_ms"],
    ["level: to full (from full: to story), ms", "detail_ms"],
    ["level: to steps, ms", "detail_steps_ms"],
    ["level: back, ms", "detail_back_ms"],
    ["level: full to story, page grown while idle, ms", "grown_ms"],
    ["level: story to full, page grown while idle, ms", "grown_back_ms"],
    ["articles of the grown page", "grown_entries"],
    ["open the tree, ms", "drawer_ms"],
    ["filter: user, ms", "filter_user_ms"],
    ["filter: no tools, ms", "filter_tools_ms"],
    ["filter: back, ms", "filter_back_ms"],
    ["filter with the transcript, slowest, ms", "filter_transcript_ms"],
    ["another branch, ms", "branch_ms"],
    ["first hits of a common word, ms", "search_first_ms"],
    ["all hits of a rare word, ms", "search_all_ms"],
    ["longest frame while searching, ms", "search_longest_ms"],
    ["heap before a search, MB", "heap_mb"],
    ["heap after a search, MB", "heap_searched_mb"],
    ["process before a search, MB", "process_mb"],
    ["process after a search, MB", "process_searched_mb"],
    ...SCROLLS.flatMap(([name, title]) => [
        [`${title}: longest frame, ms`, `${name}.longest_ms`],
        [`${title}: late frames, %`, `${name}.late_percent`],
        [`${title}: missed frames, %`, `${name}.missed_percent`],
        [`${title}: frames`, `${name}.frames`],
        [`${title}: seconds`, `${name}.seconds`],
        [`${title}: 1,000 pixels scrolled`, `${name}.kilopixels`],
        [`${title}: without text in the middle, %`, `${name}.blank_percent`],
    ]),
];

/** The value of `a.b` in what one run found. */
function valueOf(found, name) {
    const [part, inner] = name.split(".");
    return inner === undefined ? found[part] : found[part]?.[inner];
}

const leafpress = setup.leafpressProgram();
const chromium = setup.chromiumDriver(dir);
const results = {};
for (const [name, file] of sessions()) {
    const page = path.join(dir, `${name}.html`);
    setup.timedSuccess(leafpress, [file, "-o", page]);
    const words = await searchWords(file);
    const found = [];
    for (let nth = 0; nth < runs && found.at(-1)?.error === undefined; nth++) {
        const one = await measure(chromium, page, words);
        const speed = (1000 * (one.sweep_full?.kilopixels ?? 0)) / seconds;
        Object.assign(one, speed > 0 ? await measurePlain(chromium, speed) : {});
        found.push(one);
        console.error(`${name}: run ${nth + 1} ${one.error ?? "done"}`);
    }
    const medianOf = (row) => setup.median(found.map((one) => valueOf(one, row)).filter((value) => value !== undefined));
    results[name] = { ...Object.fromEntries(ROWS.map(([, row]) => [row, medianOf(row)])), words, runs: found };
}
if (setup.flag("json")) {
    console.log(JSON.stringify(results, null, 1));
} else {
    const names = Object.keys(results);
    const rows = ROWS.map(([title, row]) => [title, names.map((name) => setup.figure(results[name][row]))]);
    setup.printTable(`processor ${rate} times slower`, names, rows);
}
