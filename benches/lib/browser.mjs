// Pages in Chromium: how the scripts of this folder start it, open a page and watch what is in view.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { pathToFileURL } from "node:url";

/** Beyond this a page counts as one that does not open, in ms. */
export const LIMIT = 120_000;

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell"];

export function launch(chromium) {
    return chromium.launch({
        executablePath: process.env.CHROME ?? CANDIDATES.find((path) => fs.existsSync(path)),
        args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
    });
}

/** Closes a browser, one that hangs too. */
export function close(browser) {
    return Promise.race([browser.close(), new Promise((done) => setTimeout(done, 5000))]);
}

/** What a promise resolves to, if it does so in time. */
export function within(what, ms = LIMIT) {
    let timer;
    const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error("too late")), ms)));
    return Promise.race([what, late]).finally(() => clearTimeout(timer));
}

/** The memory of the largest renderer below this process, in MB. */
export function rendererMemory() {
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

/**
 * Runs in the page before its own scripts. Makes `window.__bench`: when the first of the elements that `first`
 * selects came into view, and how long something takes until it is painted. What is waited for must not be there
 * before, or nothing was measured.
 */
function watch({ first }) {
    const inView = (element) => {
        const box = element?.getBoundingClientRect();
        return box !== undefined && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    };
    const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));
    const bench = { first: 0, inView, painted };
    window.__bench = bench;
    const look = () => {
        if (Array.from(document.querySelectorAll(first)).slice(0, 50).some(inView)) {
            painted((at) => (bench.first = at));
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look);
    bench.time = (act, isDone) =>
        new Promise((done, fail) => {
            if (isDone()) {
                fail(new Error("it was there before"));
                return;
            }
            const begun = performance.now();
            act();
            const wait = () => (isDone() ? painted((at) => done(at - begun)) : requestAnimationFrame(wait));
            requestAnimationFrame(wait);
        });
}

/** Opens a file in a tab and waits until it is loaded. Returns when its first entry was in view, in ms. */
export async function openPage(tab, file, first) {
    await tab.addInitScript(watch, { first });
    await within(tab.goto(pathToFileURL(file).href, { waitUntil: "commit", timeout: LIMIT }));
    const isOpen = () => window.__bench?.first > 0 && document.readyState === "complete";
    await within(tab.waitForFunction(isOpen, null, { timeout: LIMIT }));
    return tab.evaluate(() => window.__bench.first);
}
