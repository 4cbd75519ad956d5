/**
 * The data of an archive. Over `file:` a page may load classic scripts and nothing else, so each file is a call that hands
 * its value over.
 */

/** @type {Map<string, (value: any) => void>} */
const waiting = new Map();

/** @type {Map<string, Promise<any>>} */
const underWay = new Map();

/** @type {{createScriptURL: (url: string) => any} | undefined} */
const policy = /** @type {any} */ (window).trustedTypes?.createPolicy("leafpress", {
    createScriptURL: (/** @type {string} */ url) => url,
});

/** @type {any} */ (window).leafpressData = (/** @type {string} */ name, /** @type {unknown} */ value) => waiting.get(name)?.(value);

/**
 * @param {string} name a path in `data/`, without its ending
 * @returns {Promise<any>} rejected where the file is missing or does not hand over what it is named for
 */
export function load(name) {
    const promise = underWay.get(name) ?? inserted(name);
    underWay.set(name, promise);
    return promise;
}

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
function inserted(name) {
    return new Promise((resolve, reject) => {
        const path = pathOf(name);
        const script = document.createElement("script");
        script.src = policy?.createScriptURL(path) ?? path;
        // Where the value has come, the promise keeps it. A damaged script loads and hands nothing over.
        script.onload = script.onerror = () => {
            waiting.delete(name);
            underWay.delete(name);
            script.remove();
            reject(new Error(`failed to read ${path}`));
        };
        waiting.set(name, resolve);
        document.head.append(script);
    });
}

/**
 * @param {string} name
 * @returns {string} its address from the index
 */
export function pathOf(name) {
    return `data/${name.split("/").map(encodeURIComponent).join("/")}.js`;
}
