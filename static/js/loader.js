/**
 * Opens the page's script and the style of its controls, which lie here compressed: three fifths of them are thus
 * never written. The style comes first, up to a NUL.
 *
 * Opening them takes as long as the first paint, which comes before it.
 *
 * The Content-Security-Policy names the script's hash, so nothing else can come of it.
 */

import { painted } from "./base/painted.js";
import { bytesOf } from "./chunks/base91.js";
import { FORMAT } from "./chunks/signs.js";

(async () => {
    const { dataset } = document.documentElement;
    try {
        if (dataset.format !== FORMAT) {
            throw FORMAT;
        }
        await painted();
        const types = /** @type {any} */ (window).trustedTypes;
        const policy = types?.createPolicy("leafpress", { createScript: (/** @type {string} */ code) => code });
        const packed = /** @type {Element} */ (document.querySelector("#program"));
        const stream = /** @type {any} */ (new Response(bytesOf(packed.textContent)).body);
        const [sheet, code] = (await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).text()).split("\0");
        const style = new CSSStyleSheet();
        style.replaceSync(sheet);
        document.adoptedStyleSheets = [style];
        const script = document.createElement("script");
        script.text = policy ? policy.createScript(code) : code;
        packed.replaceWith(script);
        dataset.js = "styled";
    } catch {
        // The plain document, as without a script: also where a tool has put parts of two pages together.
        delete dataset.js;
    }
})();
