/**
 * Text as it lies in packs (src/page/wire/pack_text.rs writes it): the lines of the session's files and the articles'
 * markup, both written with control characters for what is JSON's or markup's own.
 */

import { APOSTROPHE, CHILD, ESCAPE, LINE_BEGIN, LINE_END, PIECE_END, QUOTE, REFERENCE, SPAN_END, SPANS, TAG_CLOSE, TAG_OPEN } from "./signs.js";

/** In a fragment: signs of markup. Those of texts stand for themselves. @type {Record<string, string>} */
const IN_FRAGMENTS = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
    [QUOTE]: '"',
    [TAG_OPEN]: "<",
    [TAG_CLOSE]: ">",
    [REFERENCE]: "&",
    [APOSTROPHE]: "'",
};

for (const [at, tag] of ["/span", ...SPANS.map((name) => `span class="${name}"`)].entries()) {
    IN_FRAGMENTS[String.fromCharCode(SPAN_END + at)] = `<${tag}>`;
}

/** @type {Record<string, string>} */
const IN_LINES = { "\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", [ESCAPE]: "\\", [QUOTE]: '"' };

// A line may begin with a byte order mark.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * @param {string} text
 * @returns {string} markup
 */
export function fragmentOf(text) {
    return text.replace(/\u0003[^]|[&<>"'\u0004-\b\u000e-\u001f]/gu, (sign) => (sign[0] === ESCAPE ? shifted(sign) : IN_FRAGMENTS[sign]));
}

/**
 * @param {string} text between tags of a fragment
 * @returns {string} as a reader sees it
 */
export function textOf(text) {
    const bare = text.replace(/[\u000e-\u001f]+/gu, "");
    // Few have any of the others. References are decimal.
    return /[\u0003\u0004\u0007\b]/u.test(bare)
        ? bare.replace(/\u0003[^]|\u0007#(\d+);|[\u0004\u0007\b]/gu, (sign, code) => (code ? String.fromCodePoint(code) : fragmentOf(sign)))
        : bare;
}

/**
 * @param {string} sign
 * @returns {string}
 */
function shifted(sign) {
    return String.fromCharCode(sign.charCodeAt(1) - 64);
}

/**
 * The pieces of a pack, as ranges of its bytes: what is before `fragment` is the line's.
 *
 * @param {Uint8Array} pack
 * @returns {Piece[]}
 */
function piecesOf(pack) {
    const pieces = [];
    for (let at = 0, end; (end = pack.indexOf(PIECE_END, at)) >= 0; at = end + 1) {
        // Nothing where there is no line.
        const line = pack.subarray(at, end).indexOf(LINE_END) + 1;
        pieces.push({ start: at, fragment: at + line, end });
    }
    return pieces;
}

/**
 * @param {Uint8Array} pack
 * @returns {string[]} the fragments, as they lie in it
 */
export function fragmentsOf(pack) {
    return piecesOf(pack).map(({ fragment, end }) => decoder.decode(pack.subarray(fragment, end)));
}

/**
 * What a pack has of an entry, the line before its fragment included.
 *
 * @param {Uint8Array} pack
 * @param {number} nth the number of its piece
 * @returns {Uint8Array}
 */
export function bytesOfPiece(pack, nth) {
    const { start, end } = piecesOf(pack)[nth];
    return pack.subarray(start, end);
}

/**
 * @param {Uint8Array} pack
 * @returns {PackedLine[]}
 */
export function linesOf(pack) {
    const lines = [];
    let isChild = false;
    let number = 0;
    for (const [nth, { start, fragment }] of piecesOf(pack).entries()) {
        if (fragment > start) {
            const begin = pack.indexOf(LINE_BEGIN, start);
            const place = decoder.decode(pack.subarray(start, begin));
            number++;
            if (place !== "") {
                isChild = place.startsWith(CHILD);
                number = Number(isChild ? place.slice(1) : place);
            }
            const text = decoder.decode(pack.subarray(begin + 1, fragment - 1));
            lines.push({ nth, isChild, number, text: text.replace(/[\n\t"\\\u0003\u0004]/gu, (sign) => IN_LINES[sign]) });
        }
    }
    return lines;
}

/**
 * @typedef {object} Piece
 * @property {number} start
 * @property {number} fragment where the article's markup begins
 * @property {number} end
 */

/**
 * @typedef {object} PackedLine
 * @property {number} nth the number of its piece in the pack
 * @property {boolean} isChild whether it is of the sub-sessions' files
 * @property {number} number of the line, from 1
 * @property {string} text as it was written
 */
