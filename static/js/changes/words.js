/** The words of the view Changes. `cargo xtask assets` writes this file from src/changes/words.rs. */

/** How well an edit is known: the name, the words in a sentence, and what they mean. */
export const KNOWN = [
    { name: "exact", phrase: "exact", meaning: "The whole file before and after is known" },
    { name: "patch", phrase: "from a patch", meaning: "The lines that changed are known, the rest of the file is not" },
    { name: "part", phrase: "in part", meaning: "Only old or new words are known" },
    { name: "maybe", phrase: "maybe", meaning: "A command may have changed the file" },
];

/** What became of a file: its letter, and the words. @type {Record<string, [string, string]>} */
export const STATUS = {
    created: ["A", "created"],
    written: ["A", "created or overwritten"],
    modified: ["M", "modified"],
    deleted: ["D", "deleted"],
    moved: ["R", "moved"],
    unknown: ["?", "not known to have changed"],
};
