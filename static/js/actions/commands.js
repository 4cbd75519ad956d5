/**
 * All commands of the page. The keys, the menu and the list of keys are made from this table, and a test holds
 * docs/page.md to it.
 */

/**
 * @template Id
 * @typedef {object} CommandOf
 * @property {Id} id names its action; null where its keys belong to the element that has the focus
 * @property {readonly string[]} keys as the list of keys shows them; a pair is written `g g`
 * @property {readonly string[]} [hiddenKeys] not in the list, in the order of `keys`
 * @property {string} [text] what the keys do
 * @property {string} [menu] its menu item
 */

/**
 * @template Id
 * @typedef {readonly {title: string, commands: readonly CommandOf<Id>[]}[]} GroupsOf
 */

/** @typedef {NonNullable<(typeof GROUPS)[number]["commands"][number]["id"]>} CommandId */

/** @satisfies {GroupsOf<string | null>} */
const GROUPS = /** @type {const} */ ([
    {
        title: "Navigate",
        commands: [
            { id: "prompt", keys: ["j", "k"], text: "next, previous prompt" },
            { id: "failure", keys: ["e", "E"], text: "next, previous failure" },
            { id: "landmark", keys: ["m", "M"], text: "next, previous commit, push, pull request or test run" },
            { id: "notable", keys: ["w", "W"], text: "next, previous risky step" },
            { id: "compaction", keys: ["c", "C"], text: "next, previous compaction" },
            { id: "fork", keys: ["f", "F"], text: "next, previous fork" },
            { id: "hit", keys: ["n", "N"], text: "next, previous search hit" },
            { id: "back", keys: ["b"], text: "go back", menu: "Go back" },
            { id: "edge", keys: ["g g", "G"], hiddenKeys: ["Home", "End"], text: "top, bottom" },
        ],
    },
    {
        title: "Page",
        commands: [
            { id: "search", keys: ["/"], text: "search" },
            { id: "view", keys: ["v"], text: "next view: conversation, context, changes" },
            { id: "order", keys: ["t"], text: "changes: by prompt, by file" },
            { id: "detail", keys: ["1", "2", "3"], text: "level of detail: story, steps, full" },
            { id: "steps", keys: ["s"], text: "steps of this turn" },
            { id: "output", keys: ["o"], text: "long output: preview, full" },
            { id: "thinking", keys: ["i"], text: "thinking: collapsed, shown" },
            { id: "hidden", keys: ["h"], text: "hidden messages: collapsed, shown" },
            { id: "label", keys: ["L"], text: "copy the command to label this entry" },
            { id: "markdown", keys: ["y", "Y"], text: "copy this turn, this entry as Markdown", menu: "Copy this turn as Markdown" },
            { id: "leaves", keys: ["l"], text: "all branches", menu: "All branches" },
            { id: "compare", keys: ["d"], text: "compare with another branch", menu: "Compare with another branch" },
            { id: "print", keys: ["p"], text: "print everything", menu: "Print everything" },
            { id: "download", keys: [], menu: "Download the session file" },
            { id: "keys", keys: ["?"], text: "show all keys", menu: "Keys" },
            { id: null, keys: ["Esc"], text: "close" },
        ],
    },
    {
        title: "In the tree",
        commands: [
            { id: null, keys: ["↑", "↓"], text: "move; also Home, End, Page Up, Page Down" },
            { id: null, keys: ["←", "→"], text: "collapse or go to parent, expand or go to first child" },
            { id: null, keys: ["Enter"], text: "open the entry" },
            { id: null, keys: ["a … z"], text: "jump to the next row that starts with these letters" },
        ],
    },
    {
        title: "In the search field",
        commands: [
            { id: null, keys: ["Enter"], text: "next hit; with Shift, previous hit" },
            { id: null, keys: ["Esc"], text: "clear" },
        ],
    },
]);

/** @type {GroupsOf<CommandId | null>} */
export const COMMAND_GROUPS = GROUPS;

/** All of them, in the order of the menu. */
export const COMMANDS = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/**
 * @param {CommandId} id
 * @returns {readonly string[]}
 */
export function keysOf(id) {
    return COMMANDS.find((command) => command.id === id)?.keys ?? [];
}
