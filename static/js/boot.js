/**
 * Runs in <head>, before the first paint: says that there is a script, and puts the level of detail, the remembered
 * theme and the width of the tree on <html>, so that a dark page never flashes white and nothing jumps.
 */
(() => {
    "use strict";
    const root = document.documentElement;
    root.dataset.js = "";
    root.dataset.exported = root.dataset.detail;
    const details = /^(?:story|steps|full)$/u;
    const asked = /[?&#]detail=(\w+)/u.exec(location.hash)?.[1] ?? /[?&]detail=(\w+)/u.exec(location.search)?.[1] ?? "";
    if (details.test(asked)) {
        root.dataset.detail = asked;
    }
    try {
        const detail = localStorage.getItem("leafpress:detail") ?? "";
        if (!details.test(asked) && details.test(detail)) {
            root.dataset.detail = detail;
        }
        const theme = localStorage.getItem("leafpress:theme");
        if (theme === "light" || theme === "dark" || theme === "auto") {
            root.dataset.theme = theme;
        }
        const sidebar = Number(localStorage.getItem("leafpress:sidebar"));
        if (sidebar > 0) {
            // Remembered in another window, it must not fill this one; the limits are those of ui/resizer.js.
            root.style.setProperty("--sidebar-size", `clamp(240px, ${sidebar}px, 60vw)`);
        }
    } catch {
        // Storage is denied in some sandboxes and for some file: addresses.
    }
})();
