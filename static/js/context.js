/**
 * What the model saw at a leaf, folded from the facts that Rust wrote into the outline. Pure.
 *
 * Rust has the same fold; both must agree for every entry of every session.
 */

/** @typedef {"in" | "summarised" | "edited" | "excluded" | "hidden" | "none"} ContextState */

/**
 * @typedef {object} Message
 * @property {number} entry
 * @property {string} role
 * @property {boolean} sent
 * @property {number} edited the entry of the edit that replaced its content, -1 for none
 * @property {number[]} stripped which of its calls, from 0, are left out for want of a result
 */

/**
 * @typedef {object} Context
 * @property {number[]} path
 * @property {Message[]} messages
 * @property {string} thinkingLevel
 * @property {{provider: string, modelId: string} | null} model
 * @property {ContextState[]} states one for each entry of the path
 * @property {number} boundary the place in the path where the model's view begins anew, -1 for nowhere
 * @property {number} note the entry whose notes come first, -1 for none
 * @property {number} asked the entry of the prompt that the boundary asks again, -1 for none
 */

/**
 * @typedef {object} Boundary
 * @property {number} firstKept
 * @property {[number, number][]} lead
 * @property {number} keptAfter
 * @property {string | null} provider
 * @property {boolean} asksAgain
 * @property {boolean} isReset
 */

/**
 * @typedef {object} ContextFacts the raw facts, keyed by entry
 * @property {string[]} roles
 * @property {Int32Array} role
 * @property {Uint16Array} flags
 * @property {Map<number, string>} thinking
 * @property {Map<number, {provider: string, modelId: string}>} model
 * @property {Set<number>} chosen
 * @property {Map<number, Boundary>} boundaries
 * @property {Map<number, {target: number, replaces: boolean}>} edits
 * @property {Map<number, [number, number]>} notes
 * @property {Map<number, number[]>} calls
 * @property {Map<number, number>} answers
 */

/** @typedef {{boundary: number, kept: number, isReset: boolean}} Reach places in the path; -1 and 0 without a boundary */

/** @typedef {{at: number, message: Message}} Draft a message that may still go, and its entry's place in the path */

const SENT = 1;
const HIDDEN = 2;
const SYSTEM = 4;
const REPLACEABLE = 8;
const NEVER = 16;
const PROMPT_MESSAGE = 32;
const FAILED_TURN = 64;
const THOUGHT = 128;
const SPEAKS = 256;

const ASKS_AGAIN = 1;
const RESET = 2;

/**
 * @param {RawContext} raw
 * @returns {ContextFacts}
 */
function readContextFacts(raw) {
    const models = raw.models.map(([provider, modelId]) => ({ provider, modelId }));
    return {
        roles: raw.roles,
        role: Int32Array.from(raw.role),
        flags: Uint16Array.from(raw.flags),
        thinking: new Map(raw.thinking),
        model: new Map(raw.model.map(([n, index]) => [n, models[index]])),
        chosen: new Set(raw.chosen),
        boundaries: new Map(
            raw.boundaries.map(([n, firstKept, lead, keptAfter, provider, bits]) => {
                const asksAgain = (bits & ASKS_AGAIN) !== 0;
                return [n, { firstKept, lead, keptAfter, provider, asksAgain, isReset: (bits & RESET) !== 0 }];
            }),
        ),
        edits: new Map(raw.edits.map(([n, target, kind]) => [n, { target, replaces: kind === 1 }])),
        notes: new Map(raw.notes),
        calls: new Map(raw.calls),
        answers: new Map(raw.answers),
    };
}

/**
 * @param {Outline} outline
 * @param {ContextFacts} facts
 * @param {number} leaf
 * @returns {Context}
 */
