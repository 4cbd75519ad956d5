/**
 * Marks of the searched words in the text, in articles near the view only.
 *
 * Found in the same text that search sees: all text of an article joined, without what the page itself added.
 */

/** Beyond so many in one article a mark no longer tells the reader anything. */
const MARKS_EACH = 400;

/** Of a longer article only the beginning is marked: the work must stay within a frame. */
const MARKED_LENGTH = 1_000_000;

/** A first mark lower than this is brought up. */
const MARK_ROOM = 96;

/** Articles so far outside the view, in views, are marked too. */
const MARK_AHEAD = 1;

/**
 * @typedef {object} Marker
 * @property {(state: Readonly<State>, patterns: RegExp[]) => void} show
 * @property {() => void} look marks articles that have come
 * @property {(n: number) => DOMRect | null} open opens the folds around an entry's marks; where the first stands
 */

/**
 * @param {Reading} reading
 * @returns {Marker}
 */
function makeMarker(reading) {
    const painter = makePainter();
    /** @type {Map<HTMLElement, Range[]>} */
    let found = new Map();
    /** @type {Readonly<State> | null} */
    let state = null;
    /** @type {RegExp[]} */
    let patterns = [];

    const draw = () => {
        if (state === null || (patterns.length === 0 && found.size === 0)) {
            return;
        }
        /** @type {Map<HTMLElement, Range[]>} */
        const near = new Map();
        for (const [n, element] of patterns.length === 0 ? [] : articlesNear(reading)) {
            // Marks in steps that stand shut are not seen, and each would cost the browser work in every frame.
            if (state.hits?.matches[n] === 1 && !element.classList.contains("shut")) {
                near.set(element, found.get(element) ?? painter.paint(element, findRanges(element, patterns)));
            }
        }
        for (const [element, ranges] of found) {
            if (!near.has(element)) {
                painter.erase(element, ranges);
            }
        }
        painter.point(state.hitAt < 0 ? undefined : near.get(reading.elementOf(state.hitAt) ?? document.body));
        found = near;
        // One that may not have its content yet is looked at again.
        const isLens = state.view === "context" || state.compare >= 0;
        for (const [element, ranges] of near) {
            if (ranges.length === 0 && (isLens || element.hasAttribute("aria-busy"))) {
                found.delete(element);
            }
        }
    };
    const drawSoon = oncePerFrame(draw);
    listen(window, "scroll", drawSoon, { passive: true });
    listen(window, "resize", drawSoon, { passive: true });

    return {
        show(next, nextPatterns) {
            if (nextPatterns !== patterns) {
                painter.point(undefined);
                found.forEach((ranges, element) => painter.erase(element, ranges));
                found = new Map();
                patterns = nextPatterns;
            }
            state = next;
            drawSoon();
        },
        look: drawSoon,
        open(n) {
            const element = reading.elementOf(n);
            if (element === undefined || patterns.length === 0) {
                return null;
            }
            const ranges = findRanges(element, patterns);
            unfoldHits(ranges, element);
            return ranges[0]?.getBoundingClientRect() ?? null;
        },
    };
}

/**
 * @param {Reading} reading
 * @returns {[number, HTMLElement][]}
 */
function articlesNear(reading) {
    return reading.panes().flatMap(articlesNearIn);
}

/**
 * @param {Pane} pane
 * @returns {[number, HTMLElement][]}
 */
function articlesNearIn(pane) {
    const entries = pane.entries();
    const [top, bottom] = [-MARK_AHEAD * innerHeight, (1 + MARK_AHEAD) * innerHeight];
    /** @type {[number, HTMLElement][]} */
    const near = [];
    const [from, to] = pane.span();
    for (let at = Math.max(from, lastAbove(entries, pane.elementOf, top, [from, to])); at < to; at++) {
        const element = pane.elementOf(entries[at]);
        if (element === undefined || topOf(element) > bottom) {
            break;
        }
        near.push([entries[at], element]);
    }
    return near;
}

/**
 * @param {Element} element
 * @param {RegExp[]} patterns
 * @returns {Range[]} in the order of the text
 */
function findRanges(element, patterns) {
    const nodes = textNodes(element);
    /** @type {number[]} */
    const starts = [];
    let text = "";
    for (const node of nodes) {
        starts.push(text.length);
        text += node.data;
    }
    let at = 0;
    return foundSpans(text, patterns).map(([from, to]) => {
        while (starts[at + 1] <= from) {
            at++;
        }
        let last = at;
        while (starts[last + 1] < to) {
            last++;
        }
        const range = new Range();
        range.setStart(nodes[at], from - starts[at]);
        range.setEnd(nodes[last], to - starts[last]);
        return range;
    });
}

/**
 * @param {Element} element
 * @returns {Text[]}
 */
function textNodes(element) {
    const nodes = [];
    let length = 0;
    /** @type {Node | null} */
    let node = element.firstChild;
    while (node !== null && length < MARKED_LENGTH) {
        if (node instanceof Text) {
            nodes.push(node);
            length += node.length;
        }
        const own = node instanceof Element && node.hasAttribute("data-ui");
        node = (own ? null : node.firstChild) ?? nodeAfter(node, element);
    }
    return nodes;
}

/**
 * Where patterns stand in a text, without overlaps.
 *
 * @param {string} text
 * @param {RegExp[]} patterns for texts in lower case
 * @returns {[number, number][]}
 */
function foundSpans(text, patterns) {
    if (patterns.length === 0) {
        return [];
    }
    const lower = lowerInPlace(text);
    /** @type {[number, number][]} */
    const spans = [];
    for (const pattern of patterns) {
        let left = MARKS_EACH;
        for (const match of lower.matchAll(pattern)) {
            spans.push([match.index, match.index + match[0].length]);
            if (--left === 0) {
                break;
            }
        }
    }
    spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let end = 0;
    return spans.slice(0, MARKS_EACH).filter(([from, to]) => {
        const free = from >= end;
        end = free ? to : end;
        return free;
    });
}

/**
 * Lower case of the same length: a few letters, such as `İ`, would become two and shift all that follows.
 *
 * @param {string} text
 * @returns {string}
 */
function lowerInPlace(text) {
    const lower = text.toLowerCase();
    if (lower.length === text.length) {
        return lower;
    }
    return text.replace(/\p{Lu}/gu, (letter) => {
        const small = letter.toLowerCase();
        return small.length === letter.length ? small : letter;
    });
}
