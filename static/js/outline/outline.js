/**
 * The outline: what the page knows of every entry without opening it, as columns.
 *
 * Entries are numbers in document order (depth-first, children by time). So a parent's number is smaller
 * than its children's, and a subtree is the range `n .. end[n]`: "is on the path" needs no walk.
 */

import { PROMPT } from "./shared.js";

/**
 * @typedef {object} RawContext the context facts as Rust wrote them
 * @property {string[]} roles
 * @property {number[]} role
 * @property {number[]} flags
 * @property {[number, string][]} thinking
 * @property {[string, string][]} models
 * @property {[number, number][]} model
 * @property {number[]} chosen
 * @property {[number, [string, number]][]} roleModels
 * @property {[number, string][]} mode
 * @property {[number, string[]][]} tiers
 * @property {[number, number, [number, number, number[], number][], number, string | null, number][]} boundaries
 * @property {[number, number, number][]} edits
 * @property {[number, [number, number]][]} notes
 * @property {[number, number[]][]} calls
 * @property {[number, number][]} answers
 */

/**
 * @typedef {object} RawOutline the JSON in `script#outline`, compressed there
 * @property {number} v
 * @property {string[]} keys
 * @property {[number, string][]} ids
 * @property {number[]} parent
 * @property {number[]} newest
 * @property {(number | null)[]} time
 * @property {number} leaf
 * @property {number} target
 * @property {string} filter
 * @property {string[]} text
 * @property {boolean} keepsLabels whether `leafpress label` can set labels
 * @property {[number, string][]} labels
 * @property {number[]} modes
 * @property {number[]} words
 * @property {string[]} wordTable
 * @property {RawContext} context
 * @property {string[]} kinds
 * @property {number[]} kind
 * @property {number[]} marks
 * @property {string[]} toolNames
 * @property {string[]} toolIcons the icon of each
 * @property {number[]} roles
 * @property {number[]} textLines
 * @property {number[]} phoneLines
 * @property {number[]} runs
 * @property {number[]} asides
 * @property {[number, number[]][]} steps
 * @property {number[]} quiet
 * @property {[number, number][]} cards
 * @property {[number, number[]][]} tools
 * @property {[number, number][]} labelTimes
 * @property {[number, [string, string]][]} events
 * @property {[number, string][]} notable
 * @property {number[]} lines
 * @property {number[]} session this and the next are empty where no entry started one
 * @property {SubSession[]} sessions
 * @property {number[]} packs
 * @property {BranchColumns[][]} branches of each session
 * @property {[number, string][]} excerpts
 * @property {[string, string, string][]} endings name and words of each state that a branch ended in, and what came right before
 * @property {string[]} files
 * @property {[number, number[]][]} touched twice a file's place in the list for one that was read, that plus 1 for one that was changed
 * @property {[number, SpentColumns][]} spent of the path to each fork and leaf
 * @property {CallColumns} [calls] where any response reports tokens
 * @property {[number, string][]} drawnLabels the labels that are drawn with marks for invisible characters
 */

/** @typedef {[number, number, number, number, number, number, number]} BranchColumns leaf, entries of its own, entry with its last words, with its last label, its own first prompt, its last entry of the work, its place in `endings` */

/** @typedef {[number, number, number, number, number, number?]} SpentColumns tokens in, out, read from a cache, written to one; dollars; how much of them was computed from prices */

/**
 * @typedef {object} CallColumns the calls of the model that report tokens sent
 * @property {number[]} entries ascending
 * @property {number[][]} tokens of each: in, read from a cache, written to one, out; and the window, where one is known
 */

/**
 * @typedef {object} SubSession a session of the page; number 0 is the outermost
 * @property {string} name
 * @property {string} task
 * @property {string} facts how its last answer ended, its entries, its failures; empty where nothing of it is there
 * @property {number} parent the number of the session that started it, -1 for the outermost
 * @property {number} startedBy the entry that started it, -1 for the outermost
 * @property {number} first its first entry; those after it belong to it or to sessions within it
 * @property {number} leaf where it stands
 * @property {number} count its own entries
 * @property {boolean} beside its lines are those of `script#child-sources`
 */

