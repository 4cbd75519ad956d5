/**
 * Opens the page's script, which lies here compressed: three fifths of it are thus never written.
 *
 * The Content-Security-Policy names the script's hash, so nothing else can come of it.
 */

import { bytesOf } from "./chunks/base91.js";

(async () => {
    const packed = document.getElementById("program");
    try {
        const stream = new Blob([bytesOf(packed?.textContent ?? "")]).stream().pipeThrough(new DecompressionStream("deflate"));
        const text = await new Response(stream).text();
        const script = document.createElement("script");
        const types = /** @type {any} */ (window).trustedTypes;
        script.text = types?.createPolicy("leafpress", { createScript: () => text }).createScript("") ?? text;
        packed?.replaceWith(script);
    } catch {
        // The plain document, as without a script.
        delete document.documentElement.dataset.js;
    }
})();
