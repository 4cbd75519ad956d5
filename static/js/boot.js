/**
 * Runs in <head>, before the first paint: says that there is a script, and puts the remembered theme
 * on <html> so that a dark page never flashes white.
 */
(() => {
    "use strict";
    const root = document.documentElement;
    root.dataset.js = "";
    try {
        const theme = localStorage.getItem("leafpress:theme");
        if (theme === "light" || theme === "dark" || theme === "auto") {
            root.dataset.theme = theme;
        }
    } catch {
        // Storage is denied in some sandboxes and for some file: addresses.
    }
})();
