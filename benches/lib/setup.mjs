// What the scripts of this folder share: options, sessions, the program to measure, figures.

import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

const TARGET = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target");

/** Entries, shape and weight of the sessions. */
export const SIZES = {
    small: ["60", "tree", "1"],
    medium: ["2000", "tree", "2"],
    large: ["10000", "tree", "2"],
    huge: ["50000", "tree", "2"],
    deep: ["100000", "chain", "1"],
    wide: ["5000", "fan", "1"],
};

const words = process.argv.slice(2);

/** The value of `--name`. */
export const option = (name, usual) => (words.includes(`--${name}`) ? words[words.indexOf(`--${name}`) + 1] : usual);

export const flag = (name) => words.includes(`--${name}`);

/** The words that are neither options nor their values; each option but `--json` has one. */
export function operands() {
    const isValue = (nth) => words[nth - 1]?.startsWith("--") && words[nth - 1] !== "--json";
    return words.filter((word, nth) => !word.startsWith("--") && !isValue(nth));
}

/** The folder in which a script keeps what it makes. */
export function workFolder(name) {
    const dir = path.resolve(ROOT, option("dir", path.join(TARGET, name)));
    fs.mkdirSync(dir, { recursive: true });
    return dir;
}

export const run = (program, args, more = {}) => execFileSync(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], ...more });

/** NaN of none. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The command to measure: what `--leafpress` names, or a release build of this tree. */
export function leafpressProgram() {
    const named = option("leafpress");
    if (named !== undefined) {
        return path.resolve(named);
    }
    run("cargo", ["build", "--release"]);
    return path.join(TARGET, "release/leafpress");
}

/** The command as it was at a revision, built in a worktree below a folder. */
export function programOfRevision(dir, revision) {
    const commit = run("git", ["rev-parse", "--verify", `${revision}^{commit}`]).toString().trim();
    const tree = path.join(dir, commit);
    if (!fs.existsSync(tree)) {
        run("git", ["worktree", "add", "--force", "--detach", tree, commit]);
    }
    const target = path.join(dir, "target");
    run("cargo", ["build", "--release"], { cwd: tree, env: { ...process.env, CARGO_TARGET_DIR: target } });
    return path.join(target, "release/leafpress");
}

/** Packages from npm, installed into a folder unless they are there. */
export function installPackages(dir, packages) {
    const nameOf = (spec) => spec.slice(0, spec.lastIndexOf("@"));
    if (packages.some((spec) => !fs.existsSync(path.join(dir, "node_modules", nameOf(spec))))) {
        fs.writeFileSync(path.join(dir, "package.json"), "{}");
        run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: dir });
    }
}

/** Playwright's Chromium driver, installed into a folder. */
export function chromiumDriver(dir) {
    installPackages(dir, ["playwright-core@1"]);
    return createRequire(path.join(dir, "x.js"))("playwright-core").chromium;
}

/** The session of a size, written into a folder unless it is there. */
export function sessionOfSize(dir, size) {
    if (SIZES[size] === undefined) {
        throw new Error(`the sizes are ${Object.keys(SIZES).join(", ")}`);
    }
    const [entries, shape, weight] = SIZES[size];
    const file = path.join(dir, `${size}.jsonl`);
    if (!fs.existsSync(file)) {
        const what = ["--write", file, "--entries", entries, "--shape", shape, "--weight", weight];
        run("cargo", ["bench", "--bench", "stages", "--", ...what]);
    }
    return file;
}

/** Runs a program once: wall time in ms, peak memory in MB (NaN without /usr/bin/time), exit code. */
export function timed(program, args, env) {
    const timer = "/usr/bin/time";
    const [command, ...rest] = fs.existsSync(timer) ? [timer, "-f", "%M", program, ...args] : [program, ...args];
    const begun = performance.now();
    const done = spawnSync(command, rest, { env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 1e8 });
    const ms = performance.now() - begun;
    return { ms, mb: Number(done.stderr.trim().split("\n").at(-1)) / 1024, code: done.status, stderr: done.stderr };
}

/** The same, of a program that must succeed. */
export function timedSuccess(program, args, env) {
    const done = timed(program, args, env);
    if (done.code !== 0) {
        throw new Error(`${program} failed: ${done.stderr}`);
    }
    return done;
}

/** A number in a table; a dash for none. */
export function figure(number) {
    const isNone = number === undefined || number === null || Number.isNaN(number);
    return isNone ? "–" : number < 10 ? number.toFixed(1) : number.toFixed(0);
}

/** The ratios of pairs that were measured one after the other: their median, smallest and largest. */
export function ratio(own, theirs) {
    const ratios = own.map((value, nth) => value / theirs[nth]).sort((a, b) => a - b);
    const words = [median(ratios), ratios[0], ratios.at(-1)].map((number) => number.toFixed(2));
    return `${words[0]} (${words[1]}–${words[2]})`;
}

/** A table in Markdown. `rows` have a title and a cell for each name. */
export function printTable(corner, names, rows) {
    console.log(`| ${corner} | ${names.join(" | ")} |`);
    console.log(`|---|${"---|".repeat(names.length)}`);
    for (const [title, cells] of rows) {
        console.log(`| ${title} | ${cells.join(" | ")} |`);
    }
}
