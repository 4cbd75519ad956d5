// Reads what `leafpress markdown` writes of sessions as GitHub does, and fails where anything of a session's own takes
// effect: HTML, an image, an address that no link may have, a mention.
//
//     node tests/npm/markdown.mjs PROGRAM SESSION...

import { execFileSync } from "node:child_process";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const OWN_TAG =
  /^<\/?(?:h[1-6]|p|ul|ol|li|pre|code|em|strong|del|blockquote|table|thead|tbody|tr|th|td|hr|br|a|input|details|summary|sup|section)(?=[\s/>])/;

/** What is wrong with a document. */
function* faults(html) {
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    if (!OWN_TAG.test(tag)) yield `element ${tag}`;
    const attributes = tag.replace(/"[^"]*"/g, "\"\"");
    if (/\son\w+=/.test(attributes)) yield `handler ${tag}`;
    const address = / href="([^"]*)"/.exec(tag)?.[1];
    if (address !== undefined && !/^(?:https?:|mailto:|#)/i.test(address)) yield `address ${address}`;
  }
  const count = (tag) => html.split(tag).length;
  if (count("<details>") !== count("</details>")) yield "a fold that does not end";
  const prose = html.replace(/<(pre|code)[ >].*?<\/\1>/gs, "").replace(/<[^>]*>/g, "\n");
  for (const [mention] of prose.matchAll(/(?<![\w/])@[a-z0-9]\S*|(?<!&)#\d+/gi)) yield `reference ${mention}`;
}

const [program, ...sessions] = process.argv.slice(2);
let [documents, wrong] = [0, 0];
for (const session of sessions) {
  for (const options of [["--detail", "story"], ["--detail", "steps"], ["--detail", "full"], ["--changes"]]) {
    const args = ["markdown", session, ...options, "--allow-secrets"];
    const markdown = execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
    const html = micromark(markdown, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
    });
    documents += 1;
    for (const fault of faults(html)) {
      wrong += 1;
      console.error(`${session} (${options.join(" ")}): ${fault.slice(0, 200)}`);
    }
  }
}
console.log(`${documents} documents, ${wrong} faults`);
process.exitCode = wrong > 0 || documents === 0 ? 1 : 0;
