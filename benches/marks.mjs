// Reads what a page claims of sessions against the raw files: each mark of a test run, in the rows of the tree at Story and
// in `stats`, against the output of its call; each fact of the head against the rows behind it; how many steps a row of the
// tree says against the line in the text; and failures and stops against `stats`.
//
//     node benches/marks.mjs --leafpress target/release/leafpress SESSION...
//
// The outputs are read by rules of their own, which share nothing with the library's. What they contradict is printed, to be
// read by a person; the exit status is 1 then. It takes Chromium.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { close, launch, openPage } from "./lib/browser.mjs";
import * as setup from "./lib/setup.mjs";

const leafpress = setup.leafpressProgram();
const args = setup.operands();
const folder = mkdtempSync(join(tmpdir(), "marks-"));
const run = (...words) => execFileSync(leafpress, words, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
const browser = await launch(setup.chromiumDriver(setup.workFolder("against")));

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

/** What the tree says at Story of all of its rows, and the lines of steps in the text. */
async function readTree(page) {
    // Rows out of view are not drawn.
    const tab = await browser.newPage({ viewport: { width: 1400, height: 60_000 } });
    await openPage(tab, page, "article");
    await tab.waitForSelector("html[data-ready]", { state: "attached" });
    const tree = await tab.evaluate(() => ({
        rows: Array.from(document.querySelectorAll("#tree .row"), (row) => ({
            id: row.dataset.entryId,
            icon: row.querySelector(".text")?.dataset.icon ?? "",
            text: row.querySelector(".text")?.textContent ?? "",
            steps: Number(row.dataset.steps ?? -1),
        })),
        lines: Object.fromEntries(
            Array.from(document.querySelectorAll("article:has(.steps-toggle)"), (article) => [
                article.dataset.entryId ?? article.id.replace("entry-", ""),
                Number(article.querySelector(".steps-toggle").textContent.match(/([\d,]+) steps?/u)?.[1].replaceAll(",", "") ?? -1),
            ]),
        ),
        isCut: document.querySelector("#tree").scrollHeight > document.querySelector("#tree").clientHeight,
    }));
    await tab.close();
    return tree;
}

const counts = { sessions: 0, marks: 0, rows: 0, steps: 0, unread: 0, doors: 0, contradicted: 0 };
const contradict = (file, what) => {
    counts.contradicted += 1;
    console.log(`${file}: ${what}`);
};

/** Compares a mark with the output of its call. */
function check(file, texts, { entryId, text, outcome }, kind) {
    // What a user ran in Claude Code has its output in the next line.
    const output = texts.get(entryId)?.startsWith("<bash-input>") ? undefined : texts.get(entryId);
    counts[output === undefined ? "unread" : kind] += 1;
    if (output !== undefined && (outcome === "passed" ? FAILED.test(output) || !PASSED.test(output) : !FAILED.test(output) && !/exit(?:ed with)? code [1-9]/iu.test(output))) {
        contradict(file, `${outcome}: ${text}\n    ${entryId}: ${output.trim().split("\n").slice(-3).join("\n    ")}`);
    }
}

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
    for (const landmark of stats.landmarks) {
        if (landmark.kind === "test" && landmark.outcome !== "unknown") {
            check(file, texts, landmark, "marks");
        }
    }
    const { rows, lines, isCut } = await readTree(page);
    if (isCut) {
        console.log(`${file}: only the first ${rows.length} rows of the tree are read`);
    }
    for (const { id, icon, text, steps } of rows) {
        const outcome = { check: "passed", cross: "failed" }[icon];
        if (outcome !== undefined && text.startsWith("Tests")) {
            check(file, texts, { entryId: id, text, outcome }, "rows");
        }
        if (icon === "check" && !text.startsWith("Tests passed")) {
            contradict(file, `a check mark beside ${text}`);
        }
        if (steps >= 0 && lines[id] !== undefined) {
            counts.steps += 1;
            if (steps !== lines[id]) {
                contradict(file, `the tree says ${steps} steps, the text ${lines[id]}: ${id}`);
            }
        }
    }
    const head = readFileSync(page, "utf8").split('<div id="head">')[1]?.split("<details")[0] ?? "";
    for (const [, name, list] of head.matchAll(/<div[^>]*id="list-([\w-]+)"[^>]*>(.*?)<\/div>/gsu)) {
        const fact = head.match(new RegExp(`<li data-fact="${name}"[^>]*>(.*?)</li>`, "su"))?.[1] ?? "";
        const listed = (list.match(/<li>/gu) ?? []).length + Number(list.match(/>([\d,]+) more, not shown</u)?.[1].replaceAll(",", "") ?? 0);
        const number = fact.includes("#") ? 1 : Number(fact.match(/<b>([\d,]+)<\/b>/u)?.[1].replaceAll(",", "") ?? NaN);
        counts.doors += 1;
        if (number !== listed) {
            contradict(file, `the head says ${number} ${name}, and lists ${listed}`);
        }
        const told = { failures: stats.failureList, stops: stats.stopList, commits: stats.landmarks.filter(({ kind }) => kind === "commit") }[name];
        if (told !== undefined && told.length !== listed) {
            contradict(file, `the head lists ${listed} ${name}, stats ${told.length}`);
        }
    }
}
await close(browser);
rmSync(folder, { recursive: true });
console.log(Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(", "));
process.exitCode = counts.contradicted > 0 ? 1 : 0;
