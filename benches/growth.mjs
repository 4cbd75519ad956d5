#!/usr/bin/env node
// Exports sessions far larger than usual with leafpress, opens their pages in Chromium, and prints what grows.
//
//   node benches/growth.mjs [--cases tree-500,tree-1500,output-300,pictures-100000,leaves-100000,forks-100000]
//                           [--runs 1] [--dir target/growth] [--leafpress FILE] [--keep] [--json]
//
// A case is a kind and a number:
//
//   tree-MB         turns with code, commands and branches, as in the other benchmarks
//   output-MB       one tool call with one output
//   pictures-COUNT  tiny images, every tenth of them unlike all others
//   leaves-COUNT    branches of one entry below one prompt
//   forks-COUNT     a chain of entries, and beside each a leaf
//
// For a quick run: --cases tree-20,output-10,pictures-1000,leaves-1000,forks-1000
//
// Writes each session to DIR and removes it and its page after the case, unless --keep is given. Never holds a session
// in memory. Needs cargo, npm, /usr/bin/time and Chromium, as benches/peer.mjs does.

import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

import { close, launch, openPage } from "./lib/browser.mjs";
import * as setup from "./lib/setup.mjs";

const dir = setup.workFolder("growth");
const runs = Number(setup.option("runs", "1"));
const cases = setup.option("cases", "tree-500,tree-1500,output-300,pictures-100000,leaves-100000,forks-100000").split(",");

/** A page is opened so often. */
const OPENINGS = 3;

const HEADER = '{"type":"session","version":3,"id":"growth","cwd":"/sea"}\n';

const MEGABYTE = 1e6;

/** A line of a session in pi's format. */
function entryLine(id, parentId, message) {
    return `${JSON.stringify({ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", message })}\n`;
}

const userLine = (id, parent, text) => entryLine(id, parent, { role: "user", content: text });

/** A session of the usual kind again and again, each copy hung below the last entry of the one before. */
function* treeParts(megabytes) {
    const lines = fs.readFileSync(setup.sessionOfSize(dir, "medium"), "utf8").trimEnd().split("\n").slice(1);
    yield HEADER;
    for (let [written, copy] = [0, 0]; written < megabytes * MEGABYTE; copy++) {
        const own = (id) => `${copy}-${id}`;
        const last = copy === 0 ? "null" : `"${copy - 1}-e${lines.length - 1}"`;
        for (const line of lines) {
            // Quotes within a text are escaped, so these are ids.
            const renamed = line.replace('"parentId":null', `"parentId":${last}`).replaceAll(/(?<=:)"((?:e|call)\d+)"/g, (_, id) => `"${own(id)}"`);
            written += renamed.length + 1;
            yield `${renamed}\n`;
        }
    }
}

/** One call of a command whose output is one text of so many megabytes. */
function* outputParts(megabytes) {
    yield HEADER;
    yield userLine("e0", null, "Print all of it.");
    const call = { type: "toolCall", id: "call", name: "bash", arguments: { command: "cat all.log" } };
    yield entryLine("e1", "e0", { role: "assistant", content: [call] });
    const result = { role: "toolResult", toolCallId: "call", toolName: "bash", content: [{ type: "text", text: "@" }] };
    const [before, after] = entryLine("e2", "e1", result).split("@");
    yield before;
    for (let [written, line] = [0, 0]; written < megabytes * MEGABYTE; line++) {
        const text = `line ${line}: buoy ${(line * 7919) % 104_729} reads ${(line * 31) % 1009} before dawn\\n`;
        written += text.length;
        yield text;
    }
    yield after;
    yield entryLine("e3", "e2", { role: "assistant", content: [{ type: "text", text: "Printed." }], stopReason: "stop" });
}

/** A picture of two by two pixels in one color. */
function png(color) {
    const chunk = (type, data) => {
        const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
        const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
        length.writeUInt32BE(data.length);
        sum.writeUInt32BE(crc32(body));
        return Buffer.concat([length, body, sum]);
    };
    const pixel = [color & 255, (color >> 8) & 255, (color >> 16) & 255];
    const row = [0, ...pixel, ...pixel];
    const head = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
    const parts = [chunk("IHDR", head), chunk("IDAT", zlib.deflateSync(Buffer.from([...row, ...row]))), chunk("IEND", Buffer.alloc(0))];
    return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]);
}

function crc32(bytes) {
    let sum = ~0;
    for (const byte of bytes) {
        sum ^= byte;
        for (let bit = 0; bit < 8; bit++) {
            sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
        }
    }
    return ~sum >>> 0;
}

