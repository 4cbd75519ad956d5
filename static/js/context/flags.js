/**
 * The bits in the facts of the context. `cargo xtask assets` writes this file from
 * src/page/outline_data/bits.rs.
 */

/** In `flags`: the conversion for the model lets it through. */
export const SENT = 1;

/** In `flags`: not shown in the agent's terminal. */
export const HIDDEN = 2;

/** In `flags`: a system message; a compaction replaces those before it. */
export const SYSTEM = 4;

/** In `flags`: an edit may put other content in its place. */
export const REPLACEABLE = 8;

/** In `flags`: the agent sends it to no model. */
export const NEVER = 16;

/** In `flags`: a prompt; some compactions ask it again. */
export const PROMPT_MESSAGE = 32;

/** In `flags`: a turn that failed. */
export const FAILED_TURN = 64;

/** In `flags`: what an interrupted turn thought. */
export const THOUGHT = 128;

/** In `flags`: a turn that says something without its calls. */
export const SPEAKS = 256;

/** In `flags`: results stand directly behind their calls. */
export const PAIRED = 512;

/** In `flags`: a reset that keeps a part keeps no such message of it. */
export const ASIDE = 1024;

/** In the bits of a boundary: the last prompt before what is kept is asked again. */
export const ASKS_AGAIN = 1;

/** In the bits of a boundary: the person cleared the history. */
export const RESET = 2;

/** In the bits of a boundary: the agent reads nothing above the kept entries. */
export const CUTS = 4;
