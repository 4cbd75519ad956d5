/** An image as large as the window; a small one several times its size, an icon in sharp squares. */

import { eventTarget, hasModifier, listen } from "../base/dom.js";
import { makeDialog, openDialog } from "./dialog.js";

/** A small picture is drawn up to this part of the window. */
const SMALL_PART = 0.6;

/** An icon has at most so many pixels a side. */
const ICON_SIDE = 64;

/**
 * @param {number} width
 * @param {number} height
 * @returns {number} how many times as large it is drawn
 */
function enlargement(width, height) {
    const room = Math.min((SMALL_PART * innerWidth) / width, (SMALL_PART * innerHeight) / height);
    return width > 0 && height > 0 ? Math.max(1, Math.floor(room)) : 1;
}

export function startLightbox() {
    const [dialog, body] = makeDialog("lightbox", "Image");
    const large = document.createElement("img");
    body.append(large);
    listen(large, "click", () => dialog.close());
    listen(large, "load", () => {
        const factor = enlargement(large.naturalWidth, large.naturalHeight);
        large.classList.toggle("icon", Math.max(large.naturalWidth, large.naturalHeight) <= ICON_SIDE);
        large.style.inlineSize = factor > 1 ? `${large.naturalWidth * factor}px` : "";
    });
    /** @type {(event: Event) => void} */
    const enlarge = (event) => {
        const image = eventTarget(event, ".body img[role=button]");
        if (image instanceof HTMLImageElement) {
            event.preventDefault();
            large.src = image.src;
            large.alt = image.alt;
            dialog.setAttribute("aria-label", image.alt);
            openDialog(dialog);
        }
    };
    listen(document, "click", enlarge);
    listen(document, "keydown", (event) => {
        if ((event.key === "Enter" || event.key === " ") && !hasModifier(event)) {
            enlarge(event);
        }
    });
}
