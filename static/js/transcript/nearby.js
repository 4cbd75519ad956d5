/** What the script adds to an article when it comes near the view: buttons to copy and to see JSON, pictures. */

import { ANCHOR } from "../address/link.js";
import { listen, makeButton } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { articleText } from "../chunks/text.js";
import { articlesNear } from "./near.js";

/** @import { Articles } from "../chunks/articles.js" */
/** @import { Outline } from "../outline/outline.js" */
/** @import { Notice } from "../ui/notice.js" */
/** @import { Reading } from "./reading.js" */

/** What holds one text, in one piece or in several with folds between them. */
const BOX = "pre, .numbered";

/** What a person asked or the model answered. */
const SPOKEN = "[data-turn-role=prompt], [data-turn-role=response]";

/**
 * @param {Reading} reading
 * @param {(article: HTMLElement, body: Element) => void} dress
 * @returns {() => void} looks again, soon
 */
export function makeNearby(reading, dress) {
    // Bodies, not articles: those of the context view come later than their articles.
    const dressed = new WeakSet();
    const look = oncePerFrame(() => {
        for (const [, article] of articlesNear(reading)) {
            const body = article.querySelector(":scope > .body");
            if (body !== null && !dressed.has(body)) {
                dressed.add(body);
                dress(article, body);
            }
        }
    });
    listen(window, "scroll", look);
    listen(window, "resize", look);
    return look;
}

/**
 * @param {Element} body
 */
export function addCopyButtons(body) {
    for (const pre of body.querySelectorAll("pre:not(.gutter)")) {
        const box = pre.closest(".numbered") ?? pre;
        if (isBeginning(box)) {
            box.before(makeCopyButton());
        }
    }
    const head = body.previousElementSibling;
    if (head?.matches("header") && copiedParts(head).length > 0) {
        // A copy brings along one.
        head.querySelector(".copy-text")?.remove();
        head.prepend(makeCopyButton("copy-text"));
    }
}

/**
 * @param {Element} head of an entry
 * @returns {HTMLElement[]} what a person asked, the model answered, or either ran as a command
 */
function copiedParts(head) {
    const body = head.nextElementSibling;
    const words = head.parentElement?.matches(SPOKEN) ? body?.querySelectorAll(":scope > .md") : undefined;
    const card = body?.querySelector(":scope > .card:has(> summary code)");
    const command = card?.querySelector(".card-body > .code-block pre") ?? card?.querySelector("code");
    return /** @type {HTMLElement[]} */ (words?.length ? [...words] : command ? [command] : []);
}

/**
 * @param {string} [name]
 * @returns {HTMLElement}
 */
export function makeCopyButton(name = "copy-code") {
    const button = makeButton(name, "");
    button.setAttribute("aria-label", "Copy this text");
    return button;
}

/**
 * @param {Element} box
 * @returns {boolean} false too for one that has its button: a copy for the context view
 */
function isBeginning(box) {
    const before = box.previousElementSibling;
    const fold = box.parentElement?.matches(".more") ? box.parentElement : null;
    return fold === null ? before?.matches(".more, .copy-code") !== true : !fold.previousElementSibling?.matches(BOX);
}

/**
 * The text that a button stands before, with what is folded away in it.
 *
 * @param {Element} button
 * @returns {[text: string, boxes: Element[]]}
 */
function copiedText(button) {
    /** @type {Element[]} */
    const boxes = [];
    if (button.matches(".copy-text") && button.parentElement) {
        const parts = copiedParts(button.parentElement);
        return [parts.map((part) => part.innerText).join("\n\n"), parts];
    }
    let box = button.nextElementSibling;
    while (box !== null && (box.matches(".more") || (box.matches(BOX) && boxes.at(-1)?.matches(BOX) !== true))) {
        boxes.push(box);
        box = box.nextElementSibling;
    }
    return [boxes.map((part) => articleText(part, true).replace(/^\n|\n$/gu, "")).join("\n"), boxes];
}

/**
 * @param {HTMLElement} button
 * @param {Notice} notice
 */
export async function copyBox(button, notice) {
    const [text, boxes] = copiedText(button);
    try {
        // Of a long JSON only the beginning may be in the box.
        await navigator.clipboard.writeText(button.dataset.text ?? text);
        notice.mention("Copied");
    } catch {
        // Denied: selected, so that the browser's own copying takes it.
        getSelection()?.setBaseAndExtent(boxes[0], 0, boxes[boxes.length - 1], 1);
        notice.mention("Copying is blocked; the text is selected");
    }
}

/**
 * A picture that occurs again is stored once: this gives the others what the first has.
 *
 * @param {Outline} outline
 * @param {Articles} articles
 * @returns {(within: Element) => Promise<void>}
 */
export function makePictureFiller(outline, articles) {
    /** @type {(image: Element, name: string) => Promise<Element | null | undefined>} */
    const first = async (image, name) => {
        const holder = `img[data-picture="${name}"][src]`;
        const key = image.closest("figure")?.querySelector(`figcaption a[href^="${ANCHOR}"]`)?.getAttribute("href");
        const n = outline.byKey.get(key?.slice(ANCHOR.length) ?? "");
        if (n === undefined) {
            return image.closest("article, .body")?.querySelector(holder);
        }
        await articles.packs.openFor(n);
        return articles.read(n)?.querySelector(holder);
    };
    return async (within) => {
        for (const image of within.querySelectorAll("img[data-picture]:not([src])")) {
            const source = (await first(image, image.getAttribute("data-picture") ?? ""))?.getAttribute("src") ?? "";
            if (source !== "") {
                image.setAttribute("src", source);
                makePictureButton(image);
            }
        }
    };
}

/**
 * @param {Element} image
 */
export function makePictureButton(image) {
    image.setAttribute("role", "button");
    image.setAttribute("tabindex", "0");
}
