/** Where the reader is: the row in the tree, the prompt in the bar, the entry in the address. All follow the scroll. */

import { isWalkingHits } from "../actions/moves.js";
import { chooseEntry } from "../actions/places.js";
import { paramsOf } from "../address/write.js";
import { byId, counted, eventTarget, listen, setText } from "../base/dom.js";
import { oncePerFrame } from "../base/frames.js";
import { PROMPT } from "../outline/shared.js";
import { titleOf } from "../outline/texts.js";

/** @import { Parts } from "../actions/parts.js" */
/** @import { Renderer } from "./render.js" */

/** After the reader has moved the tree it is left alone for so long. */
const TREE_REST_MS = 4000;

/** The address follows once the reader has rested for so long. */
const ADDRESS_REST_MS = 600;

/**
 * @param {Parts} parts
 * @param {Renderer} renderer
 * @returns {() => void} looks again, soon, after something was drawn
 */
export function startHere(parts, renderer) {
    const { outline, store, reading } = parts;
    const tree = byId("tree");
    const bar = makeHereBar(parts);
    let movedAt = -TREE_REST_MS;
    let here = -1;
    let place = "";
    let isAbove = true;
    /** @type {number | undefined} */
    let timer;
    // A move writes its own address; the reader's hands on the page come before it, its drawing after it.
    let hasScrolled = false;
    let { target } = store.get();
    /** On a phone the bar walks the hits of a search. */
    const hitPlace = () => {
        if (!isWalkingHits()) {
            return null;
        }
        const order = renderer.hitOrder();
        const nth = order.indexOf(store.get().hitAt) + 1;
        return nth > 0 ? `${nth} of ${order.length}` : counted(order.length, "hit");
    };
    const look = oncePerFrame(() => {
        const entries = reading.entries();
        const at = reading.seen(entries);
        const n = entries[Math.max(0, at)] ?? -1;
        if (n !== here || isAbove !== at < 0) {
            [here, isAbove] = [n, at < 0];
            renderer.locate(n, performance.now() - movedAt > TREE_REST_MS);
            const { leaf, view, call } = store.get();
            // Of the context the prompt at which it was sent: what is read of it may stand far before.
            place = bar(view !== "context" ? n : call < 0 ? leaf : call, isAbove);
            clearTimeout(timer);
            timer = setTimeout(follow, ADDRESS_REST_MS);
        }
        setText(byId("place"), hitPlace() ?? parts.changes?.place(at) ?? place);
    });
    const follow = () => {
        // Only what the reader did: a page that has just been opened keeps its address.
        if (hasScrolled && here >= 0 && store.get().compare < 0) {
            parts.addressBar.replace(paramsOf(outline, { ...store.get(), target: isAbove ? -1 : here }));
        }
    };
    for (const type of /** @type {const} */ (["wheel", "touchmove", "pointerdown", "keydown"])) {
        listen(tree, type, () => {
            movedAt = performance.now();
        }, { passive: true });
        listen(window, type, (event) => {
            hasScrolled ||= eventTarget(event, "main") !== null || event.target === document.body;
        }, { passive: true, capture: true });
    }
    listen(window, "scroll", look);
    listen(window, "resize", look);
    return () => {
        hasScrolled &&= store.get().target === target;
        ({ target } = store.get());
        here = -1;
        look();
    };
}

/**
 * Names the prompt that is being answered, and its place: "3 of 10". A click on its words goes to its start.
 *
 * @param {Parts} parts
 * @returns {(n: number, isAbove: boolean) => string} gives its place; the reader may be above it, at the head of the page
 */
function makeHereBar(parts) {
    const { outline, store } = parts;
    const button = byId("here");
    let prompt = -1;
    listen(button, "click", () => {
        if (prompt >= 0) {
            chooseEntry(parts, prompt);
            parts.reading.focus(prompt);
        }
    });
    return (n, isAbove) => {
        prompt = n;
        while (prompt >= 0 && (outline.marks[prompt] & PROMPT) === 0) {
            prompt = outline.parent[prompt];
        }
        const [nth, count] = [outline.prompt[prompt] ?? 1, outline.prompt[store.get().leaf]];
        if (isAbove || (n === prompt && nth === 1)) {
            // The first one is on the screen with the title.
            prompt = -1;
        }
        button.hidden = prompt < 0;
        document.documentElement.classList.toggle("at-prompt", prompt >= 0);
        setText(button, prompt < 0 ? "" : titleOf(outline, prompt));
        return count === 0 ? "" : `${nth} of ${count}`;
    };
}
