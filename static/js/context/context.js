/**
 * Context sent to the model at a leaf, folded from the facts that Rust wrote into the outline. Pure.
 *
 * Rust has the same fold; both must agree for every entry of every session.
 */

import { pathTo } from "../outline/paths.js";
import { ASIDE, ASKS_AGAIN, CUTS, HIDDEN, NEVER, PROMPT_MESSAGE, REPLACEABLE, RESET, SENT, SYSTEM } from "./flags.js";
import { settleMessages } from "./settle.js";

/** @import { Outline, RawContext } from "../outline/outline.js" */
/** @import { ContextState, Draft, Message } from "./settle.js" */

/** @typedef {{provider: string, modelId: string}} ModelName */

/**
 * @typedef {object} Context
 * @property {number[]} path
 * @property {Message[]} messages
 * @property {string} thinkingLevel
 * @property {{provider: string, modelId: string} | null} model
 * @property {[string, ModelName][]} roleModels the models of other roles, by role
 * @property {string | null} mode
 * @property {string[]} tiers the service tier of each family of models
 * @property {ContextState[]} states one for each entry of the path
 * @property {number} boundary the place in the path where the model's view begins anew, -1 for nowhere
 * @property {number} note the entry whose notes come first, -1 for none
 * @property {number} asked the entry of the prompt that the boundary asks again, -1 for none
 */

/**
 * @typedef {object} Boundary
 * @property {number} firstKept
 * @property {[number, number, number[], number][]} lead role, flags, calls, the call that is answered
 * @property {number} keptAfter
 * @property {string | null} provider
 * @property {boolean} asksAgain
 * @property {boolean} resets
 * @property {boolean} cuts
 */

/**
 * @typedef {object} ContextFacts the raw facts, keyed by entry
 * @property {string[]} roles
 * @property {Int32Array} role
 * @property {Uint16Array} flags
 * @property {Map<number, string>} thinking
 * @property {Map<number, {provider: string, modelId: string}>} model
 * @property {Set<number>} chosen
 * @property {Map<number, [string, ModelName]>} roleModels
 * @property {Map<number, string>} mode
 * @property {Map<number, string[]>} tiers
 * @property {Map<number, Boundary>} boundaries
 * @property {Map<number, {target: number, replaces: boolean}>} edits
 * @property {Map<number, [number, number]>} notes
 * @property {Map<number, number[]>} calls
 * @property {Map<number, number>} answers
 */

/** @typedef {{boundary: number, kept: number, resets: boolean}} Reach places in the path; -1 and 0 without a boundary */

/**
 * @param {RawContext} raw
 * @returns {ContextFacts}
 */
