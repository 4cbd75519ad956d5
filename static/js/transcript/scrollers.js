/**
 * Code and tables that scroll can be focused, so that arrow keys scroll them; only those are tab stops.
 *
 * The observer reports an element once the browser has laid it out, and again whenever its size changes. So
 * nothing is laid out to be measured: the browser rightly leaves alone what is far away.
 */

const observer = new ResizeObserver((changes) => {
    // Measured in here, sizes that WebKit remembers for `content-visibility` change meanwhile: it raises an error.
    requestAnimationFrame(() => markScrollers(changes.map(({ target }) => target)));
});

/**
 * @param {Element[]} elements
 */
function markScrollers(elements) {
    // All are measured before any is changed.
    const scroll = elements.map((element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    elements.forEach((element, nth) => {
        if (!element.isConnected) {
            observer.unobserve(element);
        } else if (scroll[nth]) {
            element.setAttribute("tabindex", "0");
        } else {
            element.removeAttribute("tabindex");
        }
    });
}

/**
 * @param {Element} article or a part of one
 */
export function observeScrollers(article) {
    article.querySelectorAll("pre, .table").forEach((element) => observer.observe(element));
}
