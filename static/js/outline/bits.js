/** The bits of the outline's `modes` and `marks`, and the names of the filters. */

/** The filters in the order of their buttons, each with its bit in `modes`. */
export const FILTER_BITS = new Map([
    ["default", 1],
    ["no-tools", 2],
    ["user-only", 4],
    ["labeled-only", 8],
    ["all", 16],
]);

/** An assistant turn without text: shown only while it is the current leaf. */
export const TEXTLESS = 32;

export const PROMPT = 1;
export const FAULT = 2;
export const FAILED = 4;
export const COMPACTION = 8;
export const FORK = 16;
