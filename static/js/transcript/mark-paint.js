/** How marks are painted: as highlights, which leave the document alone (Chrome 105, Safari 17.2, Firefox 140). */

/**
 * @typedef {object} Painter
 * @property {(ranges: Range[]) => Range[]} paint gives them back
 * @property {(ranges: Range[]) => void} erase
 * @property {(ranges: Range[] | undefined) => void} point the marks of the hit walked to
 */

/**
 * @returns {Painter} one that does nothing in an older browser
 */
export function makePainter() {
    if (typeof Highlight !== "function") {
        return { paint: (ranges) => ranges, erase() {}, point() {} };
    }
    const [all, now] = [new Highlight(), new Highlight()];
    now.priority = 1;
    CSS.highlights.set("leafpress-hit", all);
    CSS.highlights.set("leafpress-hit-now", now);
    return {
        paint(ranges) {
            ranges.forEach((range) => all.add(range));
            return ranges;
        },
        erase: (ranges) => ranges.forEach((range) => all.delete(range)),
        point(ranges) {
            now.clear();
            ranges?.forEach((range) => now.add(range));
        },
    };
}