function* pictureParts(count) {
    yield HEADER;
    const usual = Array.from({ length: 16 }, (_, nth) => png(nth * 15).toString("base64"));
    for (let nth = 0; nth < count; nth++) {
        const data = nth % 10 === 0 ? png(1000 + nth).toString("base64") : usual[nth % usual.length];
        const content = [{ type: "text", text: `Picture ${nth}` }, { type: "image", data, mimeType: "image/png" }];
        yield entryLine(`e${nth}`, nth === 0 ? null : `e${nth - 1}`, { role: "user", content });
    }
}

function* leafParts(count) {
    yield HEADER;
    yield userLine("root", null, "Where all begins.");
    for (let nth = 0; nth < count; nth++) {
        yield userLine(`e${nth}`, "root", `Attempt ${nth} goes another way.`);
    }
}

function* forkParts(count) {
    yield HEADER;
    for (let nth = 0; nth < count; nth++) {
        const parent = nth === 0 ? null : `e${nth - 1}`;
        yield userLine(`side${nth}`, parent, `Attempt ${nth} ends here.`);
        yield userLine(`e${nth}`, parent, `Step ${nth} goes on.`);
    }
}

const KINDS = { tree: treeParts, output: outputParts, pictures: pictureParts, leaves: leafParts, forks: forkParts };

/** Writes a session of a case and returns its size in MB. */
async function writeCase(name, file) {
    const [kind, number] = name.split("-");
    if (KINDS[kind] === undefined || !(Number(number) > 0)) {
        throw new Error(`\`${name}\` is no case: a case is one of ${Object.keys(KINDS).join(", ")} and a number, as in \`tree-500\``);
    }
    const out = fs.createWriteStream(file);
    let held = "";
    for (const part of KINDS[kind](Number(number))) {
        held += part;
        if (held.length > MEGABYTE) {
            if (!out.write(held)) {
                await once(out, "drain");
            }
            held = "";
        }
    }
    out.end(held);
    await once(out, "finish");
    return fs.statSync(file).size / MEGABYTE;
}

/** When the first entry is in view, in ms, or why it never is. */
async function opening(chromium, page) {
    const browser = await launch(chromium);
    try {
        const tab = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
        return { first_ms: await openPage(tab, page, "#transcript article") };
    } catch (error) {
        return { error: error.message.split("\n")[0] };
    } finally {
        await close(browser);
    }
}

async function measure(chromium, leafpress, name) {
    const [file, page] = ["jsonl", "html"].map((end) => path.join(dir, `${name}.${end}`));
    const found = { input_mb: await writeCase(name, file) };
    const exports = Array.from({ length: runs }, () => setup.timed(leafpress, [file, "-o", page]));
    found.seconds = setup.median(exports.map(({ ms }) => ms)) / 1000;
    found.mb_per_second = found.input_mb / found.seconds;
    // The kernel counts in KiB, the table in MB.
    found.peak_mb = (setup.median(exports.map(({ mb }) => mb)) * 1024 * 1024) / MEGABYTE;
    found.peak_ratio = found.peak_mb / found.input_mb;
    found.exit_code = Math.max(...exports.map(({ code }) => code ?? 255));
    found.told = exports.at(-1).stderr.trim().split("\n").slice(0, -1);
    if (found.exit_code === 0) {
        found.page_mb = fs.statSync(page).size / MEGABYTE;
        const openings = [];
        for (let nth = 0; nth < OPENINGS && openings.at(-1)?.error === undefined; nth++) {
            openings.push(await opening(chromium, page));
        }
        found.first_ms = setup.median(openings.map(({ first_ms }) => first_ms).filter((ms) => ms > 0));
        found.error = openings.at(-1).error;
    }
    if (!setup.flag("keep")) {
        fs.rmSync(file);
        fs.rmSync(page, { force: true });
    }
    return found;
}

const ROWS = [
    ["input, MB", "input_mb"],
    ["export, s", "seconds"],
    ["export, MB/s", "mb_per_second"],
    ["peak memory, MB", "peak_mb"],
    ["peak memory of input", "peak_ratio"],
    ["exit code", "exit_code"],
    ["page, MB", "page_mb"],
    ["first entry in view, ms", "first_ms"],
];

const leafpress = setup.leafpressProgram();
const chromium = setup.chromiumDriver(dir);
const results = {};
for (const name of cases) {
    results[name] = await measure(chromium, leafpress, name);
    console.error(`${name}: ${results[name].error ?? "done"}`);
}
if (setup.flag("json")) {
    console.log(JSON.stringify(results, null, 1));
} else {
    const cell = (name, row) => (row === "peak_ratio" ? results[name][row].toFixed(2) : row === "exit_code" ? results[name][row] : setup.figure(results[name][row]));
    setup.printTable("a session of", cases, ROWS.map(([title, row]) => [title, cases.map((name) => cell(name, row))]));
}
