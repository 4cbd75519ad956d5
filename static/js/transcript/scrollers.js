/**
 * Code and tables that scroll sideways can be focused, so that arrow keys scroll them.
 *
 * Whether they scroll is estimated from the length of their lines: measuring would lay out all that the browser
 * rightly leaves alone. Only those that scroll become tab stops.
 */

import { runInSlices } from "../base/slices.js";

/** Of the font size; more than in most fixed-width fonts, so that a doubtful one is a tab stop. */
const LETTER_WIDTH = 0.64;

/** Font size in rem and paddings in px, as in entry.css and code.css. */
const CODE_SIZE = 0.8125;
const CODE_PADDINGS = 80;

/**
 * @param {HTMLElement} root whose width is the text's
 * @param {() => Iterable<HTMLElement>} live articles to look at again when it changes
 * @returns {(article: HTMLElement) => void} looks at one
 */
export function makeScrollerFinder(root, live) {
    let width = root.clientWidth;
    let limit = lettersIn(width);
    let stop = () => {};
    new ResizeObserver(() => {
        if (root.clientWidth === width || root.clientWidth === 0) {
            return;
        }
        width = root.clientWidth;
        limit = lettersIn(width);
        stop();
        const articles = live()[Symbol.iterator]();
        stop = runInSlices({
            step() {
                const { value, done } = articles.next();
                if (done !== true) {
                    makeScrollersFocusable(value, limit);
                }
                return done !== true;
            },
        });
    }).observe(root);
    return (article) => makeScrollersFocusable(article, limit);
}

/**
 * @param {number} width
 * @returns {number}
 */
export function lettersIn(width) {
    const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    return Math.max(10, Math.floor((width - CODE_PADDINGS) / (size * CODE_SIZE * LETTER_WIDTH)));
}

/**
 * @param {Element} article
 * @param {number} limit letters that fit a line
 */
export function makeScrollersFocusable(article, limit) {
    for (const element of article.querySelectorAll("pre, .table")) {
        const isTable = element.tagName !== "PRE";
        if (isTable ? hasLongRow(element, limit) : hasLongLine(element.textContent ?? "", limit)) {
            element.setAttribute("tabindex", "0");
        } else {
            element.removeAttribute("tabindex");
        }
    }
}

/**
 * @param {string} text
 * @param {number} limit
 * @returns {boolean}
 */
function hasLongLine(text, limit) {
    let from = 0;
    while (from < text.length) {
        const end = text.indexOf("\n", from);
        const line = text.slice(from, end < 0 ? text.length : end);
        // A letter outside Latin may be two wide, a tab eight.
        if (line.length > limit || (line.length * 2 > limit && /[^\x20-\u024f]/u.test(line))) {
            return true;
        }
        from += line.length + 1;
    }
    return false;
}

/**
 * Cells wrap, so a table rarely scrolls; one with many columns may, or with words that cannot be broken.
 *
 * @param {Element} table
 * @param {number} limit
 * @returns {boolean}
 */
function hasLongRow(table, limit) {
    for (const row of table.querySelectorAll("tr")) {
        let letters = 0;
        for (const cell of row.children) {
            // A column takes a few letters whatever it holds, and its longest word whole.
            letters += Math.max(12, 1.5 * longestWord(cell.textContent ?? "") + 4);
        }
        if (letters > limit) {
            return true;
        }
    }
    return false;
}

/**
 * @param {string} text
 * @returns {number}
 */
function longestWord(text) {
    return text.split(/\p{White_Space}+/u).reduce((longest, word) => Math.max(longest, word.length), 0);
}
