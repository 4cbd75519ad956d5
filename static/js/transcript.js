/**
 * The transcript: every entry is an article of the document, in an order in which the path of any leaf is a
 * subsequence. Switching branches hides and shows articles, only those that differ, and never moves one.
 */

/** Articles get their real height when they come near the view, so a scroll is put right for some frames. */
const SETTLE_FRAMES = 6;

/**
 * @typedef {object} Transcript
 * @property {(leaf: number, listed: Uint8Array | null) => void} show the path of a leaf, or only what is listed of it
 * @property {(n: number) => void} markTarget -1 for none
 * @property {Pane} pane
 * @property {() => {shown: number, path: number}} counts articles on show, and on the path
 * @property {ArticleOf} articleOf
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
    const findScrollers = makeScrollerFinder(root);
    /** @type {(ContextState | undefined)[]} */
    const states = new Array(outline.count);
    // What Rust left unhidden: the path of the leaf to open with.
    let shown = pathTo(outline, outline.leaf);
    let path = shown;
    let shownLeaf = -1;
    let target = -1;

    return {
        show(leaf, listed) {
            if (leaf !== shownLeaf) {
                shownLeaf = leaf;
                const context = foldContext(outline, facts, leaf);
                path = context.path;
                path.forEach((n, at) => {
                    if (states[n] !== context.states[at]) {
                        states[n] = context.states[at];
                        articles[n].dataset.context = context.states[at];
                    }
                });
            }
            const wanted = listed === null ? path : path.filter((n) => listed[n] === 1);
            switchArticles(articles, shown, wanted);
            shown = wanted;
            // For paper, which has to say what is missing.
            setOrRemove(root, "data-left-out", path.length - shown.length);
            localiseEntries(shown);
            findScrollers(path.map((n) => articles[n]));
        },
        markTarget(n) {
            articles[target]?.classList.remove("target");
            articles[n]?.classList.add("target");
            target = n;
        },
        pane: {
            entries: () => shown,
            elementOf: (n) => articles[n],
            reach: (n) => articles[n],
        },
        counts: () => ({ shown: shown.length, path: path.length }),
        articleOf: (n) => articles[n],
        textOf: (n) => articleText(articles[n]),
    };
}

/**
 * Hides and shows those that differ; both lists ascend.
 *
 * @param {HTMLElement[]} articles
 * @param {number[]} from
 * @param {number[]} to
 */
function switchArticles(articles, from, to) {
    let [old, next] = [0, 0];
    while (old < from.length || next < to.length) {
        const [leaving, coming] = [from[old] ?? Infinity, to[next] ?? Infinity];
        if (leaving < coming) {
            articles[leaving].hidden = true;
        } else if (coming < leaving) {
            articles[coming].hidden = false;
        }
        old += leaving <= coming ? 1 : 0;
        next += coming <= leaving ? 1 : 0;
    }
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {number} count 0 removes it
 */
function setOrRemove(element, name, count) {
    if (count > 0) {
        element.setAttribute(name, String(count));
    } else {
        element.removeAttribute(name);
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
    for (const type of /** @type {const} */ (["wheel", "touchstart", "pointerdown", "keydown"])) {
        listen(window, type, stop, { signal: control.signal, passive: true, capture: true });
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
    listen(article, "animationend", () => article.classList.remove("flash"), { once: true });
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
