/**
 * Opens the page's script and the style of its controls, which lie here compressed: three fifths of them are thus
 * never written. The style is the first line.
 *
 * Opening them takes as long as the first paint, which comes before it.
 *
 * The Content-Security-Policy names the script's hash, so nothing else can come of it.
 */

import { painted } from "./base/painted.js";
import { bytesOf } from "./chunks/base91.js";

(async () => {
    const { dataset } = document.documentElement;
    try {
        await painted();
        const packed = /** @type {HTMLElement} */ (document.getElementById("program"));
        const stream = new Blob([bytesOf(packed.textContent)]).stream().pipeThrough(new DecompressionStream("deflate"));
        const text = await new Response(stream).text();
        const end = text.indexOf("\n");
        const style = new CSSStyleSheet();
        style.replaceSync(text.slice(0, end));
        document.adoptedStyleSheets = [style];
        dataset.js = "styled";
        const code = text.slice(end + 1);
        const script = document.createElement("script");
        const types = /** @type {any} */ (window).trustedTypes;
        script.text = types?.createPolicy("leafpress", { createScript: () => code }).createScript("") ?? code;
        packed.replaceWith(script);
    } catch {
        // The plain document, as without a script.
        delete dataset.js;
    }
})();
