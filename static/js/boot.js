/**
 * Runs in <head>, before the first paint: says that there is a script, and puts the level of detail, the remembered
 * theme and the width of the tree on <html>, so that a dark page never flashes white and nothing jumps.
 */

import { DETAIL_STORED, recall, SIDEBAR_SIZE, THEME_STORED } from "./base/storage.js";
import { DETAILS } from "./outline/shared.js";

const root = document.documentElement;
root.dataset.js = "";
root.dataset.exported = root.dataset.detail;

document.addEventListener("DOMContentLoaded", () => {
    // The rest of the page is missing, as after a broken download: nothing will take the place of the plain document.
    if (root.dataset.js === "" && document.querySelector("#program + script") === null) {
        delete root.dataset.js;
    }
});

const asked = /[?&#]detail=(\w+)/u.exec(location.hash)?.[1] ?? /[?&]detail=(\w+)/u.exec(location.search)?.[1];
const detail = [asked, recall(DETAIL_STORED)].find((name) => DETAILS.includes(name ?? ""));
if (detail) {
    root.dataset.detail = detail;
}

const theme = recall(THEME_STORED);
if (theme === "light" || theme === "dark" || theme === "auto") {
    root.dataset.theme = theme;
}

const sidebar = Number(recall(SIDEBAR_SIZE));
if (sidebar > 0) {
    // Remembered in another window, it must not fill this one; the limits are those of ui/resizer.js.
    root.style.setProperty("--sidebar-size", `clamp(240px, ${sidebar}px, 60vw)`);
}
