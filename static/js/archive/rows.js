/** The list of sessions, by day. Rows come into the document as the reader gets near them. */

import { make } from "../base/dom.js";
import { durationText, moneyText, shortCount } from "../outline/figures.js";

/**
 * @typedef {object} Figures
 * @property {number} [prompts]
 * @property {number} [failures]
 * @property {number} [stops]
 * @property {number} [tokens]
 * @property {number} [cost]
 * @property {number} [worked] milliseconds
 */

/**
 * @typedef {object} RowFacts a session, as src/archive/row.rs writes it; what is zero or empty is not there
 * @property {number} n
 * @property {string} id
 * @property {string} page
 * @property {string} title
 * @property {string} agent
 * @property {string} text
 * @property {string} [project]
 * @property {number} [latest]
 * @property {number} [branches]
 * @property {number} [subs]
 * @property {number} [files]
 * @property {string} [ended]
 * @property {string[]} [models]
 * @property {string[]} [labels]
 * @property {number} [parent]
 * @property {Figures} [own] what of the figures is no copy of another session's
 * @property {boolean} [gone]
 */

/** @typedef {RowFacts & Figures & {by: Author}} Row */

/**
 * @typedef {object} Author whose archive it is; numbers of sessions are different only within one
 * @property {string} name empty in the archive of one person
 * @property {string} base the folder of the archive, as an address
 * @property {Manifest} manifest
 */

/**
 * @typedef {object} Manifest
 * @property {number} format
 * @property {boolean} redacted
 * @property {[string, string, number][]} months name, hash and count, the newest first
 * @property {{hash: string, shards: string[]} | null} words
 * @property {string | null} tail
 */

/** So many rows come at once. */
const PORTION = 150;

/** Sessions that go on from one another are followed so far; nothing holds up the page. */
const LONGEST_CHAIN = 100;

/** How sessions ended, in words. */
export const ENDINGS = new Map([
    ["answered", "answered"],
    ["question", "with a question"],
    ["stopped", "stopped"],
    ["failed", "failed"],
    ["cut-off", "cut off"],
    ["length-limit", "cut off at the length limit"],
    ["refused", "refused"],
    ["command", "with the user’s command"],
]);

const DAY = new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric" });
const DATE = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" });
const TIME = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * @param {Row} row
 * @param {string} [query]
 * @returns {string} the address of its page
 */
export function pageOf({ by, page }, query = "") {
    return `${by.base}sessions/${page}?archive${query}`;
}

/**
 * The list in the element; replaces what was there.
 *
 * @param {HTMLElement} list
 * @param {Row[]} rows
 * @param {boolean} byDay whether they are in the order of their days
 */
export function drawRows(list, rows, byDay) {
    const ordered = byDay ? withChildren(rows) : rows.map((row) => ({ row, isBelow: false }));
    const years = new Map();
    for (const { latest } of byDay ? rows : []) {
        const year = yearOf(latest);
        years.set(year, (years.get(year) ?? 0) + 1);
    }
    let at = 0;
    let [year, day] = ["", ""];
    /** @type {HTMLElement | null} */
    let ofDay = null;
    const sentinel = make("div", "sentinel");
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && addPortion(), {
        rootMargin: "1200px",
    });
    list.replaceChildren(sentinel);
    addPortion();

    function addPortion() {
        const end = Math.min(at + PORTION, ordered.length);
        const added = document.createDocumentFragment();
        for (; at < end; at++) {
            const { row, isBelow } = ordered[at];
            const [ownYear, ownDay] = [yearOf(row.latest), dayOf(row.latest)];
            if (byDay && ownYear !== year) {
                added.append(yearHeading(ownYear, years.get(ownYear) ?? 0));
                day = "";
            }
            if (ofDay === null || ownDay !== day || ownYear !== year) {
                ofDay = make("ul", "bare");
                const section = make("section", "day");
                section.append(make("h3", "", byDay || row.latest === undefined ? ownDay : DATE.format(row.latest)), ofDay);
                added.append(section);
            }
            [year, day] = [ownYear, ownDay];
            ofDay.append(drawRow(row, isBelow));
        }
        sentinel.before(added);
        observer.disconnect();
        if (at < ordered.length) {
            observer.observe(sentinel);
        }
    }
}

/**
 * A session that goes on from another of the same day stands below it.
 *
 * @param {Row[]} rows
 * @returns {{row: Row, isBelow: boolean}[]}
 */
