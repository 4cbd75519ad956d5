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
 */

/**
 * @typedef {object} Context
 * @property {number[]} path
 * @property {Message[]} messages
 * @property {string} thinkingLevel
 * @property {{provider: string, modelId: string} | null} model
 * @property {ContextState[]} states one for each entry of the path
 */

/**
 * @typedef {object} ContextFacts the raw facts, keyed by entry
 * @property {string[]} roles
 * @property {Int32Array} role
 * @property {Uint8Array} flags
 * @property {Map<number, string>} thinking
 * @property {Map<number, {provider: string, modelId: string}>} model
 * @property {Map<number, {firstKept: number, lead: [number, number][]}>} boundaries
 * @property {Map<number, {target: number, replaces: boolean}>} edits
 */

/** @typedef {{boundary: number, kept: number}} Reach places in the path; -1 and 0 without a boundary */

const SENT = 1;
const HIDDEN = 2;
const SYSTEM = 4;
const REPLACEABLE = 8;

/**
 * @param {RawContext} raw
 * @returns {ContextFacts}
 */
function readContextFacts(raw) {
    const models = raw.models.map(([provider, modelId]) => ({ provider, modelId }));
    return {
        roles: raw.roles,
        role: Int32Array.from(raw.role),
        flags: Uint8Array.from(raw.flags),
        thinking: new Map(raw.thinking),
        model: new Map(raw.model.map(([n, index]) => [n, models[index]])),
        boundaries: new Map(raw.boundaries.map(([n, firstKept, lead]) => [n, { firstKept, lead }])),
        edits: new Map(raw.edits.map(([n, target, kind]) => [n, { target, replaces: kind === 1 }])),
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
    const view = viewOf(facts, path);
    const edits = lastEdits(facts, path, view);
    return {
        path,
        messages: messagesOf(facts, path, view, edits),
        thinkingLevel: lastOnPath(facts.thinking, path) ?? "off",
        model: lastOnPath(facts.model, path) ?? null,
        states: path.map((n, at) => stateOf(facts, view, edits, n, at)),
    };
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
 * Where the model's view begins: the last boundary on the path, and the first entry kept before it.
 *
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @returns {Reach}
 */
function viewOf(facts, path) {
    for (let at = path.length - 1; at >= 0; at--) {
        const found = facts.boundaries.get(path[at]);
        if (found !== undefined) {
            const kept = path.indexOf(found.firstKept);
            return { boundary: at, kept: kept >= 0 && kept < at ? kept : at };
        }
    }
    return { boundary: -1, kept: 0 };
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
 * @param {ContextFacts} facts
 * @param {number[]} path
 * @param {Reach} view
 * @param {Map<number, {by: number, replaces: boolean}>} edits
 * @returns {Message[]}
 */
function messagesOf(facts, path, view, edits) {
    /** @type {Message[]} */
    const messages = [];
    const boundary = path[view.boundary] ?? -1;
    for (const [role, sent] of facts.boundaries.get(boundary)?.lead ?? []) {
        messages.push({ entry: boundary, role: facts.roles[role], sent: sent === 1, edited: -1 });
    }
    path.forEach((n, at) => {
        const edit = edits.get(n);
        const omitted = edit !== undefined && !edit.replaces;
        if (facts.role[n] < 0 || omitted || !isListed(facts, view, n, at)) {
            return;
        }
        const replaced = edit !== undefined && (facts.flags[n] & REPLACEABLE) !== 0;
        messages.push({
            entry: n,
            role: facts.roles[facts.role[n]],
            sent: (facts.flags[n] & SENT) !== 0,
            edited: replaced ? edit.by : -1,
        });
    });
    return messages;
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
    if (at === view.boundary) {
        return "in";
    }
    if (facts.role[n] < 0 && !facts.boundaries.has(n)) {
        return "none";
    }
    if (facts.boundaries.has(n) || !isListed(facts, view, n, at)) {
        return "summarised";
    }
    const edit = edits.get(n);
    if ((edit !== undefined && !edit.replaces) || (facts.flags[n] & SENT) === 0) {
        return "excluded";
    }
    if (edit !== undefined && (facts.flags[n] & REPLACEABLE) !== 0) {
        return "edited";
    }
    return (facts.flags[n] & HIDDEN) !== 0 ? "hidden" : "in";
}
