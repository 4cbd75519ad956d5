/**
 * The names and numbers in the outline. `cargo xtask assets` writes this file from
 * src/page/outline_data/bits.rs, src/outline/filter.rs and src/content/detail.rs.
 */

/** The filters in the order of their buttons, each with its bit in `modes`. */
export const FILTER_BITS = new Map([
    ["default", 1],
    ["no-tools", 2],
    ["user-only", 4],
    ["labeled-only", 8],
    ["all", 16],
]);

/** The levels of detail, in the order of the keys of their command. */
export const DETAILS = ["story", "steps", "full"];

/** In `marks`. */
export const PROMPT = 1;

/** In `marks`: a commit, a push, a pull request, or a test run of which it is known how it ended. */
export const LANDMARK = 2;

/** In `marks`: a response or a call that was stopped. */
export const STOPPED = 4096;

/** In `marks`: a call, a response or a command that failed. */
export const FAILED = 4;

/** In `marks`. */
export const COMPACTION = 8;

/** In `marks`: one of several branches. */
export const FORK = 16;

/** In `marks`: a response without text, shown only while it is the current leaf. */
export const WITHOUT_TEXT = 32;

/** In `marks`. */
export const COMMIT = 64;

/** In `marks`. */
export const PUSH = 128;

/** In `marks`. */
export const PULL_REQUEST = 256;

/** In `marks`: a test run. */
export const TEST_RUN = 512;

/** In `marks`: something that is worth a look. */
export const NOTABLE = 1024;

/** In `marks`: a test run that failed, whatever the call's exit status is. */
export const TESTS_FAILED = 2048;

/** In `roles`: a response. */
export const RESPONSE = 1;
