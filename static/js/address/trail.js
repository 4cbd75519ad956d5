/** Where the reader was before each jump, for "back to where I was". */

/** @import { Order, View } from "../state/state.js" */
/** @import { ScrollMark } from "./history.js" */

/** Older places are forgotten. */
const TRAIL_LENGTH = 200;

/**
 * @typedef {object} Footprint
 * @property {number} leaf
 * @property {number} target
 * @property {number} compare
 * @property {View} view
 * @property {number} call
 * @property {Order} order
 * @property {string} file
 * @property {ScrollMark | null} mark null at the top of the page
 */

/**
 * @typedef {object} Trail
 * @property {(print: Footprint) => void} remember
 * @property {() => Footprint | undefined} back
 */

/**
 * @returns {Trail}
 */
export function makeTrail() {
    /** @type {Footprint[]} */
    const prints = [];
    return {
        remember(print) {
            prints.push(print);
            prints.splice(0, prints.length - TRAIL_LENGTH);
        },
        back: () => prints.pop(),
    };
}
