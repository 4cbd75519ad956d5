/** Modal dialogs. The browser keeps the focus inside and gives it back. */

import { byId, listen, make, makeButton } from "../base/dom.js";

/**
 * All there are: a selector would look through the whole document for them.
 *
 * @type {HTMLDialogElement[]}
 */
const DIALOGS = [];

/**
 * @param {string} id
 * @returns {HTMLDialogElement}
 */
export function dialogById(id) {
    const dialog = /** @type {HTMLDialogElement} */ (byId(id));
    DIALOGS.push(dialog);
    dialog.querySelector(".dialog-close")?.addEventListener("click", () => dialog.close());
    listen(dialog, "click", (event) => {
        if (event.target === dialog && !isInside(dialog, event)) {
            dialog.close();
        }
    });
    return dialog;
}

/**
 * A dialog that only the script needs.
 *
 * @param {string} id
 * @param {string} title
 * @returns {[dialog: HTMLDialogElement, body: HTMLElement]}
 */
export function makeDialog(id, title) {
    const [dialog, head, body] = [make("dialog", ""), make("div", "dialog-head"), make("div", "dialog-body")];
    dialog.id = id;
    dialog.setAttribute("aria-label", title);
    const close = makeButton("dialog-close", "");
    close.setAttribute("aria-label", "Close");
    head.append(make("h2", "", title), close);
    dialog.append(head, body);
    document.body.append(dialog);
    return [dialogById(id), body];
}

/**
 * A click on the backdrop is a click on the dialog, beside its box.
 *
 * @param {HTMLElement} element
 * @param {MouseEvent} event
 * @returns {boolean}
 */
function isInside(element, event) {
    const box = element.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/**
 * @param {HTMLDialogElement} dialog
 */
export function openDialog(dialog) {
    if (!dialog.open) {
        dialog.showModal();
    }
}

/**
 * @returns {HTMLDialogElement | undefined}
 */
export function openedDialog() {
    return DIALOGS.find((dialog) => dialog.open);
}
