// Seals and opens pages with WebCrypto, for the tests: the other side of src/seal/.
//
//     node webcrypto.mjs open PAGE PASSWORD      writes the page within, opened by static/js/seal/unseal.js
//     node webcrypto.mjs seal PAGE PASSWORD      writes a sealed page, made by nothing of leafpress but its letters
//     node webcrypto.mjs vector                  writes tests/fixtures/sealed/vector.json anew
import { webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync, inflateSync } from "node:zlib";

import { lettersOf, makeUnsealer } from "../../static/js/seal/unseal.js";

// Node.js 18 has it as a module alone.
globalThis.crypto ??= webcrypto;

const letters = new TextEncoder();
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

async function seal(content, password, { salt, nonce, iterations, chunk }) {
    const parameters = JSON.stringify({
        version: 1, kdf: "PBKDF2-HMAC-SHA-256", iterations, salt: base64(salt), cipher: "AES-256-GCM", nonce: base64(nonce), chunk,
    });
    const secret = letters.encode(password.normalize("NFC"));
    const material = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
    const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, material, 256);
    const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt"]);
    const encrypt = async (number, mark, plain) => {
        const iv = Buffer.concat([nonce, Buffer.alloc(4), Buffer.from([mark])]);
        iv.writeUInt32BE(number, 7);
        const additionalData = letters.encode(parameters);
        return new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain));
    };
    const room = chunk - 4;
    const count = Math.max(1, Math.ceil(content.length / room));
    const chunks = [];
    for (let nth = 0; nth < count; nth++) {
        const piece = content.subarray(nth * room, (nth + 1) * room);
        const isLast = nth === count - 1;
        const plain = Buffer.alloc(isLast ? piece.length + 4 : chunk);
        plain.writeUInt32BE(piece.length);
        plain.set(piece, 4);
        chunks.push(lettersOf(await encrypt(nth, isLast ? 1 : 0, plain)));
    }
    const check = base64(await encrypt(0, 2, new Uint8Array()));
    const sum = base64(await crypto.subtle.digest("SHA-256", letters.encode(parameters + check)));
    return { parameters, check, sum, chunks };
}

async function open(page, password) {
    const text = (id) => page.match(new RegExp(`id="${id}">([^<]*)<`))?.[1];
    const locked = { parameters: text("sealed"), check: text("sealed-check"), sum: text("sealed-sum") };
    const unsealer = await makeUnsealer(locked, password);
    const count = page.match(/id="sealed-\d+"/g).length;
    const opened = [];
    for (let nth = 0; nth < count; nth++) {
        opened.push(await unsealer.open(nth, nth === count - 1, text(`sealed-${nth}`)));
    }
    return inflateSync(Buffer.concat(opened));
}

const [what, file, password] = process.argv.slice(2);
if (what === "open") {
    process.stdout.write(await open(readFileSync(file, "utf8"), password));
} else if (what === "seal") {
    const random = (length) => Buffer.from(crypto.getRandomValues(new Uint8Array(length)));
    const figures = { salt: random(16), nonce: random(7), iterations: 1000, chunk: 4096 };
    const sealed = await seal(deflateSync(readFileSync(file)), password, figures);
    const element = (id, text) => `<script type="text/plain" id="${id}">${text}</script>\n`;
    const parts = [["sealed", sealed.parameters], ["sealed-check", sealed.check], ["sealed-sum", sealed.sum]];
    const chunks = sealed.chunks.map((text, nth) => [`sealed-${nth}`, text]);
    process.stdout.write([...parts, ...chunks].map(([id, text]) => element(id, text)).join(""));
} else if (what === "vector") {
    const bytes = (length, from) => Buffer.from(Array.from({ length }, (_, at) => from + at));
    const figures = { salt: bytes(16, 0), nonce: bytes(7, 32), iterations: 1000, chunk: 64 };
    const [password, content] = ["e\u0301clair tide", Array.from({ length: 150 }, (_, at) => at).join(" ")];
    const vector = { password, content, ...await seal(letters.encode(content), password, figures) };
    writeFileSync(new URL("../fixtures/sealed/vector.json", import.meta.url), JSON.stringify(vector, null, 1) + "\n");
}
