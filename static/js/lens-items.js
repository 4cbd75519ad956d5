/** The context lens as a list, still without elements: each message that was sent, and what was left out between. */

/**
 * @typedef {object} LensMessage
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
 * @typedef {object} LensGap
 * @property {"gap"} type
 * @property {number} entry
 * @property {string} why
 */

/** @typedef {LensMessage | LensGap} LensItem */

/** What a compaction's own messages are, by their role; the others were kept inside it. */
const LEAD_WORDS = new Map([
    ["system", "system prompt, given again by the compaction"],
    ["compactionSummary", "summary of what came before"],
]);

/**
 * @param {ContextFacts} facts
 * @param {Context} context
 * @returns {LensItem[]}
 */
function lensItems(facts, context) {
    const { path, states, boundary, note, asked } = context;
    const lead = path[boundary] ?? -1;
    const messages = new Map(context.messages.map((message) => [message.entry, message]));
    const items = aheadItems(context, messages, lead);
    let nth = items.length;
    const isReset = facts.boundaries.get(lead)?.isReset === true;
    path.forEach((n, at) => {
        const message = messages.get(n);
        if (states[at] === "excluded") {
            if (!isReset || at > boundary) {
                items.push({ type: "gap", entry: n, why: message === undefined ? whyGone(facts, n) : "not sent" });
            }
        } else if (message !== undefined && n !== lead && n !== note && n !== asked) {
            items.push(entryItem(message, ++nth, states[at], at < boundary ? "kept from before the compaction" : ""));
        }
    });
    return items;
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
        return "left out, the turn failed or was aborted";
    }
    if (facts.answers.has(n)) {
        return "left out with the turn that asked for it";
    }
    return facts.calls.has(n) ? "left out, its calls have no result" : "left out by a context edit";
}

/**
 * What comes before the path: the agent's notes, the boundary's own messages, the prompt it asks again.
 *
 * @param {Context} context
 * @param {Map<number, Message>} messages
 * @param {number} lead the entry of the boundary, -1 for none
 * @returns {LensItem[]}
 */
function aheadItems(context, messages, lead) {
    /** @type {LensItem[]} */
    const items = [];
    const add = (/** @type {number} */ n, /** @type {string} */ why) => {
        const message = messages.get(n);
        if (message !== undefined) {
            items.push(entryItem(message, items.length + 1, "in", why));
        }
    };
    add(context.note, "the agent's notes, given first");
    for (const item of leadItems(context, lead)) {
        items.push({ ...item, nth: items.length + 1 });
    }
    add(context.asked, "asked again after the compaction");
    return items;
}

/**
 * @param {Context} context
 * @param {number} lead the entry of the boundary, -1 for none
 * @returns {LensMessage[]}
 */
function leadItems(context, lead) {
    /** @type {LensMessage[]} */
    const items = [];
    const own = lead < 0 ? [] : context.messages.filter((message) => message.entry === lead);
    own.forEach(({ role, sent }, nth) => {
        if (sent) {
            const why = LEAD_WORDS.get(role) ?? "kept in the compaction";
            items.push({ type: "message", entry: lead, nth: items.length + 1, role, lead: nth, edited: -1, stripped: [], why });
        }
    });
    return items;
}

/**
 * @param {Message} message
 * @param {number} nth
 * @param {ContextState} state
 * @param {string} place why it stands where it does; empty for its own place
 * @returns {LensMessage}
 */
function entryItem(message, nth, state, place) {
    const calls = message.stripped.length;
    const why = [
        place,
        message.edited >= 0 ? "edited" : "",
        calls > 0 ? `${counted(calls, "call")} without a result left out` : "",
        state === "hidden" ? "not shown in the terminal" : "",
    ];
    return {
        type: "message",
        entry: message.entry,
        nth,
        role: message.role,
        lead: -1,
        edited: message.edited,
        stripped: message.stripped,
        why: why.filter((word) => word !== "").join(", "),
    };
}

/**
 * What the head of the lens says.
 *
 * @param {Context} context
 * @param {LensItem[]} items
 * @returns {string}
 */
function lensSummary(context, items) {
    const sent = items.filter((item) => item.type === "message").length;
    const replaced = context.states.filter((state) => state === "summarised").length;
    const model = context.model === null ? [] : [`${context.model.provider}/${context.model.modelId}`];
    const parts = [counted(sent, "message"), ...model, `thinking ${context.thinkingLevel}`];
    if (replaced > 0) {
        parts.push(`${replaced === 1 ? "1 entry" : `${replaced} entries`} before the compaction summarised`);
    }
    const cleared = context.states.filter((state, at) => at < context.boundary && state === "excluded").length;
    if (cleared > 0) {
        parts.push(`${cleared === 1 ? "1 entry" : `${cleared} entries`} before the context was cleared left out`);
    }
    return parts.join(" · ");
}
