/** What becomes of calls, results and failed turns, once it is known which messages the model would get. Pure. */

import { FAILED_TURN, PAIRED, SPEAKS, THOUGHT } from "./flags.js";

/**
 * Takes out what a provider would refuse: calls without a result, then failed turns; or puts results behind their calls.
 *
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
export function settleMessages(drafts, states) {
    return withResultsBehindCalls(withoutFailed(withoutLooseCalls(drafts, states), states), states);
}

/**
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function withoutLooseCalls(drafts, states) {
    const answered = new Set(drafts.map(({ answers }) => answers));
    return drafts.filter(({ at, message, flags, calls }) => {
        if ((flags & PAIRED) !== 0) {
            return true;
        }
        message.stripped = Array.from(calls.keys()).filter((nth) => !answered.has(calls[nth]));
        if (message.stripped.length === 0) {
            return true;
        }
        const stays = (flags & SPEAKS) !== 0 || message.stripped.length < calls.length;
        states[at] = stays ? "edited" : "excluded";
        return stays;
    });
}

/**
 * Failed turns go with what answers their calls, unless what was thought until then comes next.
 *
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function withoutFailed(drafts, states) {
    /** @type {Set<number>} */
    const gone = new Set();
    const is = (/** @type {Draft | undefined} */ draft, /** @type {number} */ flag) =>
        draft !== undefined && (draft.flags & flag) !== 0;
    return drafts.filter((draft, nth) => {
        const failed = is(draft, FAILED_TURN) && !is(drafts[nth + 1], THOUGHT);
        for (const call of draft.calls) {
            if (failed) {
                gone.add(call);
            } else {
                gone.delete(call);
            }
        }
        const goes = failed || gone.has(draft.answers);
        if (goes) {
            states[draft.at] = "excluded";
        }
        return !goes;
    });
}

/**
 * Results go directly behind the turn that called, in their order; those whose call is not among the messages go. Of
 * turns with the same call the last one has it.
 *
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function withResultsBehindCalls(drafts, states) {
    const isPaired = (/** @type {Draft} */ { flags }) => (flags & PAIRED) !== 0;
    /** @type {Map<number, Draft>} */
    const callers = new Map();
    for (const draft of drafts.filter(isPaired)) {
        draft.calls.forEach((call) => callers.set(call, draft));
    }
    /** @type {Map<Draft, Draft[]>} */
    const behind = new Map();
    const rest = drafts.filter((draft) => {
        if (!isPaired(draft) || draft.answers < 0) {
            return true;
        }
        const caller = callers.get(draft.answers);
        if (caller !== undefined) {
            const results = behind.get(caller) ?? [];
            results.push(draft);
            behind.set(caller, results);
        } else if (draft.message.lead < 0) {
            states[draft.at] = "excluded";
        }
        return false;
    });
    return rest.flatMap((draft) => [draft, ...(behind.get(draft) ?? [])]);
}

/** @typedef {"in" | "summarised" | "cleared" | "edited" | "excluded" | "hidden" | "none"} ContextState */

/**
 * @typedef {object} Message
 * @property {number} entry
 * @property {number} lead place among the boundary's own messages, -1 for an entry's message
 * @property {string} role
 * @property {boolean} sent
 * @property {number} edited the entry of the edit that replaced its content, -1 for none
 * @property {number[]} stripped which of its calls, from 0, are left out for want of a result
 */

/**
 * @typedef {object} Draft a message that may still go
 * @property {number} at its entry's place in the path
 * @property {Message} message
 * @property {number} flags
 * @property {number[]} calls
 * @property {number} answers the call that it answers, -1 for none
 */
