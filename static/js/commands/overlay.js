/** The list of keys, and the switch that turns the single ones off for people whom they get in the way. */

import { COMMAND_GROUPS } from "../actions/commands.js";
import { listen, make } from "../base/dom.js";
import { makeDialog, openDialog } from "../ui/dialog.js";
import { singleKeysOn, switchSingleKeys } from "../ui/single-keys.js";

/**
 * @returns {() => void} opens it
 */
export function makeOverlay() {
    const [dialog, body] = makeDialog("overlay", "Keys");
    for (const { title, commands } of COMMAND_GROUPS) {
        const group = make("section", "key-group");
        const list = make("dl", "");
        for (const { keys, text } of commands.filter(({ keys }) => keys.length > 0)) {
            const term = make("dt", "");
            term.append(...keys.map((key) => make("kbd", "", key)));
            list.append(term, make("dd", "", text));
        }
        group.append(make("h3", "", title), list);
        body.append(group);
    }
    dialog.append(make("p", "key-switch", "Dotted line: no longer in the model's context"), makeKeySwitch());
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
    label.append(box, "Use single-key shortcuts");
    return label;
}
