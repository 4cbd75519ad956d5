#!/usr/bin/env node
// Makes a home directory full of sessions of pi, Claude Code and Codex, as people have them, and measures the catalog, the
// search, the list and the archive on it.
//
//   node benches/home.mjs [--sessions 200,2000,20000] [--megabytes 2000] [--dir target/home] [--leafpress FILE] [--keep] [--json]
//
// `--megabytes` is the size of 20,000 sessions together; fewer are as large each. Sizes vary as in the field: half of the
// sessions are small, a few in a hundred hold half of all bytes. Words are drawn so that few are common and most are rare.
// Needs cargo and /usr/bin/time.

import fs from "node:fs";
import path from "node:path";

import * as setup from "./lib/setup.mjs";

const dir = setup.workFolder("home");
const counts = setup.option("sessions", "200,2000,20000").split(",").map(Number);
const megabytes = Number(setup.option("megabytes", "2000"));

/** Of one session, in bytes. */
const MEAN = (megabytes * 1e6) / 20_000;

/** A generator of numbers from 0 to 1 that gives the same ones each time. */
function random(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

const SYLLABLES = "ba ke lu mo ri sa te vo na di fe gu hi jo pa qu re so ti wo".split(" ");

/** The word of a rank: the common ones are short. */
function word(rank) {
    let text = "";
    for (let n = rank + 20; n > 0; n = Math.floor(n / SYLLABLES.length)) text += SYLLABLES[n % SYLLABLES.length];
    return text;
}

const WORDS = Array.from({ length: 40_000 }, (_, rank) => word(rank));

function text(next, words) {
    const picked = [];
    // Zipf's law: rank r has a share of about 1/r.
    for (let n = 0; n < words; n++) picked.push(WORDS[Math.floor(WORDS.length ** next()) - 1] ?? WORDS[0]);
    return picked.join(" ");
}

const WRITERS = [
    {
        name: (nth, id) => `.pi/agent/sessions/--srv-project-${nth % 40}--/2026-01-01T00-00-00-000Z_${id}.jsonl`,
        *lines(id, cwd, at, turns) {
            yield { type: "session", version: 3, id, timestamp: at(0), cwd };
            let parent = null;
            let nth = 0;
            const entry = (message) => {
                const line = { type: "message", id: `e${nth}`, parentId: parent, timestamp: at(nth), message };
                parent = `e${nth++}`;
                return line;
            };
            for (const { prompt, command, output, response } of turns) {
                yield entry({ role: "user", content: prompt });
                yield entry({ role: "assistant", content: [{ type: "toolCall", id: `c${nth}`, name: "bash", arguments: { command } }] });
                yield entry({ role: "toolResult", toolCallId: `c${nth - 1}`, toolName: "bash", content: [{ type: "text", text: output }], isError: false });
                yield entry({ role: "assistant", content: [{ type: "text", text: response }], stopReason: "stop" });
            }
        },
    },
    {
        name: (nth, id) => `.claude/projects/-srv-project-${nth % 40}/${id}.jsonl`,
        *lines(id, cwd, at, turns) {
            let parent = null;
            let nth = 0;
            const row = (type, message, rest = {}) => {
                const line = { type, uuid: `${id.slice(0, 23)}-${String(nth).padStart(12, "0")}`, parentUuid: parent, sessionId: id, cwd, timestamp: at(nth), isSidechain: false, message, ...rest };
                parent = line.uuid;
                nth++;
                return line;
            };
            for (const { prompt, command, output, response } of turns) {
                yield row("user", { role: "user", content: prompt });
                yield row("assistant", { role: "assistant", id: `m${nth}`, content: [{ type: "tool_use", id: `c${nth}`, name: "Bash", input: { command } }] });
                yield row("user", { role: "user", content: [{ type: "tool_result", tool_use_id: `c${nth - 1}`, content: output }] }, { toolUseResult: { stdout: output, stderr: "" } });
                yield row("assistant", { role: "assistant", id: `m${nth}`, content: [{ type: "text", text: response }], stop_reason: "end_turn" });
            }
        },
    },
    {
        name: (_, id, day) => `.codex/sessions/${day.replaceAll("-", "/")}/rollout-${day}T00-00-00-${id}.jsonl`,
        *lines(id, cwd, at, turns) {
            let nth = 0;
            const row = (type, payload) => ({ timestamp: at(nth++), type, payload });
            yield row("session_meta", { id, cwd, timestamp: at(0), originator: "codex_cli_rs", cli_version: "0.171.0" });
            for (const { prompt, command, output, response } of turns) {
                yield row("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] });
                yield row("response_item", { type: "function_call", name: "shell", arguments: JSON.stringify({ command: ["bash", "-lc", command] }), call_id: `c${nth}` });
                yield row("response_item", { type: "function_call_output", call_id: `c${nth - 1}`, output });
                yield row("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text: response }] });
            }
        },
    },
];

/** Writes session `nth` below a home; gives its size. */
function writeSession(home, nth) {
    const next = random(nth + 1);
    const writer = WRITERS[nth % WRITERS.length];
    const id = `019${nth.toString(16).padStart(5, "0")}-0000-7000-8000-${nth.toString(16).padStart(12, "0")}`;
    const begun = Date.UTC(2026, 0, 1) + nth * 600_000;
    const at = (entry) => new Date(begun + entry * 1000).toISOString();
    // Log-normal: the median is a third of the mean.
    const size = (MEAN / 3) * Math.exp(1.48 * Math.sqrt(-2 * Math.log(next() + 1e-9)) * Math.cos(2 * Math.PI * next()));
    const turns = [];
    for (let bytes = 0; bytes < size; ) {
        const turn = {
            prompt: `${text(next, 25)}${turns.length === 0 ? ` rareword${nth}` : ""}`,
            command: `grep -rn ${text(next, 2)} src/${text(next, 1)}.rs`,
            output: text(next, Math.floor(60 + 500 * next())),
            response: text(next, 80),
        };
        turns.push(turn);
        bytes += 1200 + Object.values(turn).reduce((sum, part) => sum + part.length, 0);
    }
    const file = path.join(home, writer.name(nth, id, at(0).slice(0, 10)));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const lines = [...writer.lines(id, `/srv/project-${nth % 40}`, at, turns)];
    const content = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    fs.writeFileSync(file, content);
    return content.length;
}

const leafpress = setup.leafpressProgram();

/** Runs a command in a home: milliseconds, the peak of its memory in MB. A search that finds nothing is no failure. */
function measured(home, args) {
    const run = setup.timed(leafpress, args, { HOME: home, LEAFPRESS_DATA: path.join(home, "data") });
    if (run.code > 1) {
        throw new Error(run.stderr);
    }
    return run;
}

const rows = [];
for (const count of counts) {
    const home = path.join(dir, String(count));
    let bytes = 0;
    for (let nth = 0; nth < count; nth++) bytes += writeSession(home, nth);
    const run = (...args) => measured(home, args);
    // Reads all ends of files once, so that all that follows finds them in the cache of the system.
    run("list", "-n", "1");
    const list = run("list", "-n", "1");
    const first = run("search", "rareword1");
    const rare = run("search", `rareword${count - 1}`);
    const common = run("search", WORDS[0], "-n", "20");
    const two = run("search", `${WORDS[3]} ${WORDS[40]}`, "-n", "20");
    writeSession(home, count);
    const added = run("search", `rareword${count}`);
    const catalogued = run("list", "-n", "1");
    const archive = () => run("archive", "--yes", "-o", path.join(home, "archive"));
    const written = archive();
    const unchanged = archive();
    writeSession(home, count + 1);
    const one = archive();
    if (rare.code !== 0 || added.code !== 0) {
        throw new Error("each session has a word of its own");
    }
    rows.push({
        sessions: count,
        "source, MB": Math.round(bytes / 1e6),
        "list, ms": Math.round(list.ms),
        "list with the catalog, ms": Math.round(catalogued.ms),
        "first search, ms": Math.round(first.ms),
        "MB/s": Math.round(bytes / 1e3 / first.ms),
        "peak, MB": Math.round(first.mb),
        "catalog, MB": Math.round(fs.statSync(path.join(home, "data/catalog.sqlite")).size / 1e6),
        "rare word, ms": Math.round(rare.ms),
        "common word, ms": Math.round(common.ms),
        "two words, ms": Math.round(two.ms),
        "one session added, ms": Math.round(added.ms),
        "archive, MB/s": Math.round(bytes / 1e3 / written.ms),
        "its peak, MB": Math.round(written.mb),
        "unchanged, ms": Math.round(unchanged.ms),
        "one more, ms": Math.round(one.ms),
    });
    if (!setup.flag("keep")) fs.rmSync(home, { recursive: true });
}
if (setup.flag("json")) console.log(JSON.stringify(rows));
else console.table(rows);
