/** The bits in the context facts: of a message's `flags`, and of a boundary. */

export const SENT = 1;
export const HIDDEN = 2;
export const SYSTEM = 4;
export const REPLACEABLE = 8;
export const NEVER = 16;
export const PROMPT_MESSAGE = 32;
export const FAILED_TURN = 64;
export const THOUGHT = 128;
export const SPEAKS = 256;
export const PAIRED = 512;

export const ASKS_AGAIN = 1;
export const RESET = 2;
export const CUTS = 4;
