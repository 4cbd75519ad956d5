/** The index of an archive: lists the sessions that `data/` has, and searches in them. */

import { byId, eventTarget, hasModifier, inputById, isTyping, listen, make, setText } from "../base/dom.js";
import { recall, THEME_STORED } from "../base/storage.js";
import { queryAdvice } from "../search/advice.js";
import { boundedQuery } from "../search/bounds.js";
import { startThemeSwitch } from "../ui/theme.js";
import { readMonths } from "./authors.js";
import { takeData } from "./data.js";
import { addParams, chosenIn, filtered, isAnyChosen, makeFacets } from "./facets.js";
import { readQuery } from "./query.js";
import { drawFound } from "./results.js";
import { drawRows } from "./rows.js";
import { candidates, readOn } from "./search.js";
import { drawTotals } from "./totals.js";

/** @import { Row } from "./rows.js" */

/** Waits so long after a key, in milliseconds. */
const PAUSE = 120;

/** So many sessions are found before the reader asks for more. */
const ENOUGH = 40;

/** Where so few may match, all are read: their number is then exact. */
const FEW = 400;

/** @type {Record<string, (row: Row) => number>} */
const SORTS = { longest: ({ worked }) => worked ?? 0, costliest: ({ cost }) => cost ?? 0 };

const root = document.documentElement;
const theme = recall(THEME_STORED);
if (theme === "light" || theme === "dark") {
    root.dataset.theme = theme;
}
root.dataset.js = "";
listen(document, "DOMContentLoaded", () => void start());

async function start() {
    takeData();
    const params = new URLSearchParams(location.search);
    const field = inputById("search");
    field.value = params.get("q") ?? "";
    let sort = Object.keys(SORTS).find((name) => name === params.get("sort")) ?? "";
    const chosen = chosenIn(params);
    /** @type {Row[]} */
    const rows = [];
    const [list, results] = [byId("sessions"), byId("results")];
    const drawFacets = makeFacets(byId("values"), chosen, changed);
    startThemeSwitch(byId("theme"));
    startSorts();
    startDrawer();
    startKeys(field);
    /** Counts the searches: an older one ends when there is a newer. */
    let search = 0;
    listen(byId("clear"), "click", () => {
        chosen.values.forEach((set) => set.clear());
        [chosen.from, chosen.to] = [(inputById("from").value = ""), (inputById("to").value = "")];
        changed();
    });
    let timer = 0;
    listen(field, "input", () => {
        clearTimeout(timer);
        timer = setTimeout(changed, PAUSE);
    });

    /** What is wrong with the archive; empty for nothing. */
    let trouble = "";
    for await (const month of readMonths(root.hasAttribute("data-team"))) {
        rows.push(...month.rows);
        trouble = month.trouble;
        if (root.dataset.ready === undefined && rows.length > 0) {
            draw();
            root.dataset.ready = "";
        }
    }
    root.dataset.loaded = "";
    draw();
    root.dataset.ready = "";

    function changed() {
        const next = new URLSearchParams();
        if (field.value !== "") {
            next.set("q", field.value);
        }
        if (sort !== "") {
            next.set("sort", sort);
        }
        addParams(chosen, next);
        const query = next.toString();
        // Some browsers refuse it where pages are shown in a frame.
        try {
            history.replaceState(null, "", query === "" ? location.pathname : `?${query}`);
        } catch {
            // The address stays what it was.
        }
        draw();
    }

    function draw() {
        drawFacets(rows);
        byId("clear").hidden = !isAnyChosen(chosen);
        const shown = filtered(rows, chosen);
        drawTotals(byId("count"), byId("totals"), shown);
        const asked = readQuery(boundedQuery(field.value));
        search++;
        delete root.dataset.complete;
        // What was found is in the order of time.
        root.toggleAttribute("data-searching", asked !== null);
        results.hidden = byId("searched").hidden = asked === null;
        list.hidden = byId("columns").hidden = byId("totals").hidden = asked !== null;
        setText(byId("searched"), `Titles, prompts, responses, commands and paths of ${sessions(shown.length)}. A session’s own page also searches tool output and thinking.`);
        say([trouble, ...(asked === null ? [] : queryAdvice(asked.rest))].join(" "));
        if (asked === null) {
            const by = SORTS[sort];
            // As the files have them: the newest first.
            drawRows(list, by === undefined ? shown : shown.toSorted((a, b) => by(b) - by(a)), by === undefined);
            status(`${count(shown.length)} of ${count(rows.length)} sessions`);
            if (shown.length === 0 && trouble === "" && root.dataset.loaded !== undefined) {
                say(rows.length === 0 ? "This archive has no sessions." : "No session has all that you chose.");
            }
            if (root.dataset.loaded !== undefined) {
                root.dataset.complete = "";
            }
        } else if (root.dataset.loaded !== undefined) {
            void find(shown, asked, search);
        } else {
            results.replaceChildren();
            tell("Searching …");
        }
    }

    /**
     * @param {Row[]} among
     * @param {import("./query.js").SessionQuery} asked
     * @param {number} mine
     */
    async function find(among, asked, mine) {
        const stopped = () => mine !== search;
        results.setAttribute("aria-busy", "true");
        tell("Searching …");
        let found = 0;
        let messages = 0;
        let failed = 0;
        let read = 0;
        const query = field.value;
        const marks = asked.query?.marks ?? [];
        const all = await candidates(among, asked);
        if (stopped()) {
            return;
        }
        // What an earlier query found stays until there is something else to see.
        let isFirst = true;
        const clear = () => {
            if (isFirst) {
                results.replaceChildren();
                isFirst = false;
            }
        };
        const left = all.values();
        const more = make("button", "more", "Show more");
        more.setAttribute("type", "button");
        listen(more, "click", () => void goOn(ENOUGH));
        await goOn(all.length <= FEW ? Infinity : ENOUGH);

        /** @param {number} enough */
        async function goOn(enough) {
            more.remove();
            results.setAttribute("aria-busy", "true");
            const isDone = await readOn(left, asked, enough, {
                stopped,
                failed: () => failed++,
                read: (number) => {
                    read += number;
                    if (found === 0) {
                        tell(`Searched ${count(read)} of ${sessions(all.length)} …`);
                    }
                },
                found: (one) => {
                    clear();
                    found++;
                    messages += one.messages.length;
                    results.append(drawFound(one, marks, query));
                    tell(`At least ${sessions(found)}`);
                },
            });
            if (stopped()) {
                return;
            }
            clear();
            results.setAttribute("aria-busy", "false");
            const hits = messages === 0 ? "" : `, ${count(messages)} ${messages === 1 ? "hit" : "hits"}`;
            tell(isDone ? `${sessions(found)}${hits}` : `At least ${sessions(found)}${hits}`);
            if (failed > 0) {
                say(`${sessions(failed)} could not be read: files of data/ are missing or damaged.`);
            } else if (found === 0 && isDone) {
                say(`Nothing matches “${query}”.`);
            }
            if (isDone) {
                root.dataset.complete = "";
            } else {
                results.append(more);
            }
        }
    }

    function startSorts() {
        const buttons = Array.from(document.querySelectorAll("[data-sort]"), (button) => /** @type {HTMLElement} */ (button));
        const select = /** @type {HTMLSelectElement} */ (byId("sort"));
        const mark = () => {
            buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.sort === sort)));
            select.value = sort;
        };
        const take = (/** @type {string} */ chosenSort) => {
            sort = chosenSort;
            mark();
            changed();
        };
        buttons.forEach((button) => listen(button, "click", () => take(button.dataset.sort ?? "")));
        listen(select, "change", () => take(select.value));
        mark();
    }
}

