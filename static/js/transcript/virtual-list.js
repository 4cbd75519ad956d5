/**
 * The window: the part of a list of entries whose articles are in the document. It moves with the reader and grows
 * while the page is idle; a space above and one below stand for the rest, so that nothing the reader looks at
 * moves, and a list of any length stays within what a browser can scroll.
 */

import { lastAtMost, nearestEntry } from "../base/ascending.js";
import { listen } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { whenIdle } from "../base/slices.js";
import { exchange } from "../chunks/articles.js";
import { JUMP_ROOM, lastAbove, topEdge, topOf } from "./edges.js";
import { settleEye } from "./keep-eye.js";
import { placeAway, roomOf, runAround, WINDOW_AFTER, WINDOW_BEFORE } from "./room.js";
import { makeSpacers } from "./spacers.js";

/** @import { Articles } from "../chunks/articles.js" */

/** Articles that are added at an end that the reader comes near to, and in one idle moment. */
const WINDOW_STEP = 30;
const IDLE_STEP = 12;

/** Of an article, above and below (entry.css). */
const PADDING = 24;

/** The reader is near to an end within so many views of it. */
const NEAR_VIEWS = 2;

/** While idle the window grows to so much, for the browser's own search; not before the reader has rested so long. */
const REST_MS = 2000;
const WINDOW_CHARS = 2_000_000;
const WINDOW_ENTRIES = 3000;

/** Beyond this factor it is cut at the end far from the reader, but no nearer than so many views. */
const CUT_FACTOR = 1.5;
const CUT_VIEWS = 8;

/**
 * @typedef {object} PathWindow
 * @property {(list: number[]) => void} setList shows another list, around the same place
 * @property {() => number[]} list
 * @property {() => [number, number]} span places in the list of the first article in the document, and one past the last
 * @property {() => number[]} placed the entries whose articles are in the document
 * @property {(n: number) => boolean} holds whether an entry's article is in the document
 * @property {(n: number) => boolean} reach moves to an entry of the list; false for another
 * @property {() => void} rest the reader has just done something: growing waits
 * @property {() => Promise<void>} unroll puts the whole list into the document
 * @property {() => void} rollUp goes back to a part of it
 * @property {() => void} refold after other entries take room
 */

/**
 * @typedef {object} WindowWork what others do to its articles
 * @property {(n: number) => number} heightOf about how high an entry is, in pixels; 0 for a part of what a line stands for
 * @property {(n: number, article: HTMLElement) => void} arrive for each that is about to come into the document
 * @property {(article: HTMLElement) => void} prepare for each in the document that got its content
 * @property {(change: () => void) => void} hold changes heights while what is being read stays where it is
 * @property {(scroll: () => void) => void} jump scrolls, and again when heights change, until the reader scrolls
 * @property {() => void} changed after articles have come or gone
 */

/**
 * @param {HTMLElement} root holds the plain articles
 * @param {Articles} articles
 * @param {WindowWork} work
 * @returns {PathWindow}
 */
