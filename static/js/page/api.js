/** `window.leafpress`: the same computations for people's own scripts, with keys instead of numbers. */

import { followLink } from "../actions/address.js";
import { foldContext } from "../context/context.js";
import { visibleEntries } from "../outline/filters.js";
import { findEntry, isOnPath } from "../outline/paths.js";
import { listedBySession, startedSessions } from "../outline/sessions.js";
import { rowText } from "../outline/texts.js";
import { queryAdvice } from "../search/advice.js";
import { boundedQuery } from "../search/bounds.js";
import { matchesPlain } from "../search/query.js";
import { foldRow } from "../tree/input.js";
import { layOut, prefixText } from "../tree/layout.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Context, ContextFacts } from "../context/context.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { PlainEntry } from "../search/query.js" */
/** @import { Layout } from "../tree/layout.js" */

/** By the constants in outline/folds.js. */
const FOLD_NAMES = [null, "open", "folded"];

/**
 * @param {Parts} parts
 * @param {ContextFacts} facts
 * @returns {object}
 */
export function makeApi(parts, facts) {
    const { outline, searcher } = parts;
    return Object.freeze({
        /** @type {(leafKey: string, filter?: string, hits?: string[] | null, more?: {folds?: string[], subSessions?: boolean}) => object[]} */
        rows(leafKey, filter = "default", hits = null, { folds = [], subSessions = false } = {}) {
            const leaf = knownEntry(outline, leafKey);
            const matches = hits === null ? null : new Uint8Array(outline.count);
            hits?.forEach((key) => matches?.fill(1, knownEntry(outline, key), knownEntry(outline, key) + 1));
            const visible = visibleEntries(outline, leaf, filter, matches);
            const folded = new Set(folds.map((key) => knownEntry(outline, key)));
            const listed = listedBySession(outline, filter, matches);
            const started = subSessions ? startedSessions(outline, leaf, filter, listed) : [];
            return plainRows(outline, layOut(outline, leaf, visible, folded, started), leaf);
        },
        /** @type {(key: string, on: boolean) => void} */
        fold: (key, on) => foldRow(parts, knownEntry(outline, key), on),
        /** @type {(query: string, entry: PlainEntry) => boolean} */
        matches: matchesPlain,
        advice: queryAdvice,
        /** @type {(leafKey: string) => object} */
        context: (leafKey) => plainContext(outline, foldContext(outline, facts, knownEntry(outline, leafKey))),
        /** @type {(query: string) => Promise<string[]>} */
        async search(query) {
            const found = await searcher.find(boundedQuery(query));
            return outline.keys.filter((_, n) => found === null || found[n] === 1);
        },
        /** @type {(link: {leafId?: string, targetId?: string, compare?: string}) => void} */
        go({ leafId, targetId, compare }) {
            followLink(parts, { leafId: leafId ?? null, targetId: targetId ?? null, compare: compare ?? null, anchor: false });
        },
    });
}

/**
 * @param {Outline} outline
 * @param {string} key
 * @returns {number}
 */
function knownEntry(outline, key) {
    const n = findEntry(outline, key);
    if (n < 0) {
        throw new RangeError(`no entry ${key}`);
    }
    return n;
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {number} leaf
 * @returns {object[]}
 */
function plainRows(outline, layout, leaf) {
    return Array.from(layout.order, (n, row) => ({
        id: outline.keys[n],
        ...(layout.hung.has(n) ? { subSession: true } : {}),
        prefix: prefixText(layout, row),
        text: rowText(outline, n),
        label: outline.labels.get(n) ?? null,
        onPath: isOnPath(outline, n, leaf),
        depth: layout.depth[row],
        fold: FOLD_NAMES[layout.fold[n]],
    }));
}

/**
 * @param {Outline} outline
 * @param {Context} context
 * @returns {object}
 */
function plainContext(outline, context) {
    return {
        path: context.path.map((n) => outline.keys[n]),
        messages: context.messages.map((message) => ({
            entryId: outline.keys[message.entry],
            lead: message.lead < 0 ? null : message.lead,
            role: message.role,
            sent: message.sent,
            editedBy: message.edited < 0 ? null : outline.keys[message.edited],
            stripped: message.stripped,
        })),
        thinkingLevel: context.thinkingLevel,
        model: context.model,
        roleModels: context.roleModels,
        mode: context.mode,
        tiers: context.tiers,
        // Not by assignment: `__proto__` may be a key.
        states: Object.fromEntries(context.path.map((n, at) => [outline.keys[n], context.states[at]])),
    };
}
