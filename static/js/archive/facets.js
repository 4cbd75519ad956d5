/** The filters: values of the sessions with their counts, which are totals at the same time. */

import { inputById, listen, make } from "../base/dom.js";
import { ENDINGS } from "./rows.js";

/** @import { Row } from "./rows.js" */

/** Of each filter, so many values are shown until the reader asks for more. */
const SHOWN = 7;

const FAILED = "with failures";

const MONTH = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric" });

/**
 * @typedef {object} Facet
 * @property {string} name in the address
 * @property {string} title
 * @property {(row: Row) => string[]} values
 */

/** @type {Facet} of a team's index alone */
const AUTHOR = { name: "author", title: "Author", values: ({ by }) => [by.name] };

/** @type {Facet[]} */
const FACETS = [
    ...(document.documentElement.hasAttribute("data-team") ? [AUTHOR] : []),
    { name: "agent", title: "Agent", values: ({ agent }) => [agent] },
    { name: "project", title: "Project", values: ({ project }) => (project === undefined ? [] : [project]) },
    { name: "month", title: "Month", values: ({ latest }) => (latest === undefined ? ["Unknown"] : [MONTH.format(latest)]) },
    { name: "model", title: "Model", values: ({ models }) => models ?? [] },
    { name: "label", title: "Label", values: ({ labels }) => labels ?? [] },
    {
        name: "ended",
        title: "Ended",
        values: ({ ended, failures }) => [...(ended === undefined ? [] : [ENDINGS.get(ended) ?? ended]), ...(failures ? [FAILED] : [])],
    },
];

/**
 * What the reader chose: values by the name of their filter, and days.
 *
 * @typedef {object} Chosen
 * @property {Map<string, Set<string>>} values
 * @property {string} from such as `2026-11-03`; empty for none
 * @property {string} to
 */

/**
 * @param {URLSearchParams} params
 * @returns {Chosen}
 */
export function chosenIn(params) {
    const values = new Map(FACETS.map(({ name }) => [name, new Set(params.getAll(name))]));
    return { values, from: params.get("from") ?? "", to: params.get("to") ?? "" };
}

/**
 * @param {Chosen} chosen
 * @param {URLSearchParams} params
 */
export function addParams({ values, from, to }, params) {
    for (const [name, set] of values) {
        set.forEach((value) => params.append(name, value));
    }
    for (const [name, day] of [["from", from], ["to", to]]) {
        if (day !== "") {
            params.set(name, day);
        }
    }
}

/** @type {(chosen: Chosen) => boolean} */
export const isAnyChosen = ({ values, from, to }) => from !== "" || to !== "" || Array.from(values.values()).some(({ size }) => size > 0);

/**
 * @param {Row[]} rows
 * @param {Chosen} chosen
 * @param {string} [but] the name of a filter that does not count
 * @returns {Row[]}
 */
export function filtered(rows, { values, from, to }, but) {
    const active = FACETS.filter(({ name }) => name !== but && (values.get(name)?.size ?? 0) > 0);
    // Of the place where the reader is, as the list has its days.
    const first = from === "" ? -Infinity : Date.parse(`${from}T00:00`);
    const end = to === "" ? Infinity : Date.parse(`${to}T00:00`) + 86_400_000;
    const isIn = (/** @type {Row} */ { latest }) => (from === "" && to === "") || (latest !== undefined && latest >= first && latest < end);
    return rows.filter((row) => isIn(row) && active.every((facet) => facet.values(row).some((value) => values.get(facet.name)?.has(value))));
}

/**
 * Draws the filters and takes what is chosen in them.
 *
 * @param {HTMLElement} place
 * @param {Chosen} chosen
 * @param {() => void} changed
 * @returns {(rows: Row[]) => void} draws them for these sessions
 */
export function makeFacets(place, chosen, changed) {
    /** @type {Set<string>} those of which all values are shown */
    const open = new Set();
    for (const [id, key] of /** @type {const} */ ([["from", "from"], ["to", "to"]])) {
        const input = inputById(id);
        input.value = chosen[key];
        listen(input, "change", () => {
            chosen[key] = input.value;
            changed();
        });
    }
    return function draw(rows) {
        const focused = document.activeElement instanceof HTMLInputElement ? document.activeElement.dataset.value : undefined;
        const sets = FACETS.flatMap((facet) => {
            const fieldset = drawFacet(facet, rows);
            return fieldset === null ? [] : [fieldset];
        });
        place.replaceChildren(...sets);
        for (const input of focused === undefined ? [] : place.querySelectorAll("input")) {
            if (input.dataset.value === focused) {
                input.focus();
            }
        }

        /** @type {(facet: Facet, rows: Row[]) => HTMLElement | null} */
        function drawFacet(facet, all) {
            const set = /** @type {Set<string>} */ (chosen.values.get(facet.name));
            const counts = countsOf(facet, filtered(all, chosen, facet.name));
            set.forEach((value) => counts.has(value) || counts.set(value, 0));
            if (counts.size === 0) {
                return null;
            }
            // Months are in the order of the rows, the newest first.
            const values = Array.from(counts);
            if (facet.name !== "month") {
                values.sort((a, b) => Number(a[0] === FAILED) - Number(b[0] === FAILED) || b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
            }
            const most = Math.max(1, ...counts.values());
            const fieldset = make("fieldset", "");
            fieldset.append(make("legend", "", facet.title));
            const isOpen = open.has(facet.name) || values.length <= SHOWN + 1;
            values.forEach(([value, count], nth) => {
                if (isOpen || nth < SHOWN || set.has(value)) {
                    fieldset.append(drawValue(facet, set, value, [count, most]));
                }
            });
            if (!isOpen) {
                const more = make("button", "fm", `${values.length - SHOWN} more`);
                more.setAttribute("type", "button");
                more.setAttribute("aria-label", `${values.length - SHOWN} more of ${facet.title}`);
                listen(more, "click", () => {
                    open.add(facet.name);
                    draw(all);
                });
                fieldset.append(more);
            }
            return fieldset;
        }
    };

    /** @type {(facet: Facet, set: Set<string>, value: string, counts: [number, number]) => HTMLElement} */
    function drawValue(facet, set, value, [count, most]) {
        const label = make("label", "fc");
        const input = /** @type {HTMLInputElement} */ (make("input", ""));
        input.type = "checkbox";
        input.checked = set.has(value);
        input.dataset.value = `${facet.name} ${value}`;
        listen(input, "change", () => {
            input.checked ? set.add(value) : set.delete(value);
            changed();
        });
        const name = make("span", "fx");
        name.title = value;
        name.append(make("bdi", "", value));
        label.append(input, bar(count / most, value === FAILED), name, make("span", "fn", count.toLocaleString("en-US")));
        return label;
    }
}

/**
 * @param {Facet} facet
 * @param {Row[]} rows
 * @returns {Map<string, number>}
 */
function countsOf(facet, rows) {
    const counts = new Map();
    for (const row of rows) {
        for (const value of facet.values(row)) {
            counts.set(value, (counts.get(value) ?? 0) + 1);
        }
    }
    return counts;
}

/**
 * @param {number} part from 0 to 1
 * @param {boolean} isBad
 * @returns {SVGElement}
 */
function bar(part, isBad) {
    const NS = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("class", isBad ? "bar bad" : "bar");
    svg.setAttribute("viewBox", "0 0 100 6");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    const rect = document.createElementNS(NS, "rect");
    rect.setAttribute("width", (part * 100).toFixed(1));
    rect.setAttribute("height", "6");
    svg.append(rect);
    return svg;
}
