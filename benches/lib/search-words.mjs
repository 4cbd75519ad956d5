// Words to search a session for, of which it is known how often they occur.

import fs from "node:fs";
import readline from "node:readline";

/** Words of letters and digits, long enough to be searched for by somebody. */
const WORD = /[a-z][a-z0-9]{4,19}/g;

/** The texts that a reader sees of an entry of a session in pi's format. */
function textOf(line) {
    const { message } = JSON.parse(line);
    const parts = typeof message?.content === "string" ? [{ text: message.content }] : (message?.content ?? []);
    const texts = parts.map(({ text, thinking, arguments: given }) => text ?? thinking ?? Object.values(given ?? {}).join(" "));
    return texts.join(" ").toLowerCase();
}

async function* linesOf(file) {
    yield* readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
}

/**
 * The word that most prompts have, and one that the fewest entries have, of those late in the file.
 *
 * @returns {Promise<{common: string, rare: string, rareCount: number}>}
 */
export async function searchWords(file) {
    const prompts = new Map();
    let late = [];
    for await (const line of linesOf(file)) {
        const words = new Set(textOf(line).match(WORD));
        if (line.includes('"role":"user"')) {
            words.forEach((word) => prompts.set(word, (prompts.get(word) ?? 0) + 1));
        }
        late = words.size > 0 ? [...late, words].slice(-20) : late;
    }
    const candidates = new Map([...new Set(late.flatMap((words) => [...words]))].slice(-400).map((word) => [word, 0]));
    for await (const line of linesOf(file)) {
        const text = textOf(line);
        for (const word of candidates.keys()) {
            // A search finds parts of words, too.
            if (text.includes(word)) {
                candidates.set(word, candidates.get(word) + 1);
            }
        }
    }
    const [rare, rareCount] = [...candidates].toSorted(([, a], [, b]) => a - b)[0];
    const [common] = [...prompts].toSorted(([, a], [, b]) => b - a)[0];
    return { common, rare, rareCount };
}
