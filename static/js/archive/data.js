/** Reads the scripts of `data/`: a page that lies on a disk can load nothing else. Each hands its value over. */

import { unpacked } from "./pack.js";

/** @type {WeakMap<Element, (value: any) => void>} who waits for what a script has */
const waiting = new WeakMap();

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/** The only addresses of scripts: files of this folder, and of the archives of a team's authors in it. */
const NAME = /^[\w./-]+$/u;
const BASE = /^(?:authors\/[\w-]+\/)?$/u;

/** @type {{createScriptURL: (url: string) => unknown}} */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("leafpress", {
    createScriptURL: (/** @type {string} */ url) => url,
}) ?? { createScriptURL: (url) => url };

/** Takes what the scripts hand over. */
export function takeData() {
    const give = (/** @type {any} */ value) => {
        const script = document.currentScript;
        // Only packs are strings.
        script && waiting.get(script)?.(typeof value === "string" ? unpacked(value) : value);
    };
    Object.defineProperty(window, "leafpressData", { value: give });
}

/**
 * @param {string} name of the file, inside `data/` and without its ending
 * @param {string} [base] the folder of the archive; empty for that of the page
 * @param {boolean} [keep] whether it is asked for more than once
 * @returns {Promise<any>} the text of a pack, else the value; rejected where there is no such file, or where it is damaged; then it is asked for again the next time
 */
export function load(name, base = "", keep = true) {
    const path = `${base}data/${name}.js`;
    const known = loaded.get(path);
    if (known !== undefined) {
        return known;
    }
    const promise = new Promise((resolve, reject) => {
        if (!NAME.test(name) || name.includes("..") || !BASE.test(base)) {
            throw new Error(`no file of the archive: ${path}`);
        }
        const script = document.createElement("script");
        waiting.set(script, resolve);
        script.src = /** @type {string} */ (policy.createScriptURL(path));
        const done = () => {
            script.remove();
            // Too late where the value has come.
            reject(new Error(`failed to read ${path}`));
        };
        script.onload = done;
        script.onerror = done;
        document.head.append(script);
    });
    if (keep) {
        loaded.set(path, promise);
        promise.catch(() => loaded.delete(path));
    }
    return promise;
}
