/**
 * Deep links: from an address to a place in the session, and back.
 *
 * `?leafId=…&targetId=…`, the same after `#` for hosts that eat queries (`#` wins), and `#entry-<key>`.
 */

/**
 * @typedef {object} Link
 * @property {string | null} leafId
 * @property {string | null} targetId
 * @property {boolean} anchor the target came as `#entry-<key>`: then the leaf is only a preference
 */

/**
 * @typedef {object} Place
 * @property {number} leaf
 * @property {number} target -1 for none
 * @property {string[]} problems what could not be followed as written
 */

const ANCHOR = "#entry-";

/** Ids from an address are named in a notice: a hostile one must not fill the screen. */
const NAMED_LENGTH = 80;

/**
 * @param {string} hash
 * @returns {URLSearchParams}
 */
function hashParams(hash) {
    return new URLSearchParams(hash.replace(/^#\??/u, ""));
}

/**
 * @param {string} hash
 * @returns {boolean}
 */
function isHashLink(hash) {
    const params = hashParams(hash);
    return params.has("leafId") || params.has("targetId");
}

/**
 * @param {string} search
 * @param {string} hash
 * @returns {Link}
 */
function readLink(search, hash) {
    const params = isHashLink(hash) ? hashParams(hash) : new URLSearchParams(search);
    const leafId = params.get("leafId") || null;
    if (hash.startsWith(ANCHOR)) {
        return { leafId, targetId: hash.slice(ANCHOR.length) || null, anchor: true };
    }
    return { leafId, targetId: params.get("targetId") || null, anchor: false };
}

/**
 * @param {Link} link
 * @returns {string}
 */
function linkIdentity(link) {
    return JSON.stringify([link.leafId, link.targetId]);
}

/**
 * @param {Outline} outline
 * @param {string | null} id
 * @param {boolean} anchor
 * @returns {number}
 */
function findLinked(outline, id, anchor) {
    if (id === null) {
        return -1;
    }
    const found = findEntry(outline, id);
    return found < 0 && anchor ? findEntry(outline, decodeLoosely(id)) : found;
}

/**
 * @param {string} text
 * @returns {string}
 */
function decodeLoosely(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/**
 * @param {string} id
 * @returns {string}
 */
function named(id) {
    return `“${id.length > NAMED_LENGTH ? `${id.slice(0, NAMED_LENGTH)}…` : id}”`;
}

/**
 * Where a link leads. Target off the given leaf's path: the target wins.
 *
 * @param {Outline} outline
 * @param {Link} link
 * @returns {Place}
 */
function resolveLink(outline, link) {
    const leaf = findLinked(outline, link.leafId, false);
    const target = findLinked(outline, link.targetId, link.anchor);
    const problems = [];
    if (leaf < 0 && link.leafId !== null) {
        problems.push(`The link names the leaf ${named(link.leafId)}, which is not in this session.`);
    }
    if (target < 0 && link.targetId !== null) {
        problems.push(`The link names the entry ${named(link.targetId)}, which is not in this session.`);
    }
    if (target < 0) {
        return leaf < 0
            ? { leaf: outline.leaf, target: outline.target, problems }
            : { leaf, target: -1, problems };
    }
    const shown = leafShowing(outline, target, leaf < 0 ? outline.leaf : leaf);
    if (leaf >= 0 && shown !== leaf && !link.anchor) {
        const [from, to] = [named(link.targetId ?? ""), named(link.leafId ?? "")];
        problems.push(`The entry ${from} is not on the way to the leaf ${to}: this is the newest branch that has it.`);
    }
    return { leaf: shown, target, problems };
}

/**
 * Our two parameters put into a query or fragment, all other parts left as they are.
 *
 * @param {string} params
 * @param {string} leafKey
 * @param {string | null} targetKey
 * @returns {string}
 */
function withPlace(params, leafKey, targetKey) {
    const parts = params.split("&").filter((part) => part !== "" && !/^\??(?:leafId|targetId)(?:=|$)/u.test(part));
    parts.push(`leafId=${encodeURIComponent(leafKey)}`);
    if (targetKey !== null) {
        parts.push(`targetId=${encodeURIComponent(targetKey)}`);
    }
    return parts.join("&");
}

/**
 * The relative address of a place, in the form in which the page was opened.
 *
 * @param {{search: string, hash: string}} from
 * @param {string} leafKey
 * @param {string | null} targetKey
 * @returns {string}
 */
function addressOf(from, leafKey, targetKey) {
    if (isHashLink(from.hash)) {
        return `${from.search}#${withPlace(from.hash.slice(1), leafKey, targetKey)}`;
    }
    const hash = from.hash.startsWith(ANCHOR) ? "" : from.hash;
    return `?${withPlace(from.search.slice(1), leafKey, targetKey)}${hash}`;
}
