/**
 * Packs: the fragments of entries that are no plain articles of the document, compressed, a run of entries each.
 *
 * A pack is opened when something needs one of its entries, and its texts are kept until others were needed more.
 */

import { lastAtMost } from "../base/ascending.js";
import { bytesIn } from "./arrived.js";
import { bytesOfPiece, fragmentsOf, linesOf } from "./pack-text.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { PackedLine } from "./pack-text.js" */

/** Texts of opened packs that are kept, in characters: a few dozen screens around every place lately visited. */
const KEPT_CHARS = 12_000_000;

/** However long their texts are, so many are kept: whoever needs two at one time would else open them for ever. */
const KEPT_PACKS = 2;

/**
 * @typedef {object} Packs
 * @property {number} count
 * @property {(n: number) => string | undefined} fragment of an entry as it lies in its pack, where that is open
 * @property {(n: number) => boolean} isOpen
 * @property {(n: number) => Promise<string | undefined>} lineOf the line of the session's files beside an entry's
 *     fragment; undefined where none is; rejected where the pack is damaged
 * @property {(n: number) => Promise<Uint8Array>} pieceOf what a pack has of an entry, as it lies in it; rejected where it
 *     is damaged
 * @property {(pack: number) => Promise<PackedLine[]>} lines all such lines of a pack
 * @property {(n: number) => Promise<void>} openFor opens the pack of an entry; it may turn out to be damaged
 * @property {(n: number) => Promise<void>} openForAndNext the same, and the pack behind it for what comes next
 * @property {() => Promise<unknown>} openAll
 * @property {(n: number) => boolean} isBroken whether its pack was found damaged
 * @property {(n: number) => number} packOf the number of an entry's pack, -1 for a plain entry
 */

/**
 * @param {Outline} outline
 * @param {(n: number) => boolean} isPlain
 * @returns {Packs}
 */
export function makePacks(outline, isPlain) {
    const firsts = outline.packs;
    /** @type {Map<number, Map<number, string>>} the opened ones, those used last at the end */
    const opened = new Map();
    /** @type {Map<number, Promise<void>>} */
    const opening = new Map();
    const broken = new Set();
    let kept = 0;

    /** @type {(n: number) => number} */
    const packOf = (n) => (isPlain(n) ? -1 : lastAtMost(firsts, n));
    /** The number of an entry's piece in its pack. @type {(n: number) => number} */
    const nthOf = (n) => {
        const first = firsts[packOf(n)];
        return Array.from({ length: n - first }, (_, at) => first + at).filter((other) => !isPlain(other)).length;
    };
    /** @type {(pack: number, fragments: Map<number, string>) => void} */
    const keep = (pack, fragments) => {
        opened.set(pack, fragments);
        kept += charsOf(fragments);
        for (const [other, texts] of opened) {
            if (kept <= KEPT_CHARS || opened.size <= KEPT_PACKS) {
                break;
            }
            opened.delete(other);
            kept -= charsOf(texts);
        }
    };
    /** @type {(pack: number) => Promise<void>} */
    const read = async (pack) => {
        const texts = await bytesIn(`pack-${pack}`).then(fragmentsOf, () => null);
        /** @type {Map<number, string>} */
        const fragments = new Map();
        for (let n = firsts[pack]; n < (firsts[pack + 1] ?? outline.count); n++) {
            if (!isPlain(n)) {
                fragments.set(n, texts?.[fragments.size] ?? "");
            }
        }
        if (fragments.size === texts?.length) {
            keep(pack, fragments);
        } else {
            broken.add(pack);
        }
        opening.delete(pack);
    };
    /** @type {(pack: number) => Promise<void>} */
    const open = (pack) => {
        if (pack < 0 || pack >= firsts.length || opened.has(pack) || broken.has(pack)) {
            return Promise.resolve();
        }
        const running = opening.get(pack) ?? read(pack);
        opening.set(pack, running);
        return running;
    };
    return {
        count: firsts.length,
        packOf,
        isOpen: (n) => opened.has(packOf(n)),
        async lineOf(n) {
            const pack = packOf(n);
            if (pack < 0) {
                return undefined;
            }
            const nth = nthOf(n);
            return linesOf(await bytesIn(`pack-${pack}`)).find((line) => line.nth === nth)?.text;
        },
        pieceOf: async (n) => bytesOfPiece(await bytesIn(`pack-${packOf(n)}`), nthOf(n)),
        lines: async (pack) => linesOf(await bytesIn(`pack-${pack}`)),
        fragment(n) {
            const pack = packOf(n);
            const fragments = opened.get(pack);
            if (fragments !== undefined) {
                opened.delete(pack);
                opened.set(pack, fragments);
            }
            return fragments?.get(n);
        },
        openFor: (n) => open(packOf(n)),
        openAll: () => Promise.all(firsts.map((_, pack) => open(pack))),
        openForAndNext(n) {
            const pack = packOf(n);
            const ready = open(pack);
            void open(pack + 1);
            return ready;
        },
        isBroken: (n) => broken.has(packOf(n)),
    };
}

/**
 * @param {Map<number, string>} fragments
 * @returns {number}
 */
function charsOf(fragments) {
    let chars = 0;
    for (const text of fragments.values()) {
        chars += text.length;
    }
    return chars;
}
