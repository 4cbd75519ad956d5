/** The list of keys, and the switch that turns the single ones off for people whom they get in the way. */

const KEYS_STORED = "leafpress:keys";

/** @type {[string, [string[], string][]][]} */
const KEY_LIST = [
    [
        "Reading",
        [
            [["j", "k"], "next, previous prompt"],
            [["e", "E"], "next, previous error"],
            [["t", "T"], "next, previous failed tool"],
            [["c", "C"], "next, previous compaction"],
            [["f", "F"], "next, previous fork"],
            [["n", "N"], "next, previous search hit"],
            [["b"], "back to where I was before the jump"],
            [["g g", "G"], "top, bottom"],
        ],
    ],
    [
        "Page",
        [
            [["/"], "search"],
            [["v"], "path or context: what the model saw"],
            [["1", "2", "3"], "level of detail: story, steps, full"],
            [["o"], "long output: preview, full"],
            [["i"], "thinking: folded, shown"],
            [["h"], "messages hidden in the terminal: folded, shown"],
            [["l"], "all branches"],
            [["d"], "compare with another branch"],
            [["?"], "this list"],
            [["Esc"], "close what is open"],
        ],
    ],
    [
        "In the tree",
        [
            [["↑", "↓"], "move; also Home, End, Page keys"],
            [["←", "→"], "fold or go out, unfold or go in"],
            [["Enter"], "open the entry"],
            [["a … z"], "to the next row that begins so"],
        ],
    ],
    [
        "In the search field",
        [
            [["Enter"], "next hit; with Shift the previous one"],
            [["Esc"], "clear"],
        ],
    ],
];

/** @type {boolean | undefined} */
let singleKeys;

/**
 * Whether keys without a modifier do something. WCAG 2.1.4 wants them to be switched off on demand.
 *
 * @returns {boolean}
 */
function singleKeysOn() {
    if (singleKeys === undefined) {
        try {
            singleKeys = localStorage.getItem(KEYS_STORED) !== "off";
        } catch {
            singleKeys = true;
        }
    }
    return singleKeys;
}

/**
 * @param {boolean} on
 */
function switchSingleKeys(on) {
    singleKeys = on;
    try {
        localStorage.setItem(KEYS_STORED, on ? "on" : "off");
    } catch {
        // Denied: it lasts as long as the page.
    }
}

/**
 * @returns {() => void} opens it
 */
function makeOverlay() {
    const [dialog, body] = makeDialog("overlay", "Keys");
    for (const [title, keys] of KEY_LIST) {
        const group = make("section", "key-group");
        const list = make("dl", "");
        for (const [names, meaning] of keys) {
            const term = make("dt", "");
            term.append(...names.map((name) => make("kbd", "", name)));
            list.append(term, make("dd", "", meaning));
        }
        group.append(make("h3", "", title), list);
        body.append(group);
    }
    dialog.append(makeKeySwitch());
    return () => openDialog(dialog);
}

/**
 * @returns {HTMLElement}
 */
function makeKeySwitch() {
    const label = make("label", "key-switch");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.id = "single-keys";
    box.checked = singleKeysOn();
    listen(box, "change", () => switchSingleKeys(box.checked));
    label.append(box, "Single keys do these things");
    return label;
}
