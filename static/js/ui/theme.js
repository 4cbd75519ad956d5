/** The theme switch: as the system has it, light, dark. boot.js applies what is remembered here. */

import { listen } from "../base/dom.js";
import { remember, THEME_STORED } from "../base/storage.js";

const THEMES = ["auto", "light", "dark"];

/**
 * @param {HTMLElement} button
 */
export function startThemeSwitch(button) {
    const root = document.documentElement;
    const draw = () => {
        const theme = currentTheme(root);
        button.setAttribute("aria-label", `Theme: ${theme}. Switch to ${nextTheme(theme)}`);
        button.title = `Theme: ${theme}`;
    };
    listen(button, "click", () => {
        root.dataset.theme = nextTheme(currentTheme(root));
        remember(THEME_STORED, root.dataset.theme);
        draw();
    });
    draw();
}

/**
 * @param {HTMLElement} root
 * @returns {string}
 */
function currentTheme(root) {
    const theme = root.dataset.theme ?? "";
    return THEMES.includes(theme) ? theme : "auto";
}

/**
 * @param {string} theme
 * @returns {string}
 */
function nextTheme(theme) {
    return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
}
