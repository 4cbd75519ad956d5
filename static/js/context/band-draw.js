/** The band as a drawing. What it means holds without colors: lengths, lines of three kinds, names. */

import { make } from "../base/dom.js";
import { callText, tokensText } from "./band-calls.js";

/** @import { Call } from "./band-calls.js" */

/**
 * @typedef {object} BandDrawing
 * @property {HTMLElement} element
 * @property {HTMLElement} slider
 * @property {(nth: number, isPointed: boolean) => void} say the figures of a call; -1 for one that reports none
 * @property {(nth: number) => void} show marks the call whose context is shown, -1 for none
 */

const SVG = "http://www.w3.org/2000/svg";

/** The drawing's own height; it takes that of its box. */
const HEIGHT = 1000;

/** So many elements of calls come in a frame. */
const AT_ONCE = 1000;

/** Names stand apart by this part of the width. */
const NAME_ROOM = 0.14;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 * @returns {SVGElement}
 */
function draw(tag, attributes, text = "") {
    const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, String(value));
    }
    element.textContent = text;
    return element;
}

/**
 * @param {Call[]} calls not empty
 * @returns {BandDrawing}
 */
export function drawBand(calls) {
    const most = calls.reduce((high, { sent, window }) => Math.max(high, sent, window), 1);
    const drawing = draw("svg", { "aria-hidden": "true" });
    drawing.append(drawBars(calls, most), ...drawLines(calls, most));
    const [shownLine, pointedLine] = ["shown", "pointed"].map((name) => draw("line", { class: name, y2: "100%" }));
    drawing.append(shownLine, pointedLine);
    const element = make("div", "");
    element.id = "context-band";
    const slider = make("div", "");
    slider.tabIndex = 0;
    const facts = { role: "slider", "aria-label": "Tokens sent at each call", "aria-valuemin": 1, "aria-valuemax": calls.length };
    Object.entries(facts).forEach(([name, value]) => slider.setAttribute(name, String(value)));
    slider.append(drawing);
    const figures = make("p", "");
    element.append(slider, figures);
    /** @type {(line: SVGElement, nth: number) => void} */
    const place = (line, nth) => {
        const x = `${(100 * (nth + 0.5)) / calls.length}%`;
        line.setAttribute("x1", x);
        line.setAttribute("x2", x);
        line.toggleAttribute("hidden", nth < 0);
    };
    return {
        element,
        slider,
        say(nth, isPointed) {
            place(pointedLine, isPointed ? nth : -1);
            const said = nth < 0 ? "This call reports no tokens" : callText(calls, nth);
            figures.textContent = said;
            slider.setAttribute("aria-valuenow", String(Math.max(0, nth) + 1));
            slider.setAttribute("aria-valuetext", said);
        },
        show: (nth) => place(shownLine, nth),
    };
}

/**
 * A step a call; what of it came from the cache is striped. Drawn at once as two shapes: the elements of the calls lie
 * over them, and of many only the first are there in the same frame.
 *
 * @param {Call[]} calls
 * @param {number} most
 * @returns {SVGElement}
 */
function drawBars(calls, most) {
    const bars = draw("svg", { viewBox: `0 0 ${calls.length} ${HEIGHT}`, preserveAspectRatio: "none" });
    const stripes = draw("pattern", { id: "band-cached", width: 1, height: 36, patternUnits: "userSpaceOnUse" });
    stripes.append(draw("rect", { width: 1, height: 24 }));
    const one = draw("rect", { width: 1, fill: "none" });
    // One area: of many calls, bars by themselves would flicker.
    const shape = (/** @type {(call: Call) => number} */ tokens) =>
        `M0 ${HEIGHT}${calls.map((call) => `V${HEIGHT - (HEIGHT * tokens(call)) / most}h1`).join("")}V${HEIGHT}z`;
    const all = draw("path", { d: shape(({ sent }) => sent) });
    bars.append(stripes, all, draw("path", { d: shape(({ cacheRead }) => cacheRead), fill: "url(#band-cached)" }));
    const add = (/** @type {number} */ from) => {
        for (let nth = from; nth < Math.min(from + AT_ONCE, calls.length); nth++) {
            const bar = /** @type {SVGElement} */ (one.cloneNode());
            const high = (HEIGHT * calls[nth].sent) / most;
            bar.setAttribute("x", String(nth));
            bar.setAttribute("y", String(HEIGHT - high));
            bar.setAttribute("height", String(high));
            bar.dataset.call = calls[nth].key;
            bars.append(bar);
        }
        if (from + AT_ONCE < calls.length) {
            requestAnimationFrame(() => add(from + AT_ONCE));
        }
    };
    add(0);
    return bars;
}

/**
 * Compactions, changes of the model, the model's window: each with its name where there is room.
 *
 * @param {Call[]} calls
 * @param {number} most
 * @returns {SVGElement[]}
 */
function drawLines(calls, most) {
    /** @type {SVGElement[]} */
    const lines = [];
    let free = 0;
    calls.forEach(({ compaction, isOther, model }, nth) => {
        const x = `${(100 * nth) / calls.length}%`;
        if (compaction !== "") {
            lines.push(draw("line", { class: "drop", x1: x, x2: x, y2: "100%" }));
            if (nth / calls.length >= free) {
                free = nth / calls.length + NAME_ROOM;
                const isLate = free > 1;
                lines.push(draw("text", { x, dx: isLate ? -4 : 4, y: 11, "text-anchor": isLate ? "end" : "start" }, compaction));
            }
        }
        if (isOther) {
            const tick = draw("line", { class: "model", x1: x, x2: x, y1: "88%", y2: "100%" });
            tick.append(draw("title", {}, model));
            lines.push(tick);
        }
    });
    for (let nth = 0; nth < calls.length; ) {
        const { window } = calls[nth];
        const from = nth;
        while (calls[nth]?.window === window) {
            nth++;
        }
        if (window > 0) {
            const y = `${100 - (100 * window) / most}%`;
            const x1 = `${(100 * from) / calls.length}%`;
            lines.push(draw("line", { class: "window", x1, x2: `${(100 * nth) / calls.length}%`, y1: y, y2: y }));
            lines.push(draw("text", { x: x1, dx: 4, y, dy: window > most / 2 ? 24 : -4 }, `${tokensText(window)} window`));
        }
    }
    return lines;
}