/** The filters, which are a drawer on a narrow screen. */
function startDrawer() {
    const set = (/** @type {boolean} */ open) => {
        root.toggleAttribute("data-drawer", open);
        byId("filters").setAttribute("aria-expanded", String(open));
        // What lies below a drawer cannot be reached.
        [byId("bar"), byId("list"), byId("dock")].forEach((part) => part.toggleAttribute("inert", open));
        (open ? byId("side").querySelector("input") : byId("filters"))?.focus();
    };
    listen(byId("filters"), "click", () => set(!root.hasAttribute("data-drawer")));
    listen(byId("scrim"), "click", () => set(false));
    listen(document, "keydown", (event) => {
        if (event.key === "Escape" && root.hasAttribute("data-drawer")) {
            set(false);
        }
    });
    // A wider window has no drawer.
    listen(window, "resize", () => byId("filters").checkVisibility() || !root.hasAttribute("data-drawer") || set(false));
}

/**
 * `/` goes to the search; arrows go from session to session.
 *
 * @param {HTMLInputElement} field
 */
function startKeys(field) {
    listen(document, "keydown", (event) => {
        if (event.key === "/" && !isTyping(event) && !hasModifier(event)) {
            event.preventDefault();
            field.select();
        } else if (event.key === "Escape" && event.target === field) {
            field.value = "";
            field.dispatchEvent(new Event("input"));
        } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !hasModifier(event)) {
            const links = Array.from(document.querySelectorAll("#sessions:not([hidden]) a, #results:not([hidden]) a"), (link) => /** @type {HTMLElement} */ (link));
            const at = links.indexOf(/** @type {HTMLElement} */ (eventTarget(event, "a")));
            const next = event.key === "ArrowDown" ? at + 1 : at - 1;
            if (at >= 0 || (event.target === field && next === 0)) {
                event.preventDefault();
                (links[next] ?? (next < 0 ? field : undefined))?.focus();
            }
        }
    });
}

/** @type {(text: string) => void} */
const say = (text) => {
    setText(byId("notice"), text);
    byId("notice").hidden = text === "";
};

/** @type {(text: string) => void} */
const status = (text) => {
    setText(byId("status"), text);
    setText(byId("shown"), text);
};

/**
 * How far a search is, as the heading, too.
 *
 * @param {string} text
 */
const tell = (text) => {
    setText(byId("count"), text);
    status(text);
};

/** @type {(number: number) => string} */
const count = (number) => number.toLocaleString("en-US");

/** @type {(number: number) => string} */
const sessions = (number) => `${count(number)} ${number === 1 ? "session" : "sessions"}`;
