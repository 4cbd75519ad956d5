/** The edge between tree and text: drag it, or arrows, Home and End; a double click gives the default back. */

const SIDEBAR_MIN = 240;
const SIDEBAR_STEP = 16;

/** The text keeps at least this much of the window. */
const TEXT_SHARE = 0.4;

/** @returns {void} */
function startResizer() {
    const handle = byId("resizer");
    const root = document.documentElement;
    const size = () => byId("sidebar").getBoundingClientRect().width;
    const limit = () => Math.max(SIDEBAR_MIN, Math.floor(innerWidth * (1 - TEXT_SHARE)));
    const tell = () => {
        handle.setAttribute("aria-valuemin", String(SIDEBAR_MIN));
        handle.setAttribute("aria-valuemax", String(limit()));
        handle.setAttribute("aria-valuenow", String(Math.round(size())));
    };
    /** @type {(width: number) => void} */
    const set = (width) => {
        const fitting = Math.round(Math.min(limit(), Math.max(SIDEBAR_MIN, width)));
        root.style.setProperty("--sidebar-size", `${fitting}px`);
        tell();
    };
    const keep = () => remember(SIDEBAR_SIZE, String(Math.round(size())));
    const reset = () => {
        root.style.removeProperty("--sidebar-size");
        remember(SIDEBAR_SIZE, null);
        tell();
    };

    dragToResize(handle, size, set, keep);
    handle.addEventListener("dblclick", reset);
    handle.addEventListener("keydown", (event) => {
        const width = widthAfterKey(event.key, size(), limit());
        if (width !== null && !hasModifier(event)) {
            event.preventDefault();
            set(width);
            keep();
        }
    });
    addEventListener("resize", oncePerFrame(tell), { passive: true });
    tell();
}

/**
 * @param {string} key
 * @param {number} size
 * @param {number} limit
 * @returns {number | null}
 */
function widthAfterKey(key, size, limit) {
    switch (key) {
        case "ArrowLeft":
            return size - SIDEBAR_STEP;
        case "ArrowRight":
            return size + SIDEBAR_STEP;
        case "Home":
            return SIDEBAR_MIN;
        case "End":
            return limit;
        default:
            return null;
    }
}

/**
 * @param {HTMLElement} handle
 * @param {() => number} size
 * @param {(width: number) => void} set
 * @param {() => void} keep
 */
function dragToResize(handle, size, set, keep) {
    /** From the pointer to the edge; null while nothing is dragged. @type {number | null} */
    let grip = null;
    let pointer = 0;
    // A new width lays the whole text out again: no more often than it is seen.
    const follow = oncePerFrame(() => {
        if (grip !== null) {
            set(pointer + grip);
        }
    });
    handle.addEventListener("pointerdown", (event) => {
        if (event.button === 0) {
            grip = size() - event.clientX;
            pointer = event.clientX;
            handle.setPointerCapture(event.pointerId);
        }
    });
    handle.addEventListener("pointermove", (event) => {
        if (grip !== null) {
            pointer = event.clientX;
            follow();
        }
    });
    for (const type of ["pointerup", "pointercancel"]) {
        handle.addEventListener(type, () => {
            if (grip !== null && pointer + grip !== size()) {
                set(pointer + grip);
                keep();
            }
            grip = null;
        });
    }
}
