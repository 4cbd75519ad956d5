/** The links at a fork, to the other branches. */

/**
 * After a step to another branch, the same link of the fork that is now shown, so that Enter goes on.
 *
 * @param {HTMLElement | undefined} article
 * @param {string | null} rel
 * @returns {boolean} false when the entry has no such links
 */
export function focusForkLink(article, rel) {
    const links = rel === null ? [] : Array.from(article?.querySelectorAll("a.fork-link") ?? []);
    const link = links.find((other) => other.getAttribute("rel") === rel) ?? links[0];
    if (link instanceof HTMLElement) {
        link.focus({ preventScroll: true });
    }
    return link !== undefined;
}
