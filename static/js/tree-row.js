/** One row of the tree list as an element. */

/** How the pieces of a prefix are drawn; the characters stay in the text for people who copy rows. */
const PIECE_CLASSES = new Map([
    [BAR, "bar"],
    [CONNECTORS[TEE], "tee"],
    [CONNECTORS[CORNER], "corner"],
]);

/**
 * @param {Outline} outline
 * @param {TreePicture} picture
 * @param {number} row
 * @param {Measure} measure
 * @returns {HTMLElement}
 */
function makeRow(outline, picture, row, measure) {
    const { layout } = picture;
    const n = layout.order[row];
    const element = make("div", rowClass(outline, picture, n));
    element.id = `row-${n}`;
    element.dataset.entryId = outline.keys[n];
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(layout.depth[row] + 1));
    element.setAttribute("aria-setsize", String(layout.setSize[row]));
    element.setAttribute("aria-posinset", String(layout.position[row]));
    element.setAttribute("aria-selected", String(row === picture.selected));
    element.style.setProperty("inset-block-start", `${row * measure.rowHeight}px`);
    element.append(makePrefix(layout, row, measure.levels));
    const label = outline.labels.get(n);
    if (label !== undefined) {
        element.append(make("span", "label", `[${label}]`), " ");
    }
    element.append(makeText(outline.text[n]));
    element.title = rowTitle(outline, layout, row, measure.levels);
    return element;
}

/**
 * @param {Outline} outline
 * @param {TreePicture} picture
 * @param {number} n
 * @returns {string}
 */
function rowClass(outline, picture, n) {
    const classes = ["row"];
    if (isOnPath(outline, n, picture.leaf)) {
        classes.push("on-path");
    }
    if (n === picture.leaf) {
        classes.push("leaf");
    }
    return classes.join(" ");
}

/**
 * The prefix, of which only the last levels are drawn where all would not leave the text its room.
 *
 * @param {Layout} layout
 * @param {number} row
 * @param {number} levels
 * @returns {HTMLElement}
 */
function makePrefix(layout, row, levels) {
    const depth = layout.depth[row];
    const prefix = make("span", "prefix");
    prefix.setAttribute("aria-hidden", "true");
    const from = depth <= levels ? 0 : depth - levels + 1;
    if (from > 0) {
        prefix.append(make("span", "more", "…"));
    }
    for (const piece of prefixPieces(layout, row, from, depth)) {
        prefix.append(make("span", PIECE_CLASSES.get(piece) ?? "", piece));
    }
    return prefix;
}

/**
 * Row texts begin with who speaks, as in `user: `, or stand in brackets, as in `[edit: path]`.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
function makeText(text) {
    const element = make("span", "text");
    const speaker = /^(?:user|assistant): /u.exec(text)?.[0];
    if (speaker !== undefined) {
        element.dataset.tone = speaker.slice(0, -2);
        element.append(make("span", "speaker", speaker), text.slice(speaker.length));
    } else {
        element.dataset.tone = text.startsWith("[") ? "event" : "plain";
        element.append(text);
    }
    return element;
}

/**
 * @param {Outline} outline
 * @param {Layout} layout
 * @param {number} row
 * @param {number} levels
 * @returns {string}
 */
function rowTitle(outline, layout, row, levels) {
    const n = layout.order[row];
    const depth = layout.depth[row];
    const label = outline.labels.get(n);
    const text = label === undefined ? outline.text[n] : `[${label}] ${outline.text[n]}`;
    return depth > levels ? `${text}\nlevel ${depth + 1}` : text;
}
