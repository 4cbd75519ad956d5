// Chromium, Firefox and WebKitGTK by their own drivers: W3C WebDriver is JSON over HTTP, and needs no package.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

import { LIMIT } from "./browser.mjs";

const CHROMIUM = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];

/** The command of each driver, and what a session asks of it. geckodriver has to be in the PATH. */
export const BROWSERS = {
    chromium: {
        command: (port) => ["chromedriver", `--port=${port}`],
        capabilities: { browserName: "chrome", "goog:chromeOptions": { args: CHROMIUM } },
    },
    firefox: {
        command: (port, other) => ["geckodriver", "--port", port, "--websocket-port", other],
        capabilities: {
            browserName: "firefox",
            // A driver relaxes the rule for files that readers have.
            "moz:firefoxOptions": { args: ["-headless"], prefs: { "security.fileuri.strict_origin_policy": true } },
        },
    },
    webkit: {
        command: (port) => ["WebKitWebDriver", "--host=127.0.0.1", `--port=${port}`],
        capabilities: { browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } },
    },
};

/** Debian's `webkit2gtk-driver` has it in the folder of libraries. */
function miniBrowser() {
    const folders = fs.existsSync("/usr/lib") ? fs.readdirSync("/usr/lib") : [];
    return folders.map((name) => `/usr/lib/${name}/webkit2gtk-4.1/MiniBrowser`).find((file) => fs.existsSync(file)) ?? "MiniBrowser";
}

async function freePort() {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    server.close();
    return String(port);
}

const running = new Set();

/** Starts a program as a group of its own, with an empty home. */
function start(program, words, more) {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), "leafpress-"));
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home, LC_ALL: "C.UTF-8", ...more.env };
    const child = spawn(program, words, { detached: true, ...more, env });
    child.home = home;
    running.add(child);
    return child;
}

/** Ends a program with all that it started, and removes its home. */
export function end(child) {
    running.delete(child);
    if (child.pid !== undefined) {
        try {
            process.kill(-child.pid, "SIGKILL");
        } catch {
            // It has ended.
        }
    }
    fs.rmSync(child.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
        running.forEach(end);
        process.exit(1);
    });
}

/** An X server for WebKitGTK, which has no headless mode. */
export async function startScreen() {
    const words = ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
    const child = start("Xvfb", words, { stdio: ["ignore", "pipe", "ignore"] });
    const [number] = await once(readline.createInterface({ input: child.stdout }), "line");
    return { child, display: `:${number}` };
}

/** Runs something with a new browser: `ask(method, path, body)` sends a command to its session. */
export async function withBrowser(name, display, act) {
    const { command, capabilities } = BROWSERS[name];
    const port = await freePort();
    const [program, ...words] = command(port, await freePort());
    const child = start(program, words, { stdio: "ignore", env: display === undefined ? {} : { DISPLAY: display } });
    let failed;
    child.on("error", (error) => (failed = error));
    const send = async (method, where, body) => {
        const answer = await fetch(`http://127.0.0.1:${port}${where}`, {
            method,
            headers: { "Content-Type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: AbortSignal.timeout(LIMIT),
        });
        const { value } = await answer.json();
        if (!answer.ok) {
            throw new Error(`${name}: ${where}: ${value.message}`);
        }
        return value;
    };
    try {
        while (!(await send("GET", "/status").catch(() => false))) {
            if (failed !== undefined || child.exitCode !== null) {
                throw new Error(`${program} does not start`, { cause: failed });
            }
            await sleep(20);
        }
        const { sessionId } = await send("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
        const ask = (method, where, body) => send(method, `/session/${sessionId}${where}`, body);
        const result = await act(ask);
        await send("DELETE", `/session/${sessionId}`).catch(() => {});
        return result;
    } finally {
        end(child);
    }
}
