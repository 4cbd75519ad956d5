/** Lists of numbers that ascend, such as the entries of a path in document order. */

/**
 * @param {ArrayLike<number>} ascending
 * @param {number} n
 * @returns {number} the place of the last that is not above `n`, -1 for none
 */
export function lastAtMost(ascending, n) {
    let [from, to] = [0, ascending.length];
    while (from < to) {
        const middle = (from + to) >> 1;
        if (ascending[middle] <= n) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from - 1;
}

/**
 * @param {number[]} ascending not empty
 * @param {number} n
 * @returns {number} the nearest of them to `n`
 */
export function nearestEntry(ascending, n) {
    const at = Math.max(0, lastAtMost(ascending, n));
    const [below, above] = [ascending[at], ascending[at + 1] ?? Infinity];
    return above - n < n - below ? above : below;
}
