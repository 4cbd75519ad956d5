/** The context view as a list, still without elements: each message that was sent, and what was left out between. */

import { counted } from "../base/dom.js";
import { FAILED_TURN, NEVER, PAIRED } from "./flags.js";

/** @import { Context, ContextFacts, ModelName } from "./context.js" */
/** @import { ContextState, Message } from "./settle.js" */

/**
 * @typedef {object} ContextMessage
 * @property {"message"} type
 * @property {number} entry
 * @property {number} nth from 1 among the messages
 * @property {string} role
 * @property {number} lead place among the compaction's own messages, -1 for an entry's message
 * @property {number} edited the entry of the edit that replaced its content, -1 for none
 * @property {number[]} stripped which of its calls, from 0, the model did not see
 * @property {string} why in words; empty for an entry that simply is in the context
 */

/**
 * @typedef {object} ContextGap
 * @property {"gap"} type
 * @property {number} entry
 * @property {string} why
 */

/** @typedef {ContextMessage | ContextGap} ContextItem */

/** What a compaction's own messages are, by their role; the others were kept inside it. */
const LEAD_WORDS = new Map([
    ["system", "system prompt, given again by the compaction"],
    ["compactionSummary", "what came before"],
]);

/**
 * In the order of the messages; what was left out stands where its place in the path is passed.
 *
 * @param {ContextFacts} facts
 * @param {Context} context
 * @returns {ContextItem[]}
 */
export function contextItems(facts, context) {
    const { path, states, boundary, messages } = context;
    const places = new Map(path.map((n, at) => [n, at]));
    const given = new Set(messages.map(({ entry }) => entry));
    const cut = new Set(messages.filter(({ role }) => role === "omitted").map(({ entry }) => entry));
    /** @type {ContextItem[]} */
    const items = [];
    let passed = 0;
    let nth = 0;
    const passTo = (/** @type {number} */ at) => {
        for (; passed < at; passed++) {
            const n = path[passed];
            if (states[passed] === "excluded") {
                const why = cut.has(n) ? "cut from this page" : given.has(n) ? "not sent" : whyGone(facts, n);
                items.push({ type: "gap", entry: n, why });
            }
        }
    };
    for (const message of messages) {
        const at = places.get(message.entry) ?? 0;
        const ahead = whyAhead(context, message);
        if (ahead === "") {
            passTo(at);
        }
        if (message.lead < 0 ? states[at] !== "excluded" : message.sent) {
            const why = ahead === "" && at < boundary ? "kept from before the compaction" : ahead;
            items.push(messageItem(message, ++nth, states[at], why));
        }
    }
    passTo(path.length);
    return items;
}

/**
 * Why a message comes before the path: the agent's notes, the boundary's own messages, the prompt it asks again. Empty
 * for the others.
 *
 * @param {Context} context
 * @param {Message} message
 * @returns {string}
 */
function whyAhead({ note, asked }, { entry, role, lead }) {
    if (lead >= 0) {
        return LEAD_WORDS.get(role) ?? "kept in the compaction";
    }
    if (entry === note) {
        return "the agent's notes, given first";
    }
    return entry === asked ? "asked again after the compaction" : "";
}

/**
 * Why an entry gave the model nothing.
 *
 * @param {ContextFacts} facts
 * @param {number} n
 * @returns {string}
 */
function whyGone(facts, n) {
    const flags = facts.flags[n];
    if (facts.boundaries.has(n)) {
        return "made for another provider's models";
    }
    if ((flags & NEVER) !== 0) {
        return "never given to a model";
    }
    if ((flags & FAILED_TURN) !== 0) {
        return "not sent: the turn failed or was stopped";
    }
    if (facts.answers.has(n)) {
        const isAlone = (flags & PAIRED) !== 0;
        return isAlone ? "not sent: its call is not here" : "not sent: its turn was not sent";
    }
    return facts.calls.has(n) ? "not sent: its calls have no result" : "removed by a context edit";
}

/**
 * @param {Message} message
 * @param {number} nth
 * @param {ContextState} state
 * @param {string} place why it stands where it does; empty for its own place
 * @returns {ContextMessage}
 */
function messageItem(message, nth, state, place) {
    const calls = message.stripped.length;
    const why = [
        place,
        message.edited >= 0 ? "edited" : "",
        calls > 0 ? `${counted(calls, "call")} without a result not sent` : "",
        state === "hidden" ? "hidden by the agent" : "",
    ];
    return {
        type: "message",
        entry: message.entry,
        nth,
        role: message.role,
        lead: message.lead,
        edited: message.edited,
        stripped: message.stripped,
        why: why.filter((word) => word !== "").join(", "),
    };
}

/**
 * What the head of the context view says.
 *
 * @param {Context} context
 * @param {ContextItem[]} items
 * @returns {string}
 */
export function contextSummary(context, items) {
    const sent = items.filter((item) => item.type === "message").length;
    const replaced = context.states.filter((state) => state === "summarised").length;
    const nameOf = (/** @type {ModelName} */ { provider, modelId }) => provider === "" ? modelId : `${provider}/${modelId}`;
    const model = context.model === null ? [] : [nameOf(context.model)];
    const parts = [counted(sent, "message"), ...model];
    // "off" is also the level where nothing says one.
    if (context.thinkingLevel !== "off") {
        parts.push(`thinking ${context.thinkingLevel}`);
    }
    parts.push(...context.roleModels.map(([role, named]) => `${role} ${nameOf(named)}`));
    if (context.mode !== null) {
        parts.push(`mode ${context.mode}`);
    }
    parts.push(...context.tiers.map((tier) => `service tier ${tier}`));
    if (replaced > 0) {
        parts.push(`${counted(replaced, "entry", "entries")} summarized by the compaction`);
    }
    const cleared = context.states.filter((state) => state === "cleared").length;
    if (cleared > 0) {
        parts.push(`${counted(cleared, "entry", "entries")} no longer sent: before the context was cleared`);
    }
    return parts.join(" · ");
}
