/**
 * Opens the page's script and the style of its controls, which lie here compressed: three fifths of them are thus
 * never written. The style is the first line.
 *
 * The Content-Security-Policy names the script's hash, so nothing else can come of it.
 */

import { bytesOf } from "./chunks/base91.js";

(async () => {
    const packed = document.getElementById("program");
    try {
        const stream = new Blob([bytesOf(packed?.textContent ?? "")]).stream().pipeThrough(new DecompressionStream("deflate"));
        const text = await new Response(stream).text();
        const end = text.indexOf("\n");
        const style = new CSSStyleSheet();
        style.replaceSync(text.slice(0, end));
        document.adoptedStyleSheets = [style];
        document.documentElement.dataset.js = "styled";
        const code = text.slice(end + 1);
        const script = document.createElement("script");
        const types = /** @type {any} */ (window).trustedTypes;
        script.text = types?.createPolicy("leafpress", { createScript: () => code }).createScript("") ?? code;
        packed?.replaceWith(script);
    } catch {
        // The plain document, as without a script.
        delete document.documentElement.dataset.js;
    }
})();
