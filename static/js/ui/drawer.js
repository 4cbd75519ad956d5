/** On small screens the sidebar is a drawer: scrim, Escape, focus kept inside and given back. */

import { byId, listen, makeButton } from "../base/dom.js";

/** The same width as in sidebar.css. */
const NARROW = "(max-width: 899.98px)";

/**
 * @typedef {object} Drawer
 * @property {() => boolean} isNarrow
 * @property {() => void} open
 * @property {() => boolean} close false when it was not open
 */

/**
 * Whether the sidebar is seen: beside the page, or as a drawer that is open.
 *
 * @returns {boolean}
 */
export function isSidebarSeen() {
    return !matchMedia(NARROW).matches || document.documentElement.classList.contains("drawer-open");
}

/**
 * @param {() => void} onSeen called when the sidebar comes into view
 * @returns {Drawer}
 */
export function makeDrawer(onSeen) {
    const root = document.documentElement;
    const sidebar = byId("sidebar");
    const toggle = byId("sidebar-toggle");
    const scrim = byId("scrim");
    const narrow = matchMedia(NARROW);
    /** @type {HTMLElement | null} */
    let cameFrom = null;

    /** @type {(open: boolean) => void} */
    const draw = (open) => {
        root.classList.toggle("drawer-open", open);
        if (isSidebarSeen()) {
            onSeen();
        }
        toggle.setAttribute("aria-expanded", String(open));
        scrim.hidden = !open;
        // Inert is what keeps the focus inside: there is nowhere else to go.
        for (const outside of outsideOf(sidebar, scrim)) {
            outside.inert = open;
        }
    };
    const isOpen = () => root.classList.contains("drawer-open");
    const open = () => {
        if (narrow.matches && !isOpen()) {
            cameFrom = document.activeElement instanceof HTMLElement ? document.activeElement : null;
            draw(true);
            closer.focus();
        }
    };
    const close = () => {
        const wasOpen = isOpen();
        if (wasOpen) {
            draw(false);
            (cameFrom === null || cameFrom === document.body ? toggle : cameFrom).focus();
        }
        return wasOpen;
    };

    const closer = makeButton("drawer-close", "Close", close);
    sidebar.prepend(closer);
    listen(toggle, "click", () => (isOpen() ? close() : open()));
    listen(scrim, "click", close);
    listen(narrow, "change", () => draw(false));
    draw(false);
    return { isNarrow: () => narrow.matches, open, close };
}

/**
 * @param {HTMLElement} sidebar
 * @param {HTMLElement} scrim
 * @returns {HTMLElement[]}
 */
function outsideOf(sidebar, scrim) {
    const children = Array.from(document.body.children);
    return /** @type {HTMLElement[]} */ (
        children.filter((child) => child !== sidebar && child !== scrim && child.tagName !== "SCRIPT")
    );
}
