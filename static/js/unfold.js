/**
 * How much of the text stands open: tool output, thinking, messages that a terminal does not show.
 *
 * The reader chooses for all at once; a single fold is the browser's own `details` and keeps what was done to it
 * until the next choice.
 */

/**
 * @typedef {object} Choice
 * @property {string} name
 * @property {string} label
 * @property {string} key
 * @property {string[]} values
 * @property {string} usual as Rust wrote it
 */

/** @type {Choice[]} */
const CHOICES = [
    { name: "output", label: "Long output", key: "o", values: ["preview", "full"], usual: "preview" },
    { name: "thinking", label: "Thinking", key: "i", values: ["folded", "shown"], usual: "folded" },
    { name: "hidden", label: "Hidden messages", key: "h", values: ["folded", "shown"], usual: "folded" },
];

/** @typedef {Readonly<Record<string, string>>} Unfold the value of each choice by its name */

/** The levels of detail, by the keys 1, 2 and 3. */
const DETAILS = ["story", "steps", "full"];

const DETAIL_STORED = "leafpress:detail";

/** @type {Unfold} */
const USUAL_UNFOLD = { ...Object.fromEntries(CHOICES.map(({ name, usual }) => [name, usual])), detail: "full" };

/**
 * @returns {Unfold}
 */
function recallUnfold() {
    const values = CHOICES.map(({ name, values, usual }) => {
        const value = recall(`leafpress:${name}`) ?? "";
        return [name, values.includes(value) ? value : usual];
    });
    return Object.fromEntries(values);
}

/**
 * @param {Element} within
 * @param {Unfold} unfold
 */
function unfoldWithin(within, { output, thinking, hidden, detail }) {
    const wanted = new Map([
        ["card", detail === "full"],
        ["more", output === "full"],
        ["thinking", thinking === "shown"],
        ["hidden-message", hidden === "shown"],
    ]);
    for (const details of within.getElementsByTagName("details")) {
        const open = wanted.get(details.className) ?? details.open;
        if (open !== details.open) {
            details.open = open;
        }
        if (details.className === "more") {
            showAllLines(details);
        }
    }
}

/**
 * Applies the choices to the articles on show, near the view at once and elsewhere in the background; to others
 * when they are shown.
 *
 * @param {Reading} reading
 * @param {() => Iterable<Element | undefined>} others articles that are not in the list being read
 * @returns {{all: (unfold: Unfold) => void, fresh: (element: Element, unfold: Unfold) => void}} `all` after every
 *     change of the page, `fresh` for an article that has just got its content
 */
function makeUnfolder(reading, others) {
    /** @type {WeakMap<Element, Unfold>} */
    const done = new WeakMap();
    /** @type {[number[], Unfold]} */
    let last = [[], USUAL_UNFOLD];
    let stop = () => {};
    /** @type {(element: Element | undefined, unfold: Unfold) => void} */
    const one = (element, unfold) => {
        if (element !== undefined && (done.get(element) ?? USUAL_UNFOLD) !== unfold) {
            done.set(element, unfold);
            unfoldWithin(element, unfold);
        }
    };
    /** @type {(unfold: Unfold) => void} */
    const all = (unfold) => {
        const entries = reading.entries();
        if (entries === last[0] && unfold === last[1]) {
            return;
        }
        last = [entries, unfold];
        stop();
        articlesNear(reading).forEach(([, element]) => one(element, unfold));
        let [next, to] = reading.span();
        const rest = others()[Symbol.iterator]();
        stop = runInSlices({
            step() {
                if (next < to) {
                    one(reading.elementOf(entries[next++]), unfold);
                    return true;
                }
                const { value, done: isLast } = rest.next();
                one(value, unfold);
                return isLast !== true;
            },
        });
    };
    return {
        all,
        fresh(element, unfold) {
            // While it was empty a choice may have been applied to it.
            done.delete(element);
            one(element, unfold);
        },
    };
}

/**
 * Changes what stands open; what the reader looks at stays where it is.
 *
 * @param {() => void} change
 */
