/** The articles of entries: plain ones from the document, the others built from their packs. */

import { make } from "../base/dom.js";
import { rowText } from "../outline/texts.js";
import { elementOfFragment, fragmentText } from "./fragments.js";
import { makePacks } from "./packs.js";
import { articleText } from "./text.js";

/** @import { Outline } from "../outline/outline.js" */
/** @import { Packs } from "./packs.js" */

/** Markup of an article that was not built from its pack, in characters. */
const USUAL_CHARS = 1500;

/**
 * @typedef {object} Articles
 * @property {Packs} packs
 * @property {number[]} placed entries whose articles the document came with, whole or with lines only
 * @property {(n: number) => HTMLElement} elementOf the article to be put into the document; without content while its pack is shut
 * @property {(n: number) => boolean} fill gives a built article its content; false while its pack is shut
 * @property {(n: number) => boolean} isPending whether a built article still waits for its content
 * @property {(n: number) => void} drop forgets a built article that left the document
 * @property {(n: number) => HTMLElement | undefined} read the whole article, to copy from; undefined while its pack is shut
 * @property {(n: number) => boolean} isShut whether its pack must be opened before it can be read
 * @property {(n: number) => number} sizeOf characters of its markup, about
 * @property {(n: number) => string | undefined} textOf what search sees; undefined while its pack is shut
 */

/**
 * @param {HTMLElement} root
 * @param {Outline} outline
 * @returns {Articles}
 */
export function makeArticles(root, outline) {
    /** @type {Map<number, HTMLElement>} whole ones */
    const plain = new Map();
    /** @type {Map<number, HTMLElement>} shown, beside the plain ones: at first those that came with lines only */
    const built = new Map();
    for (const article of root.querySelectorAll("article")) {
        const n = outline.byKey.get(keyOfArticle(article));
        if (n === undefined) {
            throw new Error("an article is unknown");
        }
        (article.querySelector(".copy-link") ? plain : built).set(n, article);
    }
    const packs = makePacks(outline, (n) => plain.has(n));
    for (let n = 0; n < (outline.packs[0] ?? outline.count); n++) {
        if (!plain.has(n)) {
            throw new Error(`no article of ${outline.keys[n]}`);
        }
    }
    const pending = new Set(built.keys());
    /** @type {Map<number, number>} */
    const sizes = new Map();

    /** @type {(n: number) => HTMLElement | undefined} */
    const parsed = (n) => {
        const fragment = packs.fragment(n);
        if (fragment !== undefined) {
            sizes.set(n, fragment.length);
            return elementOfFragment(fragment);
        }
        return packs.isBroken(n) ? damagedArticle(outline, n) : undefined;
    };
    /** @type {(n: number) => HTMLElement} */
    const build = (n) => {
        const whole = parsed(n);
        if (whole === undefined) {
            pending.add(n);
        }
        return whole ?? emptyArticle(outline, n);
    };
    return {
        packs,
        placed: [...plain.keys(), ...built.keys()].sort((a, b) => a - b),
        elementOf(n) {
            const article = plain.get(n) ?? built.get(n) ?? build(n);
            if (!plain.has(n)) {
                built.set(n, article);
            }
            return article;
        },
        fill(n) {
            const [article, whole] = [built.get(n), parsed(n)];
            if (article === undefined || whole === undefined) {
                return false;
            }
            pending.delete(n);
            article.classList.add(...whole.classList);
            article.removeAttribute("aria-busy");
            article.replaceChildren(...whole.childNodes);
            return true;
        },
        isPending: (n) => pending.has(n),
        drop(n) {
            built.delete(n);
            pending.delete(n);
        },
        read: (n) => plain.get(n) ?? (pending.has(n) ? undefined : built.get(n)) ?? parsed(n),
        isShut: (n) => !plain.has(n) && !packs.isOpen(n) && !packs.isBroken(n),
        sizeOf: (n) => sizes.get(n) ?? USUAL_CHARS,
        textOf(n) {
            const article = plain.get(n);
            if (article !== undefined) {
                return articleText(article);
            }
            const fragment = packs.fragment(n);
            return fragment === undefined ? (packs.isBroken(n) ? "" : undefined) : fragmentText(fragment);
        },
    };
}

/**
 * Puts the articles of other entries into the document; those of both stay as they are. Both lists ascend.
 *
 * @param {number[]} old
 * @param {number[]} next
 * @param {Articles} articles
 * @param {(n: number, article: HTMLElement) => void} arrive
 * @param {Element} end what stands behind the last article
 * @returns {number[]} those that came, from the end
 */
export function exchange(old, next, articles, arrive, end) {
    const came = [];
    let [gone, kept] = [old.length - 1, next.length - 1];
    let before = end;
    while (gone >= 0 || kept >= 0) {
        const [leaving, staying] = [old[gone] ?? -1, next[kept] ?? -1];
        if (leaving > staying) {
            articles.elementOf(leaving).remove();
            articles.drop(leaving);
            gone--;
            continue;
        }
        const article = articles.elementOf(staying);
        arrive(staying, article);
        if (leaving < staying) {
            before.before(article);
            came.push(staying);
        } else {
            gone--;
        }
        before = article;
        kept--;
    }
    return came;
}

/**
 * Stands in an entry's place until its pack is open; what arrives goes into it, so that focus and jumps stay.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {HTMLElement}
 */
function emptyArticle(outline, n) {
    const article = make("article", "");
    article.id = `entry-${outline.keys[n]}`;
    article.tabIndex = -1;
    article.dataset.kind = outline.kinds[outline.kind[n]];
    article.setAttribute("aria-busy", "true");
    return article;
}

/**
 * @param {Outline} outline
 * @param {number} n
 * @returns {HTMLElement}
 */
function damagedArticle(outline, n) {
    const article = emptyArticle(outline, n);
    article.removeAttribute("aria-busy");
    const body = make("div", "body");
    const note = make("p", "note damaged-pack", "This part of the page is damaged. The entry cannot be shown. Its row in the tree: ");
    note.dataset.ui = "";
    body.append(note, make("p", "", rowText(outline, n)));
    article.append(body);
    return article;
}

/**
 * The entry of an article, or of a copy of one.
 *
 * @param {Element | null | undefined} article
 * @returns {string}
 */
export function keyOfArticle(article) {
    return article instanceof HTMLElement ? article.dataset.entry ?? article.id.slice("entry-".length) : "";
}
