/** "Copy link" at every entry: the address of this page with the leaf on show and the entry. */

/**
 * @param {string} leafKey
 * @param {string} targetKey
 * @returns {string}
 */
function shareAddress(leafKey, targetKey) {
    const page = location.href.split(/[?#]/u, 1)[0];
    return `${page}?${withParams("", [["leafId", leafKey], ["targetId", targetKey]])}`;
}

/**
 * @param {string} address
 * @param {Notice} notice
 */
async function copyAddress(address, notice) {
    try {
        await navigator.clipboard.writeText(address);
        notice.mention("Link copied");
    } catch {
        // Denied, or absent where the page is not served securely.
        notice.offer("Copy this link:", address);
    }
}