export function makeWindow(root, articles, work) {
    const { packs } = articles;
    const spacers = makeSpacers(root);
    let list = articles.placed;
    let [from, to] = [0, list.length];
    /** What is in the document: `list.slice(from, to)`, until the next `place`. */
    let placed = list;
    let isWhole = packs.count === 0;
    /** How many entries before each place of the list take room, and about how much. */
    let [room, tall] = roomOf(list, () => 1);
    /** @type {(at: number, count: number) => number} the place that so many entries with room lie before or behind */
    const away = (at, count) => placeAway(room, at, count);
    /**
     * The timer that growing waits for, or began with: another one means that the reader did something since.
     *
     * @type {number | undefined}
     */
    let growing;
    /** @type {Promise<void> | null} */
    let filling = null;
    let isFillWanted = false;

    const isOnShow = () => root.getClientRects().length > 0;
    /** @type {() => number} the place in the list of the entry being read */
    const placeRead = () => Math.max(from, lastAbove(list, articles.elementOf, topEdge() + JUMP_ROOM, [from, to]));
    /**
     * Until it was in view once, the browser takes this for the height of its content.
     *
     * @type {(n: number) => void}
     */
    const expectHeight = (n) => {
        articles.elementOf(n).style.containIntrinsicBlockSize = `auto ${work.heightOf(n) - PADDING}px`;
    };
    /** @type {(nextFrom: number, nextTo: number) => void} */
    const place = (nextFrom, nextTo) => {
        [from, to] = [Math.max(0, nextFrom), Math.min(list.length, nextTo)];
        const next = list.slice(from, to);
        const hadFocus = root.contains(document.activeElement);
        const came = exchange(placed, next, articles, work.arrive, spacers.below);
        placed = next;
        spacers.standFor(tall[from], tall[list.length] - tall[to]);
        for (const n of came) {
            expectHeight(n);
            if (!articles.isPending(n)) {
                work.prepare(articles.elementOf(n));
            }
        }
        if (hadFocus && !root.contains(document.activeElement) && placed.length > 0) {
            articles.elementOf(list[placeRead()]).focus({ preventScroll: true });
        }
        fillSoon();
    };
    /**
     * The same while the reader reads: the space above gives way, so nothing moves and nothing is painted anew.
     * Only what it cannot give is made up for by scrolling.
     *
     * @type {(nextFrom: number, nextTo: number) => void}
     */
    const placeAround = (nextFrom, nextTo) => {
        work.hold(() => {
            const stays = articles.elementOf(list[Math.max(from, nextFrom)]);
            const before = stays.offsetTop;
            place(nextFrom, nextTo);
            if (from > 0) {
                spacers.giveAbove(stays.offsetTop - before);
            }
        });
    };
    /** Opens the packs of articles that stand empty, that of the one being read first. */
    const fill = async () => {
        for (;;) {
            const empty = placed.filter(articles.isPending);
            if (empty.length === 0) {
                return;
            }
            const here = lastAbove(placed, articles.elementOf, innerHeight / 2, [0, placed.length]);
            const next = nearestEntry(empty, placed[Math.max(0, here)]);
            await packs.openFor(next);
            const ready = placed.filter((n) => articles.isPending(n) && packs.packOf(n) === packs.packOf(next));
            let filled = 0;
            work.hold(() => {
                for (const n of ready.filter(articles.fill)) {
                    work.prepare(articles.elementOf(n));
                    filled++;
                }
            });
            work.changed();
            // The reader may have gone elsewhere meanwhile; but a pack that gives nothing gives no more the next time.
            if (filled === 0 && ready.length > 0) {
                return;
            }
            if (!isWhole && !document.hidden) {
                // Pack after pack would make one long frame.
                await new Promise(requestAnimationFrame);
            }
        }
    };
    const fillSoon = () => {
        // Else one that has just come to its end would be taken for one that still sees what is placed now.
        isFillWanted = true;
        filling ??= fillWhileWanted();
    };
    const fillWhileWanted = async () => {
        try {
            while (isFillWanted) {
                isFillWanted = false;
                await fill();
            }
        } finally {
            filling = null;
        }
    };
    const follow = () => {
        if (isWhole || !isOnShow()) {
            return;
        }
        settleEye();
        const [top, bottom] = spacers.edges();
        const near = NEAR_VIEWS * innerHeight;
        if (bottom < 0 || top > innerHeight) {
            moveInto(top, bottom);
        } else if (to < list.length && bottom < innerHeight + near) {
            placeAround(from, away(to, WINDOW_STEP));
        } else if (from > 0 && top > -near) {
            placeAround(away(from, -WINDOW_STEP), to);
        } else {
            return;
        }
        cut();
        work.changed();
        growSoon();
        // What came may take no room.
        followSoon();
    };
    /**
     * The reader has scrolled into a space: the window goes there. The scroll bar, which may be held, must not move.
     *
     * @type {(top: number, bottom: number) => void}
     */
    const moveInto = (top, bottom) => {
        const middle = innerHeight / 2;
        const isAbove = top > middle;
        const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
        const [above, below] = spacers.heights();
        const [beyond, space] = isAbove ? [top - middle, above] : [middle - bottom, below];
        const share = Math.min(1, beyond / Math.max(1, space));
        const y = isAbove ? tall[from] * (1 - share) : tall[to] + (tall[list.length] - tall[to]) * share;
        const at = Math.max(0, lastAtMost(tall, y));
        const n = list[Math.min(list.length - 1, at)];
        place(away(at, -WINDOW_BEFORE), away(at, WINDOW_AFTER));
        if (from > 0) {
            spacers.giveAbove(topOf(articles.elementOf(n)) - middle);
        }
        if (isEnd) {
            // Heights there become known only now, and the end is still where the reader wants to be.
            work.jump(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
        }
    };
    const cut = () => {
        if (to - from <= CUT_FACTOR * WINDOW_ENTRIES && charsOf() <= CUT_FACTOR * WINDOW_CHARS) {
            return;
        }
        const far = CUT_VIEWS * innerHeight;
        const first = Math.max(from, lastAbove(list, articles.elementOf, -far, [from, to]));
        const last = Math.min(to, lastAbove(list, articles.elementOf, innerHeight + far, [from, to]) + 1);
        /** @type {[number, number]} */
        const [nextFrom, nextTo] = first - from > to - last ? [first, to] : [from, last];
        placeAround(nextFrom, nextTo);
    };
    const charsOf = () => placed.reduce((chars, n) => chars + articles.sizeOf(n), 0);
    const grow = async () => {
        const wanted = to < list.length ? to : from - 1;
        const isFull = to - from >= WINDOW_ENTRIES || charsOf() >= WINDOW_CHARS;
        if (isWhole || isFull || wanted < 0 || !isOnShow()) {
            return;
        }
        const mine = growing;
        await packs.openFor(list[wanted]);
        // Meanwhile the reader may have gone elsewhere.
        if (mine !== growing) {
            return;
        }
        if (wanted === to || wanted === from - 1) {
            placeAround(wanted === to ? from : away(from, -IDLE_STEP), wanted === to ? away(to, IDLE_STEP) : to);
            work.changed();
        }
        growOn();
    };
    const growSoon = () => {
        clearTimeout(growing);
        growing = setTimeout(growOn, REST_MS);
    };
    const growOn = () => {
        const mine = growing;
        whenIdle(() => {
            if (growing === mine) {
                void grow();
            }
        });
    };
    /** @type {(n: number) => number} its place in the list, -1 where it is not in the document */
    const placeOf = (n) => {
        const at = lastAtMost(list, n);
        return list[at] === n && at >= from && at < to ? at : -1;
    };
    const followSoon = oncePerFrame(follow);
    listen(window, "scroll", followSoon);
    listen(window, "resize", followSoon);

    return {
        setList(next) {
            const eye = placed[lastAbove(placed, articles.elementOf, topEdge() + JUMP_ROOM, [0, placed.length])] ?? -1;
            list = next;
            [room, tall] = roomOf(list, work.heightOf);
            const at = Math.max(0, lastAtMost(list, eye));
            const [nextFrom, nextTo] = isWhole ? [0, list.length] : runAround(list, room, at, new Set(placed));
            place(nextFrom, nextTo);
        },
        list: () => list,
        span: () => [from, to],
        placed: () => placed,
        holds: (n) => placeOf(n) >= 0,
        reach(n) {
            const at = lastAtMost(list, n);
            if (list[at] !== n) {
                return false;
            }
            if (at < from || at >= to) {
                const isNear = at >= from - WINDOW_STEP && at < to + WINDOW_STEP;
                place(Math.min(isNear ? from : at, away(at, -WINDOW_BEFORE)), Math.max(isNear ? to : at, away(at, WINDOW_AFTER)));
                growSoon();
            }
            return true;
        },
        rest: growSoon,
        refold() {
            const at = placeRead();
            [room, tall] = roomOf(list, work.heightOf);
            // All that is in the document is drawn anew: only what is near the reader stays in it.
            const [nextFrom, nextTo] = isWhole ? [0, list.length] : runAround(list, room, at, new Set());
            place(Math.max(from, nextFrom), Math.max(nextFrom + 1, Math.min(to, nextTo)));
            placed.forEach(expectHeight);
            followSoon();
        },
        async unroll() {
            isWhole = true;
            place(0, list.length);
            await filling;
        },
        rollUp() {
            if (isWhole && packs.count > 0) {
                isWhole = false;
                const at = placeRead();
                work.hold(() => place(away(at, -WINDOW_BEFORE), away(at, WINDOW_AFTER)));
                growSoon();
            }
        },
    };
}
