/**
 * The shell of a sealed page: asks for the password, opens every chunk, and then writes the page that was
 * sealed in its own place, so that the address with its query and fragment stays.
 *
 * The page's chunks are all opened before the first piece is written: damage is shown here and never shows
 * half a page. Neither the password nor the text is kept anywhere but in this document.
 */

import { makeUnsealer, TooManyRounds, WrongPassword } from "./unseal.js";

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Says something below the form.
 *
 * @param {string} text
 * @param {boolean} [isTrouble]
 */
function say(text, isTrouble = false) {
    const said = part("said");
    said.textContent = text;
    said.className = isTrouble ? "trouble" : "";
    said.setAttribute("role", isTrouble ? "alert" : "status");
}

/**
 * Why this browser cannot open the page here.
 *
 * @returns {string} empty if it can
 */
function obstacle() {
    if (globalThis.crypto?.subtle === undefined) {
        return isSecureContext
            ? "This browser does not support Web Cryptography. Open the page in a current Firefox, Chrome, Edge or Safari."
            : "Browsers do not decrypt pages loaded over plain HTTP. Open this page over HTTPS, or save it and open the file.";
    }
    if (globalThis.DecompressionStream === undefined) {
        return "This browser does not support DecompressionStream. Open the page in Firefox 113, Chrome 80, Safari 16.4 or later.";
    }
    return "";
}

/** Until the browser has drawn what was said. */
function drawn() {
    // No frames come where the tab is hidden.
    return new Promise((done) => {
        requestAnimationFrame(() => setTimeout(done));
        setTimeout(done, 100);
    });
}

/** The whole file is there: its chunks stand behind this script. */
function loaded() {
    return new Promise((done) => {
        if (document.readyState === "loading") {
            document.addEventListener("DOMContentLoaded", done, { once: true });
        } else {
            done(undefined);
        }
    });
}

/**
 * @param {string} password
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>} the content of all chunks
 */
async function openChunks(password) {
    await loaded();
    const text = (/** @type {string} */ id) => (document.getElementById(id)?.textContent ?? "").trim();
    const locked = { parameters: text("sealed"), check: text("sealed-check"), sum: text("sealed-sum") };
    const unsealer = await makeUnsealer(locked, password);
    const elements = document.querySelectorAll('script[type="text/plain"][id^="sealed-"]:not(#sealed-check, #sealed-sum)');
    const count = Math.max(elements.length, 1);
    const opened = [];
    for (let nth = 0; nth < count; nth++) {
        opened.push(await unsealer.open(nth, nth === count - 1, text(`sealed-${nth}`)));
        const progress = /** @type {HTMLProgressElement} */ (part("progress"));
        progress.value = (nth + 1) / count;
        if (nth % 16 === 15) {
            await drawn();
        }
    }
    return opened;
}

/**
 * Writes the page over this one. What runs in it goes by its own policy and by the shell's, which names the
 * same scripts.
 *
 * @param {Uint8Array<ArrayBuffer>[]} chunks
 */
async function writePage(chunks) {
    const types = /** @type {any} */ (window).trustedTypes;
    // The text has passed the authentication: it is the page that was sealed, byte for byte.
    const policy = types?.createPolicy("leafpress-seal", { createHTML: (/** @type {string} */ text) => text });
    chunks.reverse();
    const source = new ReadableStream({
        pull(controller) {
            const chunk = chunks.pop();
            if (chunk === undefined) {
                controller.close();
            } else {
                controller.enqueue(chunk);
            }
        },
    });
    const texts = source.pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream());
    const reader = texts.getReader();
    let piece = await reader.read();
    document.open();
    for (; !piece.done; piece = await reader.read()) {
        document.write(policy?.createHTML(piece.value) ?? piece.value);
    }
    document.close();
}

/**
 * @param {HTMLInputElement} input
 */
async function unlock(input) {
    const form = part("unlock");
    const progress = part("progress");
    const isBusy = (/** @type {boolean} */ busy) => {
        form.toggleAttribute("inert", busy);
        form.setAttribute("aria-busy", String(busy));
        progress.hidden = !busy;
    };
    progress.removeAttribute("value");
    isBusy(true);
    say("Deriving the key…");
    await drawn();
    try {
        const chunks = await openChunks(input.value);
        input.value = "";
        await writePage(chunks);
    } catch (error) {
        isBusy(false);
        if (error instanceof WrongPassword) {
            say("Wrong password. Try again.", true);
            input.select();
        } else if (error instanceof TooManyRounds) {
            say(error.message, true);
        } else {
            say("This page is damaged: its content does not match its checksum. Download it again.", true);
        }
        input.focus();
    }
}

function startShell() {
    const trouble = obstacle();
    if (trouble !== "") {
        say(trouble, true);
        return;
    }
    const form = part("unlock");
    const input = /** @type {HTMLInputElement} */ (part("password"));
    const show = part("show");
    form.hidden = false;
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        void unlock(input);
    });
    show.addEventListener("click", () => {
        const isShown = input.type === "text";
        input.type = isShown ? "password" : "text";
        show.setAttribute("aria-pressed", String(!isShown));
        show.textContent = isShown ? "Show" : "Hide";
    });
    input.focus();
}

startShell();
