/** How much room the entries of a list take, and the part of the list around a place. */

/**
 * Articles around a place that is jumped to: a few views. More would make the frame late that shows them; the window
 * grows in the frames after it.
 */
export const WINDOW_BEFORE = 10;
export const WINDOW_AFTER = 20;

/** A list no longer than this is there as a whole. */
const WHOLE_LIST = 120;

/** All of these count those that take room; of the others no more than so many come at once. */
const SHUT_AT_ONCE = 100;

/**
 * The part of a list around a place: what is needed there, and what is there already.
 *
 * @param {number[]} list
 * @param {Int32Array} room
 * @param {number} at
 * @param {ReadonlySet<number>} there
 * @returns {[number, number]}
 */
export function runAround(list, room, at, there) {
    if (list.length <= WHOLE_LIST) {
        return [0, list.length];
    }
    let [from, to] = [placeAway(room, at, -WINDOW_BEFORE), placeAway(room, at, WINDOW_AFTER)];
    while (from > 0 && there.has(list[from - 1])) {
        from--;
    }
    while (to < list.length && there.has(list[to])) {
        to++;
    }
    return [from, to];
}

/**
 * @param {number[]} list
 * @param {(n: number) => number} heightOf
 * @returns {[room: Int32Array, tall: Float64Array]} how many entries before each place take room, and how much; and in all
 */
export function roomOf(list, heightOf) {
    const [room, tall] = [new Int32Array(list.length + 1), new Float64Array(list.length + 1)];
    list.forEach((n, at) => {
        const height = heightOf(n);
        room[at + 1] = room[at] + (height > 0 ? 1 : 0);
        tall[at + 1] = tall[at] + height;
    });
    return [room, tall];
}

/**
 * @param {Int32Array} room
 * @param {number} at
 * @param {number} count negative: before
 * @returns {number}
 */
export function placeAway(room, at, count) {
    const length = room.length - 1;
    const [least, most] = [Math.max(0, at - Math.abs(count) - SHUT_AT_ONCE), Math.min(length, at + count + SHUT_AT_ONCE)];
    if (count < 0) {
        let place = Math.max(0, at + count);
        while (place > least && room[at] - room[place] < -count) {
            place--;
        }
        return place;
    }
    let place = Math.min(length, at + count);
    while (place < most && room[place] - room[at] < count) {
        place++;
    }
    return place;
}