export function readContextFacts(raw) {
    const models = raw.models.map(([provider, modelId]) => ({ provider, modelId }));
    return {
        roles: raw.roles,
        role: Int32Array.from(raw.role),
        flags: Uint16Array.from(raw.flags),
        thinking: new Map(raw.thinking),
        model: new Map(raw.model.map(([n, index]) => [n, models[index]])),
        chosen: new Set(raw.chosen),
        roleModels: new Map(raw.roleModels.map(([n, [role, index]]) => [n, [role, models[index]]])),
        mode: new Map(raw.mode),
        tiers: new Map(raw.tiers),
        boundaries: new Map(
            raw.boundaries.map(([n, firstKept, lead, keptAfter, provider, bits]) => {
                const is = (/** @type {number} */ bit) => (bits & bit) !== 0;
                const [asksAgain, resets, cuts] = [is(ASKS_AGAIN), is(RESET), is(CUTS)];
                return [n, { firstKept, lead, keptAfter, provider, asksAgain, resets, cuts }];
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
export function foldContext(outline, facts, leaf) {
    const path = pathTo(outline, leaf);
    const start = startOf(facts, path);
    const read = path.slice(start);
    const model = modelOn(facts, read);
    const view = viewOf(facts, path, start, model);
    const edits = lastEdits(facts, path, view);
    const states = path.map((n, at) => stateOf(facts, view, edits, n, at));
    const asked = askedAgain(facts, path, view);
    const ahead = draftsAhead(facts, path, view, edits, asked);
    const drafts = settleMessages(ahead.concat(draftsOf(facts, path, view, edits)), states);
    const note = notesOn(facts, path);
    const mode = lastOnPath(facts.mode, read) ?? "none";
    if (asked >= 0) {
        states[asked] = "in";
    }
    if (note >= 0) {
        states[note] = "in";
        const [role, sent] = facts.notes.get(path[note]) ?? [0, 0];
        const message = makeMessage(path[note], facts.roles[role], sent === 1);
        drafts.unshift({ at: note, message, flags: 0, calls: [], answers: -1 });
    }
    return {
        path,
        messages: drafts.map(({ message }) => message),
        thinkingLevel: lastOnPath(facts.thinking, read) ?? "off",
        model,
        roleModels: roleModelsOn(facts, read),
        mode: mode === "none" ? null : mode,
        tiers: lastOnPath(facts.tiers, read) ?? [],
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
    return { entry, lead: -1, role, sent, edited: -1, stripped: [] };
}

/**
 * The first place that the agent reads: all of the path, unless a compaction cuts it.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {number}
 */
function startOf(facts, path) {
    let firstKept = -1;
    for (let at = path.length - 1; at >= 0; at--) {
        if (path[at] === firstKept) {
            return at;
        }
        const boundary = facts.boundaries.get(path[at]);
        if (boundary?.cuts === true && boundary.firstKept < 0) {
            return at;
        }
        if (boundary !== undefined) {
            firstKept = boundary.cuts ? boundary.firstKept : -1;
        }
    }
    return 0;
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
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {[string, ModelName][]} sorted by role
 */
function roleModelsOn(facts, path) {
    const found = path.map((n) => facts.roleModels.get(n)).filter((change) => change !== undefined);
    return Array.from(new Map(found)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Where the model's view begins: the last boundary that holds for the model, and the first entry kept before it.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {number} start the first place that the agent reads
 * @param {{provider: string, modelId: string} | null} model
 * @returns {Reach}
 */
function viewOf(facts, path, start, model) {
    for (let at = path.length - 1; at >= 0; at--) {
        const found = facts.boundaries.get(path[at]);
        if (found !== undefined && (found.provider === null || model === null || found.provider === model.provider)) {
            const before = (/** @type {number} */ n) => {
                const place = path.indexOf(n, start);
                return place < at ? place : -1;
            };
            const after = before(found.keptAfter);
            const kept = after >= 0 ? after + 1 : before(found.firstKept);
            return { boundary: at, kept: kept >= 0 ? kept : at, resets: found.resets };
        }
    }
    return { boundary: -1, kept: 0, resets: false };
}

/**
 * @param {ContextFacts} facts
 * @param {Reach} view
 * @param {number} n
 * @param {number} at
 * @returns {boolean}
 */
function isListed(facts, view, n, at) {
    const dropped = at < view.boundary && (facts.flags[n] & (view.resets ? SYSTEM | ASIDE : SYSTEM)) !== 0;
    return at >= view.kept && at !== view.boundary && !dropped;
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
 * What stands in for the history, unless an edit takes it away, and the prompt that is asked again.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @param {Map<number, {by: number, replaces: boolean}>} edits
 * @param {number} asked
 * @returns {Draft[]}
 */
function draftsAhead(facts, path, view, edits, asked) {
    const boundary = path[view.boundary] ?? -1;
    const omitted = edits.get(boundary)?.replaces === false;
    const lead = omitted ? [] : (facts.boundaries.get(boundary)?.lead ?? []);
    const drafts = lead.map(([role, flags, calls, answers], nth) => {
        const message = makeMessage(boundary, facts.roles[role], (flags & SENT) !== 0);
        return { at: view.boundary, message: { ...message, lead: nth }, flags, calls, answers };
    });
    if (asked >= 0) {
        drafts.push(ownDraft(facts, path[asked], asked));
    }
    return drafts;
}

/**
 * @param {ContextFacts} facts
 * @param {number} n
 * @param {number} at its place in the path
 * @returns {Draft}
 */
function ownDraft(facts, n, at) {
    const flags = facts.flags[n];
    const message = makeMessage(n, facts.roles[facts.role[n]], (flags & SENT) !== 0);
    return { at, message, flags, calls: facts.calls.get(n) ?? [], answers: facts.answers.get(n) ?? -1 };
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
        const draft = ownDraft(facts, n, at);
        if (edit !== undefined && (draft.flags & REPLACEABLE) !== 0) {
            draft.message.edited = edit.by;
        }
        drafts.push(draft);
    });
    return drafts;
}

/**
 * The place of the last notes since the last reset, -1 for none.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {number}
 */
function notesOn(facts, path) {
    const reset = path.findLastIndex((n) => facts.boundaries.get(n)?.resets === true);
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
    const replaced = view.resets ? "cleared" : "summarised";
    const boundary = facts.boundaries.get(n);
    const edit = edits.get(n);
    const omitted = edit !== undefined && !edit.replaces;
    if (boundary?.resets === true) {
        return "none";
    }
    if (boundary !== undefined) {
        if (at === view.boundary) {
            return omitted ? "excluded" : "in";
        }
        return at < view.boundary ? replaced : "excluded";
    }
    if (facts.role[n] < 0) {
        return "none";
    }
    if (!isListed(facts, view, n, at)) {
        return replaced;
    }
    if (omitted || (facts.flags[n] & (SENT | NEVER)) !== SENT) {
        return "excluded";
    }
    if (edit !== undefined && (facts.flags[n] & REPLACEABLE) !== 0) {
        return "edited";
    }
    return (facts.flags[n] & HIDDEN) !== 0 ? "hidden" : "in";
}
