/** What the actions work with. */

/** @import { AddressBar } from "../address/history.js" */
/** @import { Trail } from "../address/trail.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Searcher } from "../search/searcher.js" */
/** @import { Store } from "../state/state.js" */
/** @import { SessionFile } from "../chunks/session-file.js" */
/** @import { Markdown } from "../transcript/markdown.js" */
/** @import { Raw } from "../transcript/raw.js" */
/** @import { Pane, Reading } from "../transcript/reading.js" */
/** @import { Transcript } from "../transcript/transcript.js" */
/** @import { Notice } from "../ui/notice.js" */

/**
 * @typedef {object} ContextList what the actions use of the context view
 * @property {(leaf: number, n: number) => boolean} holds whether the entry is in the list for that leaf
 * @property {() => Promise<void>} finish copies all that is missing, for print
 * @property {() => boolean} isComplete
 *
 * @typedef {object} ChangesList what the actions use of the view Changes
 * @property {(n: number) => boolean} holds whether an entry is a prompt that changed something
 * @property {(step: 1 | -1) => boolean} stepFile
 * @property {(file: string) => Promise<void>} goToFile
 * @property {(n: number) => Promise<void>} goToStop goes to the last prompt with changes at or before an entry
 * @property {(at: number) => string | undefined} place "3 of 12", by the place of the entry being read; undefined while another view is shown
 * @property {() => () => void} hold gives what brings the reader, in the other order, to the same file and hunk
 * @property {() => Promise<unknown>} load
 * @property {() => Promise<void>} finish makes all that is missing, for print
 *
 * @typedef {object} Comparison what the actions use of a comparison
 * @property {(n: number) => boolean} holds whether an entry is on either side
 * @property {() => {pane: Pane, articles: () => HTMLElement[]}[]} sides none while nothing is compared
 */

/**
 * @typedef {object} Parts
 * @property {Outline} outline
 * @property {Store} store
 * @property {Searcher} searcher
 * @property {Transcript} transcript
 * @property {ContextList} contextView
 * @property {ChangesList | null} changes null where the session edited no files
 * @property {Comparison | null} compare
 * @property {Reading} reading
 * @property {Trail} trail
 * @property {AddressBar} addressBar
 * @property {Notice} notice
 * @property {SessionFile} sessionFile
 * @property {Markdown} markdown
 * @property {Raw} raw
 * @property {(within: Element) => Promise<void>} fillPictures
 */
