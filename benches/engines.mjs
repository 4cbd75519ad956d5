#!/usr/bin/env node
// Exports the same sessions with this tree and with another revision, opens both pages from files in Chromium, Firefox and
// WebKitGTK, in turn, and prints when the first entry was painted.
//
//   node benches/engines.mjs REVISION [SESSION…] [--dir target/engines] [--sizes small,medium,large] [--openings 12]
//                            [--browsers chromium,firefox,webkit] [--screenshots DIR]
//
// Needs chromedriver, geckodriver, WebKitWebDriver, Xvfb and their browsers in the PATH, and no package of npm. Each page is
// opened in a new browser. Times on a busy machine are noise: only the ratios of one run mean something.

import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { LIMIT } from "./lib/browser.mjs";
import * as setup from "./lib/setup.mjs";
import { BROWSERS, end, startScreen, withBrowser } from "./lib/webdriver.mjs";

const CHARSET = '<meta charset="utf-8">';

const [revision, ...sessions] = setup.operands();
if (revision === undefined) {
    console.error("usage: node benches/engines.mjs REVISION [SESSION…]");
    process.exit(2);
}
const dir = setup.workFolder("engines");
const openings = Number(setup.option("openings", "12"));
const browsers = setup.option("browsers", Object.keys(BROWSERS).join(",")).split(",");
const screenshots = setup.option("screenshots");

/** Runs in the page before anything else of it. Writes down the first frame with an entry's text in view. */
function watch() {
    const inView = (entry) => {
        const box = entry.getBoundingClientRect();
        return box.height > 0 && box.bottom > 0 && box.top < innerHeight && entry.textContent.trim() !== "";
    };
    const look = () => {
        if (Array.from(document.querySelectorAll("#transcript article")).slice(0, 50).some(inView)) {
            window.__frame = performance.now();
        } else {
            requestAnimationFrame(look);
        }
    };
    requestAnimationFrame(look);
}

/**
 * When the first entry was painted, in ms after the navigation began: the paint that the browser reports as the first one of
 * any content, or the frame of the first entry if that came later. Zero until then.
 */
const FIRST_ENTRY = `
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    return paint !== undefined && window.__frame > 0 ? Math.max(paint.startTime, window.__frame) : 0;`;

/** Writes a copy of a page that is watched. WebDriver runs no script before a page; one above the page's policy may run. */
function watched(page) {
    const text = fs.readFileSync(page, "utf8");
    if (!text.includes(CHARSET)) {
        throw new Error(`${page} does not begin as expected`);
    }
    const copy = page.replace(/html$/u, "watched.html");
    fs.writeFileSync(copy, text.replace(CHARSET, () => `${CHARSET}<script>(${watch})()</script>`));
    return copy;
}

/** When the first entry of a page was painted in a new browser. */
function opened(browser, display, page, screenshot) {
    return withBrowser(browser, display, async (ask) => {
        await ask("POST", "/window/rect", { x: 0, y: 0, width: 1400, height: 900 });
        await ask("POST", "/url", { url: "about:blank" });
        await ask("POST", "/url", { url: pathToFileURL(page).href });
        const limit = performance.now() + LIMIT;
        let first = 0;
        while (first === 0) {
            if (performance.now() > limit) {
                throw new Error(`${browser}: ${page} shows no entry`);
            }
            await sleep(50);
            first = await ask("POST", "/execute/sync", { script: FIRST_ENTRY, args: [] });
        }
        if (screenshot !== undefined) {
            fs.writeFileSync(screenshot, Buffer.from(await ask("GET", "/screenshot"), "base64"));
        }
        return first;
    });
}

/** The medians of both pages, and the ratios of the pairs. */
async function openInTurn(browser, display, pages, name) {
    const times = pages.map(() => []);
    // The first pair fills the caches of the system.
    for (let nth = -1; nth < openings; nth++) {
        // Each page is the first of a pair as often as the other.
        for (const which of nth % 2 === 0 ? [0, 1] : [1, 0]) {
            const picture = path.join(screenshots ?? "", `${name}-${browser}-${which === 0 ? "this" : "that"}.png`);
            const last = screenshots !== undefined && nth === openings - 1;
            const first = await opened(browser, display, pages[which], last ? picture : undefined);
            if (nth >= 0) {
                times[which].push(first);
            }
        }
    }
    return `${times.map((list) => setup.figure(setup.median(list))).join(" : ")} ms ${setup.ratio(...times)}`;
}

const programs = [setup.leafpressProgram(), setup.programOfRevision(dir, revision)];
const sizes = setup.option("sizes", "small,medium,large").split(",").filter((size) => size !== "");
const files = [...sizes.map((size) => setup.sessionOfSize(dir, size)), ...sessions.map((file) => path.resolve(file))];
const screen = browsers.includes("webkit") ? await startScreen() : undefined;
const rows = [];
try {
    for (const file of files) {
        const name = path.parse(file).name;
        const pages = programs.map((program, which) => {
            const page = path.join(dir, `${name}-${which === 0 ? "this" : "that"}.html`);
            setup.run(program, [file, "-o", page, "--force"]);
            return page;
        });
        const bytes = pages.map((page) => fs.statSync(page).size);
        const copies = pages.map((page) => watched(page));
        const cells = [`${bytes.join(" : ")} (${(bytes[0] / bytes[1]).toFixed(2)})`];
        for (const browser of browsers) {
            cells.push(await openInTurn(browser, screen?.display, copies, name));
            console.error(`${name}: ${browser}: ${cells.at(-1)}`);
        }
        rows.push([path.basename(file), cells]);
    }
} finally {
    if (screen !== undefined) {
        end(screen.child);
    }
}
setup.printTable(`this tree : ${revision}`, ["page, bytes", ...browsers], rows);
