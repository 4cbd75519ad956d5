/** Branches: the leaves of the tree and what each ended with. */

/**
 * @typedef {object} Branch
 * @property {number} leaf
 * @property {number} entries on its path
 * @property {string} words the last words on its path
 * @property {string | null} label the last label since it went its own way
 * @property {number | null} time
 */

/**
 * All leaves of the session that holds `shown`, the one to open with first, then the newest first. Linear: each entry hands its facts on to its children.
 *
 * @param {Outline} outline
 * @param {number} shown
 * @returns {Branch[]}
 */
function branchesOf(outline, shown) {
    const { count, parent } = outline;
    const depth = new Int32Array(count);
    const speaker = new Int32Array(count);
    /** @type {(string | null)[]} */
    const label = new Array(count);
    /** @type {Branch[]} */
    const branches = [];
    for (let n = 0; n < count; n++) {
        const above = parent[n];
        const ownWay = above < 0 || (outline.marks[n] & FORK) !== 0;
        depth[n] = above < 0 ? 1 : depth[above] + 1;
        speaker[n] = above < 0 || hasWords(outline, n) ? n : speaker[above];
        label[n] = outline.labels.get(n) ?? (ownWay ? null : label[above]);
        if (outline.end[n] === n + 1 && outline.session[n] === outline.session[shown]) {
            const words = outline.text[speaker[n]];
            branches.push({ leaf: n, entries: depth[n], words, label: label[n], time: outline.time[n] });
        }
    }
    const standing = standingLeaf(outline, shown);
    const rank = (/** @type {Branch} */ { leaf, time }) => (leaf === standing ? Infinity : time ?? -Infinity);
    return branches.sort((a, b) => {
        const [first, second] = [rank(a), rank(b)];
        return first === second ? a.leaf - b.leaf : second > first ? 1 : -1;
    });
}

/**
 * Settings and turns without text say nothing of what a branch ended with.
 *
 * @param {Outline} outline
 * @param {number} n
 * @returns {boolean}
 */
function hasWords(outline, n) {
    const isDefault = (outline.modes[n] & (FILTER_BITS.get("default") ?? 0)) !== 0;
    return isDefault && (outline.modes[n] & TEXTLESS) === 0;
}

/**
 * After a step to another branch, the same link of the fork that is now on show, so that Enter goes on.
 *
 * @param {HTMLElement | undefined} article
 * @param {string | null} rel
 * @returns {boolean} false when the entry has no such links
 */
function focusForkLink(article, rel) {
    const links = rel === null ? [] : Array.from(article?.querySelectorAll("a.fork-link") ?? []);
    const link = links.find((other) => other.getAttribute("rel") === rel) ?? links[0];
    if (link instanceof HTMLElement) {
        link.focus({ preventScroll: true });
    }
    return link !== undefined;
}