/**
 * @typedef {object} Outline
 * @property {number} count
 * @property {string[]} keys
 * @property {Map<string, number>} byKey
 * @property {Map<string, number>} byFileId what else the entries are called: the file's own ids, where they differ from the key, and aliases
 * @property {Int32Array} parent -1 for a root
 * @property {Int32Array} prompt how many prompts there are on the path to each
 * @property {Int32Array} end one past the last entry of the subtree
 * @property {Int32Array} newest the newest leaf below, itself if childless
 * @property {number} leaf the leaf to open with
 * @property {number} target the entry to open at, -1 for the top
 * @property {string} filter
 * @property {boolean} keepsLabels
 * @property {string[]} text what each says, without who speaks
 * @property {Map<number, string>} labels as written; `labelText` is what is drawn
 * @property {Map<number, string>} drawnLabels
 * @property {Uint8Array} modes the filters that show it, by `FILTER_BITS`
 * @property {number[]} words
 * @property {string[]} wordTable
 * @property {RawContext} context
 * @property {(number | null)[]} time
 * @property {string[]} kinds
 * @property {number[]} kind index into `kinds`
 * @property {Uint16Array} marks bits: prompt, landmark, failure, compaction, one of several branches, without text, kinds of landmarks, worth a look
 * @property {Uint8Array} roles what each is to its turn: 0 a prompt, 1 a response, 2 a step, 3 a divider
 * @property {number[]} textLines about how many lines the text of each takes on a wide screen
 * @property {number[]} phoneLines how many more on a phone
 * @property {Int32Array} run the first entry of the run of steps that each is one of, -1 for none
 * @property {ReadonlySet<number>} asides the first entries of runs that hold no step: settings, and what no person saw
 * @property {Int32Array} quiet the same of entries in a row that no person ever saw
 * @property {Map<number, number>} cards the first of such entries that belong to a call, and the result whose card has their line
 * @property {Map<number, number[]>} progress the same by the result
 * @property {Map<number, string[]>} tools the tool of a result, the tools that a turn calls
 * @property {ReadonlyMap<number, number[]>} steps by the first entry of a run: how many steps it has, lines below its own, failures, stops, notable calls, lines that its edits added, removed, and 1 where some edit is not exact; without the last zeros
 * @property {ReadonlyMap<number, [string, string]>} events what rows say beside steps that are collapsed of what an entry did to the world: an icon, and words
 * @property {ReadonlyMap<number, string>} notable why entries are worth a look
 * @property {Map<string, string>} toolIcons what stands before the rows of a tool, by its name
 * @property {Map<number, number>} labelTimes when the label was set
 * @property {number[]} lines the number of each entry's line in its source element, from 1; empty where the page does not say; 0 for an entry that stands in none
 * @property {Int32Array} session the number of each entry's session
 * @property {SubSession[]} sessions empty where there is only one
 * @property {number[]} packs the first entry of each pack
 * @property {BranchColumns[][]} branches the leaves of each session in the order of their list
 * @property {ReadonlyMap<number, string>} excerpts what entries are named by that begin or end a branch, where that is not the text of the row
 * @property {[string, string, string][]} endings
 * @property {string[]} files
 * @property {Map<number, number[]>} touched the files that a call has read or changed, by entry
 * @property {CallColumns | undefined} calls
 * @property {Map<number, SpentColumns>} spent by entry; nothing where nothing was spent
 */

/**
 * @param {RawOutline} raw
 * @returns {Outline}
 */
export function readOutline(raw) {
    const parent = Int32Array.from(raw.parent);
    const run = firstsOf(raw.runs);
    return {
        count: raw.keys.length,
        keys: raw.keys,
        byKey: new Map(raw.keys.map((key, n) => [key, n])),
        byFileId: new Map(raw.ids.map(([n, id]) => [id, n])),
        parent,
        prompt: promptNumbers(parent, raw.marks),
        end: subtreeEnds(parent),
        newest: Int32Array.from(raw.newest),
        leaf: raw.leaf,
        target: raw.target,
        filter: raw.filter,
        keepsLabels: raw.keepsLabels,
        text: raw.text,
        labels: new Map(raw.labels),
        drawnLabels: new Map(raw.drawnLabels),
        modes: Uint8Array.from(raw.modes),
        words: raw.words,
        wordTable: raw.wordTable,
        context: raw.context,
        time: raw.time,
        kinds: raw.kinds,
        kind: raw.kind,
        marks: Uint16Array.from(raw.marks),
        roles: Uint8Array.from(raw.roles),
        textLines: raw.textLines,
        phoneLines: raw.phoneLines,
        run,
        steps: new Map(raw.steps),
        events: new Map(raw.events),
        notable: new Map(raw.notable),
        asides: new Set(raw.asides),
        quiet: firstsOf(raw.quiet),
        cards: new Map(raw.cards),
        progress: byValue(raw.cards),
        tools: new Map(raw.tools.map(([n, used]) => [n, used.map((tool) => raw.toolNames[tool])])),
        toolIcons: new Map(raw.toolNames.map((name, tool) => [name, raw.toolIcons[tool]])),
        labelTimes: new Map(raw.labelTimes),
        lines: raw.lines,
        session: raw.session.length === 0 ? new Int32Array(raw.keys.length) : Int32Array.from(raw.session),
        sessions: raw.sessions,
        packs: raw.packs,
        branches: raw.branches,
        excerpts: new Map(raw.excerpts),
        endings: raw.endings,
        files: raw.files,
        touched: new Map(raw.touched),
        calls: raw.calls,
        spent: new Map(raw.spent),
    };
}

/**
 * @param {number[]} distances how far before each entry the first one stands, plus 1; 0 for none
 * @returns {Int32Array}
 */
function firstsOf(distances) {
    return Int32Array.from(distances, (distance, n) => (distance === 0 ? -1 : n - distance + 1));
}

/**
 * @param {Int32Array} parent
 * @param {number[]} marks
 * @returns {Int32Array}
 */
function promptNumbers(parent, marks) {
    const numbers = new Int32Array(parent.length);
    parent.forEach((above, n) => {
        numbers[n] = (numbers[above] ?? 0) + (marks[n] & PROMPT);
    });
    return numbers;
}

/**
 * @param {readonly [number, number][]} pairs
 * @returns {Map<number, number[]>}
 */
function byValue(pairs) {
    /** @type {Map<number, number[]>} */
    const found = new Map(pairs.map(([, value]) => [value, []]));
    for (const [key, value] of pairs) {
        found.get(value)?.push(key);
    }
    return found;
}

/**
 * @param {Int32Array} parent
 * @returns {Int32Array}
 */
function subtreeEnds(parent) {
    const end = new Int32Array(parent.length);
    for (let n = parent.length - 1; n >= 0; n--) {
        end[n] = Math.max(end[n], n + 1);
        if (parent[n] >= 0) {
            end[parent[n]] = Math.max(end[parent[n]], end[n]);
        }
    }
    return end;
}
