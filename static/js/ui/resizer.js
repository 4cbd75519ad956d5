/** The edge between tree and text: drag it, or arrows, Home and End; a double click gives the default back. */

import { byId, hasModifier, listen } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { remember, SIDEBAR_SIZE } from "../base/storage.js";

const SIDEBAR_MIN = 240;
const SIDEBAR_STEP = 16;

/** The text keeps at least this much of the window. */
const TEXT_SHARE = 0.4;

const SIZE = "--sidebar-size";

/** @returns {void} */
export function startResizer() {
    const handle = byId("resizer");
    const sidebar = byId("sidebar");
    const root = document.documentElement;
    const size = () => sidebar.getBoundingClientRect().width;
    const limit = () => Math.max(SIDEBAR_MIN, Math.floor(innerWidth * (1 - TEXT_SHARE)));
    const tell = () => {
        handle.setAttribute("aria-valuemin", String(SIDEBAR_MIN));
        handle.setAttribute("aria-valuemax", String(limit()));
        handle.setAttribute("aria-valuenow", String(Math.round(size())));
    };
    /** @type {(width: number) => string} */
    const fitting = (width) => `${Math.round(Math.min(limit(), Math.max(SIDEBAR_MIN, width)))}px`;
    // While it is dragged only the tree follows: each new width lays all of the text out again.
    /** @type {(width: number) => void} */
    const preview = (width) => {
        [sidebar, handle].forEach((moved) => moved.style.setProperty(SIZE, fitting(width)));
        tell();
    };
    /** @type {(width: number) => void} */
    const set = (width) => {
        [sidebar, handle].forEach((moved) => moved.style.removeProperty(SIZE));
        root.style.setProperty(SIZE, fitting(width));
        remember(SIDEBAR_SIZE, fitting(width).slice(0, -2));
        tell();
    };
    const reset = () => {
        root.style.removeProperty(SIZE);
        remember(SIDEBAR_SIZE, null);
        tell();
    };

    dragToResize(handle, size, preview, set);
    listen(handle, "dblclick", reset);
    listen(handle, "keydown", (event) => {
        const keys = { ArrowLeft: size() - SIDEBAR_STEP, ArrowRight: size() + SIDEBAR_STEP, Home: SIDEBAR_MIN, End: limit() };
        const width = keys[/** @type {keyof typeof keys} */ (event.key)];
        if (width !== undefined && !hasModifier(event)) {
            event.preventDefault();
            set(width);
        }
    });
    listen(window, "resize", oncePerFrame(tell));
    tell();
}

/**
 * @param {HTMLElement} handle
 * @param {() => number} size
 * @param {(width: number) => void} preview
 * @param {(width: number) => void} set
 */
function dragToResize(handle, size, preview, set) {
    /** @type {number | null} from the pointer to the edge; null while nothing is dragged */
    let grip = null;
    let pointer = 0;
    let moved = false;
    const follow = oncePerFrame(() => {
        if (grip !== null) {
            preview(pointer + grip);
        }
    });
    listen(handle, "pointerdown", (event) => {
        if (event.button === 0) {
            grip = size() - event.clientX;
            pointer = event.clientX;
            moved = false;
            handle.setPointerCapture(event.pointerId);
        }
    });
    listen(handle, "pointermove", (event) => {
        if (grip !== null) {
            pointer = event.clientX;
            moved = true;
            follow();
        }
    });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
        listen(handle, type, () => {
            if (grip !== null && moved) {
                set(pointer + grip);
            }
            grip = null;
        });
    }
}