function withChildren(rows) {
    const byNumber = new Map(rows.map((row) => [numberOf(row.by, row.n), row]));
    /** @type {Map<Row, Row[]>} */
    const children = new Map();
    const tops = [];
    for (const row of rows) {
        let root = row;
        for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
            const parent = byNumber.get(numberOf(root.by, root.parent));
            if (parent === undefined || !isSameDay(parent, row)) {
                break;
            }
            root = parent;
        }
        if (root === row) {
            tops.push(row);
        } else {
            children.set(root, [row, ...(children.get(root) ?? [])]);
        }
    }
    return tops.flatMap((row) => [
        { row, isBelow: false },
        ...(children.get(row) ?? []).map((child) => ({ row: child, isBelow: true })),
    ]);
}

/** @type {(by: Author, n: number | undefined) => string} */
const numberOf = ({ base }, n) => `${base}${n}`;

/** @type {(a: Row, b: Row) => boolean} */
const isSameDay = (a, b) => dayOf(a.latest) === dayOf(b.latest) && yearOf(a.latest) === yearOf(b.latest);

/** @type {(ms: number | undefined) => string} */
const dayOf = (ms) => (ms === undefined ? "No date" : DAY.format(ms));

/** @type {(ms: number | undefined) => string} */
const yearOf = (ms) => (ms === undefined ? "" : String(new Date(ms).getFullYear()));

/**
 * @param {string} year
 * @param {number} count
 * @returns {HTMLElement}
 */
function yearHeading(year, count) {
    const heading = make("h2", "yr", year === "" ? "Unknown date" : year);
    heading.append(make("span", "", `${count.toLocaleString("en-US")} ${count === 1 ? "session" : "sessions"}`));
    return heading;
}

/**
 * @param {Row} row
 * @param {boolean} isBelow
 * @returns {HTMLElement}
 */
function drawRow(row, isBelow) {
    const item = make("li", isBelow ? "kid" : "");
    const link = /** @type {HTMLAnchorElement} */ (make("a", "sr"));
    link.href = pageOf(row);
    link.dataset.sessionId = row.id;
    const ended = make("span", "ended");
    ended.dataset.ended = row.ended ?? "";
    ended.append(make("span", "vh", row.ended === undefined ? "" : `ended ${ENDINGS.get(row.ended) ?? row.ended}`));
    const title = make("span", "ti");
    title.title = row.title;
    if (row.parent !== undefined) {
        title.append(make("span", "fork"), make("span", "vh", "Continues another session: "));
    }
    title.append(make("bdi", "", row.title));
    for (const words of notes(row)) {
        title.append(make("span", "brn", words));
    }
    const cells = [
        ...(row.by.name === "" ? [] : [["au", row.by.name, ""]]),
        ["ag", row.agent, ""],
        ["pj", row.project ?? "", ""],
        ["c pr", number(row.prompts), row.prompts === 1 ? " prompt" : " prompts"],
        ["c fi", number(row.files), row.files === 1 ? " file" : " files"],
        ["c fa", number(row.failures), row.failures === 1 ? " failure" : " failures"],
        ["c tk", row.tokens ? shortCount(row.tokens) : "", " tokens"],
        ["c co", moneyText(row.cost ?? 0), ""],
        ["c du", row.worked ? durationText(row.worked) : "", ""],
    ].map(([name, text, unit]) => {
        const cell = make("span", name, text);
        if (text !== "" && unit !== "") {
            cell.append(make("span", "u", unit));
        }
        return cell;
    });
    // That of the last entry, as the day is: a session can go on for days.
    const time = make("time", "", row.latest === undefined ? "" : TIME.format(row.latest));
    if (row.latest !== undefined) {
        time.setAttribute("datetime", new Date(row.latest).toISOString());
    }
    link.append(ended, title, ...cells, time);
    item.append(link);
    return item;
}

/**
 * @param {Row} row
 * @returns {string[]} what stands behind its title
 */
function notes({ branches, subs, gone }) {
    return [
        ...(branches ? [`${branches} branches`] : []),
        ...(subs ? [`${subs} ${subs === 1 ? "sub-agent" : "sub-agents"}`] : []),
        ...(gone ? ["deleted by its agent"] : []),
    ];
}

/** @type {(count: number | undefined) => string} */
const number = (count) => (count ? count.toLocaleString("en-US") : "");
