/** A picture as large as the window. */

function startLightbox() {
    const [dialog, body] = makeDialog("lightbox", "Picture");
    const large = document.createElement("img");
    body.append(large);
    listen(large, "click", () => dialog.close());
    /** @type {(event: Event) => void} */
    const enlarge = (event) => {
        const image = eventTarget(event, ".body img[role=button]");
        if (image instanceof HTMLImageElement) {
            event.preventDefault();
            large.src = image.src;
            large.alt = image.alt;
            dialog.setAttribute("aria-label", image.alt);
            openDialog(dialog);
        }
    };
    listen(document, "click", enlarge);
    listen(document, "keydown", (event) => {
        if ((event.key === "Enter" || event.key === " ") && !hasModifier(event)) {
            enlarge(event);
        }
    });
}
