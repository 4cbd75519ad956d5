/**
 * The transcript: every entry is an article of the document, in an order in which the path of any leaf is a
 * subsequence. Switching branches hides and shows articles, only those that differ, and never moves one.
 */

/** Articles get their real height when they come near the view, so a scroll is put right for some frames. */
const SETTLE_FRAMES = 6;

/**
 * @typedef {object} Transcript
 * @property {(leaf: number) => void} show
 * @property {(n: number) => void} goTo scrolls to an entry of the path on show and flashes it
 * @property {(n: number) => void} markTarget -1 for none
 * @property {(n: number) => void} focus
 * @property {() => ScrollMark | null} scrollMark
 * @property {(mark: ScrollMark) => void} restore
 * @property {(n: number) => string} textOf
 */

/**
 * @param {HTMLElement} root
 * @param {Outline} outline
 * @returns {Transcript}
 */
function makeTranscript(root, outline) {
    const articles = /** @type {HTMLElement[]} */ (Array.from(root.children));
    if (articles.length !== outline.count) {
        throw new Error(`the outline has ${outline.count} entries, the transcript ${articles.length} articles`);
    }
    const facts = readContextFacts(outline.context);
    const localiseEntries = makeLocaliser(ENTRY_TIME, (n) => articles[n].firstElementChild?.querySelector("time"));
    /** @type {(ContextState | undefined)[]} */
    const states = new Array(outline.count);
    // What Rust left unhidden: the path of the leaf to open with.
    let path = pathTo(outline, outline.leaf);
    let target = -1;

    return {
        show(leaf) {
            const context = foldContext(outline, facts, leaf);
            switchPath(articles, path, context.path);
            path = context.path;
            path.forEach((n, at) => {
                if (states[n] !== context.states[at]) {
                    states[n] = context.states[at];
                    articles[n].dataset.context = context.states[at];
                }
            });
            localiseEntries(path);
        },
        goTo(n) {
            settle(() => articles[n].scrollIntoView({ block: "start" }));
            flash(articles[n]);
        },
        markTarget(n) {
            articles[target]?.classList.remove("target");
            articles[n]?.classList.add("target");
            target = n;
        },
        focus: (n) => articles[n].focus({ preventScroll: true }),
        scrollMark: () => markAtTop(root),
        restore(mark) {
            const article = articles[outline.byKey.get(mark.at) ?? -1];
            if (article !== undefined && !article.hidden) {
                settle(() => scrollBy(0, article.getBoundingClientRect().top - mark.offset));
            }
        },
        textOf: (n) => articleText(articles[n]),
    };
}

/**
 * Paths of one tree share their beginning and nothing after it.
 *
 * @param {HTMLElement[]} articles
 * @param {number[]} from
 * @param {number[]} to
 */
function switchPath(articles, from, to) {
    let same = 0;
    while (same < from.length && from[same] === to[same]) {
        same++;
    }
    for (const n of from.slice(same)) {
        articles[n].hidden = true;
    }
    for (const n of to.slice(same)) {
        articles[n].hidden = false;
    }
}

/** Ends the settling that still goes on. */
let stopSettling = () => {};

/**
 * Scrolls, and again in the next frames, until heights are known or the reader takes over.
 *
 * @param {() => void} scroll
 */
function settle(scroll) {
    stopSettling();
    const control = new AbortController();
    const stop = () => control.abort();
    stopSettling = stop;
    for (const type of ["wheel", "touchstart", "pointerdown", "keydown"]) {
        addEventListener(type, stop, { signal: control.signal, passive: true, capture: true });
    }
    let frames = SETTLE_FRAMES;
    const frame = () => {
        if (control.signal.aborted) {
            return;
        }
        scroll();
        if (--frames > 0) {
            requestAnimationFrame(frame);
        } else {
            stop();
        }
    };
    frame();
}

/** @type {HTMLElement | null} */
let flashing = null;

/**
 * @param {HTMLElement} article
 */
function flash(article) {
    // A hidden article never ends its animation, and would begin it again when next shown.
    flashing?.classList.remove("flash");
    flashing = article;
    // Without a layout in between, taking a class away and giving it back starts no new animation.
    void article.offsetWidth;
    article.classList.add("flash");
    article.addEventListener("animationend", () => article.classList.remove("flash"), { once: true });
}

/**
 * @param {HTMLElement} root
 * @returns {ScrollMark | null}
 */
function markAtTop(root) {
    const box = root.getBoundingClientRect();
    const top = byId("topbar").getBoundingClientRect().bottom;
    // Between two entries there may be a gap; a little lower there is none.
    for (const y of [top + 1, top + 25]) {
        const article = document.elementFromPoint(box.left + box.width / 2, y)?.closest("article");
        if (article !== null && article !== undefined) {
            return { at: article.id.slice("entry-".length), offset: article.getBoundingClientRect().top };
        }
    }
    return null;
}

/**
 * The result of a tool call that lies on the path on show; every branch has its own.
 *
 * @param {Outline} outline
 * @param {string} keys
 * @param {number} leaf
 * @returns {number} -1 when there is none
 */
function resultOnPath(outline, keys, leaf) {
    const results = keys.split(" ").map((key) => outline.byKey.get(key) ?? -1);
    return results.find((n) => n >= 0 && isOnPath(outline, n, leaf)) ?? -1;
}