function foldContext(outline, facts, leaf) {
    const path = pathTo(outline, leaf);
    const model = modelOn(facts, path);
    const view = viewOf(facts, path, model);
    const edits = lastEdits(facts, path, view);
    const states = path.map((n, at) => stateOf(facts, view, edits, n, at));
    const asked = askedAgain(facts, path, view);
    const ahead = draftsAhead(facts, path, view, asked);
    const drafts = settleMessages(facts, ahead.concat(draftsOf(facts, path, view, edits)), states);
    const note = notesOn(facts, path);
    if (asked >= 0) {
        states[asked] = "in";
    }
    if (note >= 0) {
        states[note] = "in";
        const [role, sent] = facts.notes.get(path[note]) ?? [0, 0];
        drafts.unshift({ at: note, message: makeMessage(path[note], facts.roles[role], sent === 1) });
    }
    return {
        path,
        messages: drafts.map(({ message }) => message),
        thinkingLevel: lastOnPath(facts.thinking, path) ?? "off",
        model,
        states,
        boundary: view.boundary,
        note: path[note] ?? -1,
        asked: path[asked] ?? -1,
    };
}

/**
 * @param {number} entry
 * @param {string} role
 * @param {boolean} sent
 * @returns {Message}
 */
function makeMessage(entry, role, sent) {
    return { entry, role, sent, edited: -1, stripped: [] };
}

/**
 * @template T
 * @param {Map<number, T>} facts
 * @param {number[]} path
 * @returns {T | undefined}
 */
