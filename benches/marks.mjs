// Reads what a page claims of sessions against the raw files: each mark of a test run against the output of its call, each
// fact of the head against the rows behind it, and failures and stops against `stats`.
//
//     node benches/marks.mjs --leafpress target/release/leafpress SESSION...
//
// The outputs are read by rules of their own, which share nothing with the library's. What they contradict is printed, to be
// read by a person; the exit status is 1 then.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const args = process.argv.slice(2);
const at = args.indexOf("--leafpress");
const leafpress = at < 0 ? "leafpress" : args.splice(at, 2)[1];
const folder = mkdtempSync(join(tmpdir(), "marks-"));
const run = (...words) => execFileSync(leafpress, words, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });

const FAILED = /^--- FAIL|^FAIL\b|\bFAILED\b|\b[1-9]\d* (?:failed|failing|failures?)\b|^error(?:\[E\d+\])?:|\bpanicked at\b|Traceback/mu;
const PASSED = /^ok\s|^PASS\b|\b[1-9]\d* (?:passed|passing)\b|test result: ok|\bOK\b|[✓✔]|all \d* ?tests? pass/imu;

/** The texts of results in files of Claude Code and pi, by the key of their entry; other formats are not read. */
function outputs(file) {
    const found = new Map();
    for (const line of readFileSync(file, "utf8").split("\n")) {
        let row;
        try {
            row = JSON.parse(line);
        } catch {
            continue;
        }
        const [key, content] = [row?.uuid ?? row?.id, row?.message?.content];
        if (typeof key === "string" && content !== undefined) {
            const texts = [content].flat().flatMap((block) => (block?.type === "tool_result" ? [block.content].flat() : [block]));
            found.set(key, texts.map((block) => (typeof block === "string" ? block : block?.text ?? "")).join("\n"));
        }
    }
    return found;
}

const counts = { sessions: 0, marks: 0, unread: 0, doors: 0, contradicted: 0 };
const contradict = (file, what) => {
    counts.contradicted += 1;
    console.log(`${file}: ${what}`);
};
for (const file of args) {
    const page = join(folder, "page.html");
    let stats;
    try {
        stats = JSON.parse(run("stats", file, "--json"));
        run(file, "-o", page, "--force");
    } catch (error) {
        console.log(`${file}: not read: ${String(error).split("\n")[0]}`);
        continue;
    }
    counts.sessions += 1;
    const texts = outputs(file);
    for (const { kind, entryId, text, outcome } of stats.landmarks) {
        if (kind !== "test" || outcome === "unknown") {
            continue;
        }
        // What a user ran in Claude Code has its output in the next line.
        const output = texts.get(entryId)?.startsWith("<bash-input>") ? undefined : texts.get(entryId);
        counts[output === undefined ? "unread" : "marks"] += 1;
        if (output !== undefined && (outcome === "passed" ? FAILED.test(output) || !PASSED.test(output) : !FAILED.test(output) && !/exit(?:ed with)? code [1-9]/iu.test(output))) {
            contradict(file, `${outcome}: ${text}\n    ${entryId}: ${output.trim().split("\n").slice(-3).join("\n    ")}`);
        }
    }
    const head = readFileSync(page, "utf8").split('<div id="head">')[1]?.split("<details")[0] ?? "";
    for (const [, name, list] of head.matchAll(/<div[^>]*id="list-([\w-]+)"[^>]*>(.*?)<\/div>/gsu)) {
        const fact = head.match(new RegExp(`<li data-fact="${name}"[^>]*>(.*?)</li>`, "su"))?.[1] ?? "";
        const rows = (list.match(/<li>/gu) ?? []).length + Number(list.match(/>([\d,]+) more, not shown</u)?.[1].replaceAll(",", "") ?? 0);
        const number = fact.includes("#") ? 1 : Number(fact.match(/<b>([\d,]+)<\/b>/u)?.[1].replaceAll(",", "") ?? NaN);
        counts.doors += 1;
        if (number !== rows) {
            contradict(file, `the head says ${number} ${name}, and lists ${rows}`);
        }
        const told = { failures: stats.failureList, stops: stats.stopList, commits: stats.landmarks.filter(({ kind }) => kind === "commit") }[name];
        if (told !== undefined && told.length !== rows) {
            contradict(file, `the head lists ${rows} ${name}, stats ${told.length}`);
        }
    }
}
rmSync(folder, { recursive: true });
console.log(Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", "));
process.exitCode = counts.contradicted > 0 ? 1 : 0;
