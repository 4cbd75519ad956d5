/** Reads the lists of an archive, or of the archives of a team's authors, and merges them by time. */

import { load } from "./data.js";

/** @import { Author, Row } from "./rows.js" */

const UNKNOWN = "unknown";

/**
 * @param {boolean} isTeam
 * @returns {AsyncGenerator<{rows: Row[], trouble: string}, void>} months, the newest first, and what is wrong so far; empty for nothing
 */
export async function* readMonths(isTeam) {
    /** @type {string[]} whose lists are missing */
    const lists = [];
    /** @type {string[]} months that are */
    const lost = [];
    /** @type {Map<string, {by: Author, name: string}[]>} the lists of each month */
    const months = new Map();
    /** @type {{name: string, folder: string}[]} */
    let authors = [{ name: "", folder: "" }];
    if (isTeam) {
        const list = await load("authors").catch(() => null);
        authors = Array.isArray(list) ? list : [];
    }
    await Promise.all(
        authors.map(async ({ name, folder }) => {
            try {
                const base = isTeam ? `authors/${folder}/` : "";
                const by = { name, base, manifest: await load("manifest", base) };
                for (const [month, hash] of by.manifest.months) {
                    months.set(month, [...(months.get(month) ?? []), { by, name: `months/${month}-${hash}` }]);
                }
            } catch {
                lists.push(name);
            }
        }),
    );
    const order = Array.from(months.keys()).sort((a, b) => Number(a === UNKNOWN) - Number(b === UNKNOWN) || (a < b ? 1 : -1));
    for (const month of order) {
        const parts = await Promise.all(
            (months.get(month) ?? []).map(async ({ by, name }) => {
                try {
                    /** @type {Row[]} */
                    const rows = JSON.parse(await load(name, by.base));
                    rows.forEach((row) => (row.by = by));
                    return rows;
                } catch {
                    lost.push(by.name === "" ? month : `${month} of ${by.name}`);
                    return [];
                }
            }),
        );
        // Each is in this order already.
        const rows = parts.length === 1 ? parts[0] : parts.flat().sort((a, b) => (b.latest ?? 0) - (a.latest ?? 0));
        yield { rows, trouble: trouble() };
    }
    yield { rows: [], trouble: trouble() };

    function trouble() {
        const damaged = [
            ...(authors.length === 0 ? ["The list of the authors is missing or damaged."] : []),
            ...(lists.length > 0 && !isTeam ? ["The list of this archive is missing or damaged."] : []),
            ...(lists.length > 0 && isTeam ? [`The lists of these authors are missing or damaged: ${lists.join(", ")}.`] : []),
            ...(lost.length > 0 ? [`These months are missing or damaged: ${lost.join(", ")}.`] : []),
        ];
        return damaged.length === 0 ? "" : `${damaged.join(" ")} Keep the folder${isTeam ? "s authors/ and" : ""} data/ beside this page.`;
    }
}