function lastOnPath(facts, path) {
    for (let at = path.length - 1; at >= 0; at--) {
        const found = facts.get(path[at]);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/**
 * The last model on the path; one that was chosen for good wins over later answers.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {{provider: string, modelId: string} | null}
 */
function modelOn(facts, path) {
    const chosen = path.findLast((n) => facts.chosen.has(n));
    const model = chosen === undefined ? undefined : facts.model.get(chosen);
    return model ?? lastOnPath(facts.model, path) ?? null;
}

/**
 * Where the model's view begins: the last boundary that holds for the model, and the first entry kept before it.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {{provider: string, modelId: string} | null} model
 * @returns {Reach}
 */
function viewOf(facts, path, model) {
    for (let at = path.length - 1; at >= 0; at--) {
        const found = facts.boundaries.get(path[at]);
        if (found !== undefined && (found.provider === null || model === null || found.provider === model.provider)) {
            const before = (/** @type {number} */ n) => {
                const place = path.indexOf(n);
                return place < at ? place : -1;
            };
            const after = before(found.keptAfter);
            const kept = after >= 0 ? after + 1 : before(found.firstKept);
            return { boundary: at, kept: kept >= 0 ? kept : at, isReset: found.isReset };
        }
    }
    return { boundary: -1, kept: 0, isReset: false };
}

/**
 * @param {ContextFacts} facts
 * @param {Reach} view
 * @param {number} n
 * @param {number} at
 * @returns {boolean}
 */
function isListed(facts, view, n, at) {
    const keptSystem = at < view.boundary && (facts.flags[n] & SYSTEM) !== 0;
    return at >= view.kept && at !== view.boundary && !keptSystem;
}

/**
 * The last edit of each target; only edits that are in the view themselves count.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @returns {Map<number, {by: number, replaces: boolean}>}
 */
function lastEdits(facts, path, view) {
    const last = new Map();
    path.forEach((n, at) => {
        const edit = facts.edits.get(n);
        if (edit !== undefined && isListed(facts, view, n, at)) {
            last.set(edit.target, { by: n, replaces: edit.replaces });
        }
    });
    return last;
}

/**
 * The place of the prompt that the boundary asks again, -1 for none.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @returns {number}
 */
function askedAgain(facts, path, view) {
    if (facts.boundaries.get(path[view.boundary] ?? -1)?.asksAgain !== true) {
        return -1;
    }
    return path.slice(0, view.kept).findLastIndex((n) => (facts.flags[n] & PROMPT_MESSAGE) !== 0);
}

/**
 * What stands in for the history, and the prompt that is asked again.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @param {number} asked
 * @returns {Draft[]}
 */
function draftsAhead(facts, path, view, asked) {
    const boundary = path[view.boundary] ?? -1;
    const lead = facts.boundaries.get(boundary)?.lead ?? [];
    const drafts = lead.map(([role, sent]) => ({
        at: view.boundary,
        message: makeMessage(boundary, facts.roles[role], sent === 1),
    }));
    if (asked >= 0) {
        drafts.push({ at: asked, message: ownMessage(facts, path[asked]) });
    }
    return drafts;
}

/**
 * @param {ContextFacts} facts
 * @param {number} n
 * @returns {Message}
 */
function ownMessage(facts, n) {
    return makeMessage(n, facts.roles[facts.role[n]], (facts.flags[n] & SENT) !== 0);
}

/**
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @param {Map<number, {by: number, replaces: boolean}>} edits
 * @returns {Draft[]}
 */
function draftsOf(facts, path, view, edits) {
    /** @type {Draft[]} */
    const drafts = [];
    path.forEach((n, at) => {
        const edit = edits.get(n);
        const omitted = (edit !== undefined && !edit.replaces) || (facts.flags[n] & NEVER) !== 0;
        if (facts.role[n] < 0 || omitted || !isListed(facts, view, n, at)) {
            return;
        }
        const message = ownMessage(facts, n);
        if (edit !== undefined && (facts.flags[n] & REPLACEABLE) !== 0) {
            message.edited = edit.by;
        }
        drafts.push({ at, message });
    });
    return drafts;
}

/**
 * Takes out what a provider would refuse: calls without a result, then failed turns.
 *
 * @param {ContextFacts} facts
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function settleMessages(facts, drafts, states) {
    return withoutFailed(facts, withoutLooseCalls(facts, drafts, states), states);
}

/**
 * @param {ContextFacts} facts
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function withoutLooseCalls(facts, drafts, states) {
    const answered = new Set(drafts.map(({ message }) => facts.answers.get(message.entry)));
    return drafts.filter(({ at, message }) => {
        const calls = facts.calls.get(message.entry) ?? [];
        message.stripped = Array.from(calls.keys()).filter((nth) => !answered.has(calls[nth]));
        if (message.stripped.length === 0) {
            return true;
        }
        const stays = (facts.flags[message.entry] & SPEAKS) !== 0 || message.stripped.length < calls.length;
        states[at] = stays ? "edited" : "excluded";
        return stays;
    });
}

/**
 * Failed turns go with what answers their calls, unless what was thought until then comes next.
 *
 * @param {ContextFacts} facts
 * @param {Draft[]} drafts
 * @param {ContextState[]} states
 * @returns {Draft[]}
 */
function withoutFailed(facts, drafts, states) {
    /** @type {Set<number>} */
    const gone = new Set();
    const is = (/** @type {Draft | undefined} */ draft, /** @type {number} */ flag) =>
        draft !== undefined && (facts.flags[draft.message.entry] & flag) !== 0;
    return drafts.filter((draft, nth) => {
        const n = draft.message.entry;
        const failed = is(draft, FAILED_TURN) && !is(drafts[nth + 1], THOUGHT);
        for (const call of facts.calls.get(n) ?? []) {
            if (failed) {
                gone.add(call);
            } else {
                gone.delete(call);
            }
        }
        const goes = failed || gone.has(facts.answers.get(n) ?? -1);
        if (goes) {
            states[draft.at] = "excluded";
        }
        return !goes;
    });
}

/**
 * The place of the last notes since the last reset, -1 for none.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {number}
 */
function notesOn(facts, path) {
    const reset = path.findLastIndex((n) => facts.boundaries.get(n)?.isReset === true);
    const note = path.findLastIndex((n) => facts.notes.has(n));
    return note > reset ? note : -1;
}

/**
 * @param {ContextFacts} facts
 * @param {Reach} view
 * @param {Map<number, {by: number, replaces: boolean}>} edits
 * @param {number} n
 * @param {number} at
 * @returns {ContextState}
 */
function stateOf(facts, view, edits, n, at) {
    const replaced = view.isReset ? "excluded" : "summarised";
    const boundary = facts.boundaries.get(n);
    if (boundary?.isReset === true) {
        return "none";
    }
    if (boundary !== undefined) {
        return at === view.boundary ? "in" : at < view.boundary ? replaced : "excluded";
    }
    if (facts.role[n] < 0) {
        return "none";
    }
    if (!isListed(facts, view, n, at)) {
        return replaced;
    }
    const edit = edits.get(n);
    if ((edit !== undefined && !edit.replaces) || (facts.flags[n] & (SENT | NEVER)) !== SENT) {
        return "excluded";
    }
    if (edit !== undefined && (facts.flags[n] & REPLACEABLE) !== 0) {
        return "edited";
    }
    return (facts.flags[n] & HIDDEN) !== 0 ? "hidden" : "in";
}
