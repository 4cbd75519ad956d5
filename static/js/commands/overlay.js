/** The list of keys, and the switch that turns the single ones off for people whom they get in the way. */

import { listen, make } from "../base/dom.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { singleKeysOn, switchSingleKeys } from "../ui/single-keys.js";

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
            [["b"], "go back to before the jump"],
            [["g g", "G"], "top, bottom"],
        ],
    ],
    [
        "Page",
        [
            [["/"], "search"],
            [["v"], "switch between path and context"],
            [["1", "2", "3"], "level of detail: story, steps, full"],
            [["o"], "long output: preview, full"],
            [["i"], "thinking: folded, shown"],
            [["h"], "hidden messages: folded, shown"],
            [["l"], "all branches"],
            [["d"], "compare with another branch"],
            [["?"], "show this list"],
            [["Esc"], "close"],
        ],
    ],
    [
        "In the tree",
        [
            [["↑", "↓"], "move; also Home, End, Page Up, Page Down"],
            [["←", "→"], "collapse or go to parent, expand or go to first child"],
            [["Enter"], "open the entry"],
            [["a … z"], "jump to the next row that starts with these letters"],
        ],
    ],
    [
        "In the search field",
        [
            [["Enter"], "next hit; with Shift, previous hit"],
            [["Esc"], "clear"],
        ],
    ],
];

/**
 * @returns {() => void} opens it
 */
export function makeOverlay() {
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
