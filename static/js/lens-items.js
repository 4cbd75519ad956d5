/** The context lens as a list, still without elements: each message that was sent, and what was left out between. */

/**
 * @typedef {object} LensMessage
 * @property {"message"} type
 * @property {number} entry
 * @property {number} nth from 1 among the messages
 * @property {string} role
 * @property {number} lead place among the compaction's own messages, -1 for an entry's message
 * @property {number} edited the entry of the edit that replaced its content, -1 for none
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
    const { path, states } = context;
    const boundary = path.findLastIndex((n) => facts.boundaries.has(n));
    const lead = boundary < 0 ? -1 : path[boundary];
    const items = leadItems(context, lead);
    let nth = items.length;
    const messages = new Map(context.messages.map((message) => [message.entry, message]));
    path.forEach((n, at) => {
        const message = messages.get(n);
        if (states[at] === "excluded") {
            const why = message === undefined ? "left out by a context edit" : "not sent";
            items.push({ type: "gap", entry: n, why });
        } else if (message !== undefined && n !== lead) {
            items.push(entryItem(message, ++nth, states[at], at < boundary));
        }
    });
    return items;
}

/**
 * @param {Context} context
 * @param {number} lead the entry of the boundary, -1 for none
 * @returns {LensItem[]}
 */
function leadItems(context, lead) {
    /** @type {LensItem[]} */
    const items = [];
    const own = lead < 0 ? [] : context.messages.filter((message) => message.entry === lead);
    own.forEach(({ role, sent }, nth) => {
        if (sent) {
            const why = LEAD_WORDS.get(role) ?? "kept in the compaction";
            items.push({ type: "message", entry: lead, nth: items.length + 1, role, lead: nth, edited: -1, why });
        }
    });
    return items;
}

/**
 * @param {Message} message
 * @param {number} nth
 * @param {ContextState} state
 * @param {boolean} isKept
 * @returns {LensMessage}
 */
function entryItem(message, nth, state, isKept) {
    const why = [
        isKept ? "kept from before the compaction" : "",
        state === "edited" ? "edited" : "",
        state === "hidden" ? "not shown in the terminal" : "",
    ];
    return {
        type: "message",
        entry: message.entry,
        nth,
        role: message.role,
        lead: -1,
        edited: message.edited,
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
    return parts.join(" · ");
}