function keepEye(change) {
    const { left, width } = document.getElementsByTagName("main")[0].getBoundingClientRect();
    /** @type {Element | null} */
    let eye = document.elementFromPoint(left + width / 2, topEdge() + JUMP_ROOM);
    const was = eye?.getBoundingClientRect().top ?? 0;
    change();
    // Folded away: what it is folded into.
    for (let fold = eye; fold !== null; fold = fold.parentElement?.closest("details") ?? null) {
        if (fold instanceof HTMLDetailsElement && !fold.open && !isSummaryOf(fold, eye)) {
            eye = fold;
        }
    }
    // Shut: the line that stands for it.
    const shut = eye?.closest("article.shut") ?? null;
    const element = shut === null ? eye : lineOf(shut);
    if (element instanceof HTMLElement && element.closest("article") !== null) {
        const top = Math.max(was, topEdge());
        const to = element instanceof HTMLDetailsElement || shut !== null ? top : was;
        // Laid out once, with the frame: on a long page it costs as much as all the rest.
        requestAnimationFrame(() => scrollUntilStill(() => scrollBy(0, topOf(element) - to)));
    }
}

/**
 * @param {Element} shut
 * @returns {Element | null} the line above it that stands for it
 */
function lineOf(shut) {
    /** @type {Element | null} */
    let article = shut;
    while (article !== null && article.querySelector(":scope > .steps, :scope > .quiet") === null) {
        article = article.previousElementSibling;
    }
    return article;
}

/**
 * @param {HTMLDetailsElement} details
 * @param {Element | null} element
 * @returns {boolean}
 */
function isSummaryOf(details, element) {
    return details.firstElementChild?.contains(element) ?? false;
}

/**
 * @param {Parts} parts
 * @param {string} name
 * @param {string} [value] the next one unless given
 */
function chooseUnfold(parts, name, value) {
    const choice = CHOICES.find((other) => other.name === name);
    if (choice === undefined) {
        return;
    }
    const { label, values } = choice;
    const { unfold } = parts.store.get();
    const chosen = value ?? values[(values.indexOf(unfold[name]) + 1) % values.length];
    remember(`leafpress:${name}`, chosen);
    keepEye(() => parts.store.update({ unfold: { ...unfold, [name]: chosen } }));
    parts.notice.mention(`${label}: ${chosen}`);
}

/**
 * Shows more or less of every turn; what the reader looks at stays where it is.
 *
 * @param {Parts} parts
 * @param {string} detail
 */
function chooseDetail(parts, detail) {
    const { outline, store, addressBar, notice } = parts;
    const { unfold } = store.get();
    if (!DETAILS.includes(detail) || detail === unfold.detail) {
        return;
    }
    remember(DETAIL_STORED, detail);
    keepEye(() => store.update({ unfold: { ...unfold, detail }, toggled: NO_TOGGLES }));
    addressBar.replace(paramsOf(outline, store.get()));
    notice.mention(`Detail: ${detail}`);
}

/**
 * @param {string} detail
 */
function drawDetail(detail) {
    document.documentElement.dataset.detail = detail;
    for (const button of document.querySelectorAll("button[data-detail]")) {
        button.setAttribute("aria-pressed", String(button.getAttribute("data-detail") === detail));
    }
}

/** @type {HTMLElement[]} */
const CHOICE_BUTTONS = [];

/**
 * @param {Choice} choice
 * @returns {HTMLElement} one button for each value
 */
function makeChoice({ name, label, values, key }) {
    const group = make("div", "views");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", label);
    group.title = `${label} (${key})`;
    for (const value of values) {
        const button = makeButton("", value, () => {});
        button.dataset.choice = name;
        button.dataset.value = value;
        group.append(button);
        CHOICE_BUTTONS.push(button);
    }
    return group;
}

/**
 * @param {Unfold} unfold
 */
function drawChoices(unfold) {
    for (const button of CHOICE_BUTTONS) {
        button.setAttribute("aria-pressed", String(unfold[button.dataset.choice ?? ""] === button.dataset.value));
    }
}
