/** What the reader chooses for the whole text: the level of detail, and what is expanded. */

import { recall } from "../base/storage.js";

/** @typedef {(typeof CHOICES)[number]} Choice `name` is the id of its command, `usual` the value as Rust wrote it */

export const CHOICES = /** @type {const} */ ([
    { name: "output", label: "Long output", values: ["preview", "full"], usual: "preview" },
    { name: "thinking", label: "Thinking", values: ["collapsed", "shown"], usual: "collapsed" },
    { name: "hidden", label: "Hidden messages", values: ["collapsed", "shown"], usual: "collapsed" },
]);

/** @typedef {Readonly<Record<string, string>>} Unfold the value of each choice by its name */

/** @type {Unfold} */
export const USUAL_UNFOLD = { ...Object.fromEntries(CHOICES.map(({ name, usual }) => [name, usual])), detail: "full" };

/**
 * @returns {Unfold}
 */
export function recallUnfold() {
    const values = CHOICES.map(({ name, values, usual }) => {
        const recalled = recall(`leafpress:${name}`);
        return [name, values.find((value) => value === recalled) ?? usual];
    });
    return Object.fromEntries(values);
}
