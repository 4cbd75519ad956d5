/**
 * `/leafpress` for pi: exports the running session as one HTML page in the working directory, and says where the page is.
 * What follows the command goes to leafpress: `/leafpress --redact`.
 *
 * The environment variable LEAFPRESS names the command if it is not `leafpress`.
 */

import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";

export default function leafpress(pi: ExtensionAPI) {
    pi.registerCommand("leafpress", {
        description: "Export this session as one HTML page",
        handler: async (args, context) => {
            const session = context.sessionManager.getSessionFile();
            // pi writes the file with the first response.
            if (session === undefined || !existsSync(session)) {
                say(context, "This session has no file yet. Export it after the first response.", "warning");
                return;
            }
            const command = process.env.LEAFPRESS || "leafpress";
            const options = args.split(/\s+/).filter((option) => option !== "");
            const done = await pi.exec(command, ["export", session, ...options], { cwd: context.cwd });
            const messages = done.stderr.trim();
            if (done.code !== 0) {
                // Of a command that it could not start, pi says nothing (0.73), or gives the error of Node.js (1.6).
                const isStarted = messages !== "" && !/^spawn .* E[A-Z]+$/u.test(messages);
                say(context, isStarted ? messages : `failed to run \`${command}\`: install leafpress, or set LEAFPRESS to its path`, "error");
                return;
            }
            const page = `Exported ${resolve(context.cwd, done.stdout.trim())}`;
            say(context, messages === "" ? page : `${page}\n${messages}`, messages.startsWith("warning: ") ? "warning" : "info");
        },
    });
}

/** In print and JSON mode, standard output belongs to pi. */
function say(context: ExtensionCommandContext, text: string, type: "info" | "warning" | "error") {
    if (context.hasUI) {
        context.ui.notify(text, type);
    } else {
        process.stderr.write(`${text}\n`);
    }
}
