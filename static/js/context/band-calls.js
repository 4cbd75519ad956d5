/** The calls of a branch, and what they reported. Pure. */

import { PROMPT } from "../outline/shared.js";
import { RESET } from "./flags.js";

/** @import { Outline } from "../outline/outline.js" */

/**
 * @typedef {object} Call
 * @property {number} entry
 * @property {string} key
 * @property {number | null} time
 * @property {number} prompt the number of the prompt that it answers, 0 before the first
 * @property {string} model
 * @property {boolean} isOther another model than that of the call before
 * @property {string} compaction the name of the compaction right before it; empty for none
 * @property {number} input
 * @property {number} cacheRead
 * @property {number} cacheWrite
 * @property {number} sent all three
 * @property {number} output
 * @property {number} window the tokens that the model's context can hold, 0 where the file does not say
 */

/**
 * @param {Outline} outline
 * @param {number[]} path
 * @returns {Call[]}
 */
export function callsOf({ context, calls: columns, marks, time, keys }, path) {
    const { entries, tokens } = /** @type {NonNullable<typeof columns>} */ (columns);
    const models = new Map(context.model);
    const boundaries = new Map(context.boundaries.map((boundary) => [boundary[0], boundary[5]]));
    /** @type {Call[]} */
    const calls = [];
    let [place, prompt, compactions, compaction, model] = [0, 0, 0, "", ""];
    for (const n of path) {
        const bits = boundaries.get(n);
        prompt += (marks[n] & PROMPT) !== 0 ? 1 : 0;
        if (bits !== undefined) {
            compaction = (bits & RESET) !== 0 ? "Cleared" : `Compaction ${++compactions}`;
        }
        while (entries[place] < n) {
            place++;
        }
        if (entries[place] !== n) {
            continue;
        }
        const [input, cacheRead, cacheWrite, output, window = 0] = tokens.map((column) => column[place]);
        const name = (context.models[models.get(n) ?? -1] ?? []).filter((part) => part !== "").join("/");
        calls.push({
            entry: n,
            key: keys[n],
            time: time[n],
            prompt,
            model: name,
            isOther: calls.length > 0 && name !== model,
            compaction,
            input,
            cacheRead,
            cacheWrite,
            sent: input + cacheRead + cacheWrite,
            output,
            window,
        });
        [compaction, model] = ["", name];
    }
    return calls;
}

/**
 * @param {number} tokens
 * @returns {string}
 */
export function tokensText(tokens) {
    return String(tokens).replace(/\B(?=(?:\d{3})+$)/gu, ",");
}

const CALL_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/**
 * @param {Call} call
 * @returns {string}
 */
export function timeText({ time }) {
    return time === null ? "" : CALL_TIME.format(time);
}

/**
 * All that a call reported, in words.
 *
 * @param {Call[]} calls
 * @param {number} nth
 * @returns {string}
 */
export function callText(calls, nth) {
    const call = calls[nth];
    const { prompt, model, compaction, input, cacheRead, cacheWrite, sent, output, window } = call;
    const parts = [
        [cacheRead, "from the cache"],
        [cacheWrite, "written to the cache"],
        [input, "new"],
    ].filter(([tokens]) => tokens !== 0 && tokens !== sent);
    return [
        `Call ${nth + 1} of ${calls.length}`,
        prompt > 0 ? `prompt ${prompt}` : "",
        timeText(call),
        model,
        compaction === "" ? "" : `first after ${compaction === "Cleared" ? "the context was cleared" : compaction.toLowerCase()}`,
        `${tokensText(sent)} tokens sent${parts.length === 0 ? "" : `: ${parts.map(([tokens, what]) => `${tokensText(Number(tokens))} ${what}`).join(", ")}`}`,
        window > 0 ? `${Math.round((100 * sent) / window)}% of ${tokensText(window)}` : "",
        output > 0 ? `${tokensText(output)} received` : "",
    ].filter((part) => part !== "").join(" · ");
}
