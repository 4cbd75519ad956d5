/** Small helpers around the document. Text only ever becomes text: nothing here parses markup. */

/**
 * The element with this id. The page's shell always holds it, so its absence is a fault of ours.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (found === null) {
        throw new Error(`the page has no #${id}`);
    }
    return found;
}

/**
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function inputById(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function make(tag, className, text) {
    const made = document.createElement(tag);
    if (className !== "") {
        made.className = className;
    }
    if (text !== undefined) {
        made.textContent = text;
    }
    return made;
}

/** What is not seen, or turns the text around it; emoji keep what joins them. */
const UNSEEN =
    /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200d\ufe0f]|(?![\u200d\ufe0f\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A text for the page's own use, with escapes in place of what is not seen. Rust marks all others.
 *
 * @param {string} text
 * @returns {string} the same value, where the text is JSON
 */
export function withEscapes(text) {
    /** @type {(unit: string) => string} */
    const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return text.replace(UNSEEN, (letter) => letter.split("").map(escape).join(""));
}

/**
 * A button that submits nothing.
 *
 * @param {string} className
 * @param {string} text
 * @param {() => void} [onClick] none for one whose clicks are taken further out
 * @returns {HTMLElement}
 */
export function makeButton(className, text, onClick) {
    const button = make("button", className, text);
    button.setAttribute("type", "button");
    button.onclick = onClick ?? null;
    return button;
}

/**
 * @typedef {WindowEventMap & DocumentEventMap & HTMLElementEventMap} EventsByType
 */

/**
 * @template {keyof EventsByType} Type
 * @param {EventTarget} target
 * @param {Type} type
 * @param {(event: EventsByType[Type]) => void} listener
 * @param {AddEventListenerOptions} [options]
 */
export function listen(target, type, listener, options) {
    target.addEventListener(type, /** @type {EventListener} */ (listener), options);
}

/**
 * The nearest element at or above the place of an event that fits a selector.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function eventTarget(event, selector) {
    const at = event.target;
    return at instanceof Element ? at.closest(selector) : null;
}

/**
 * Whether a modifier is held: then the click or key belongs to the browser.
 *
 * @param {MouseEvent | KeyboardEvent} event
 * @returns {boolean}
 */
export function hasModifier(event) {
    return event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
}

/**
 * @param {number} count
 * @param {string} noun
 * @param {string} [many]
 * @returns {string}
 */
export function counted(count, noun, many = `${noun}s`) {
    return `${count} ${count === 1 ? noun : many}`;
}

/**
 * The next node in document order that is not inside `node`, within `root`.
 *
 * @param {Node} node
 * @param {Node} root
 * @returns {Node | null}
 */
export function nodeAfter(node, root) {
    /** @type {Node | null} */
    let at = node;
    while (at !== null && at !== root && at.nextSibling === null) {
        at = at.parentNode;
    }
    return at === null || at === root ? null : at.nextSibling;
}

/**
 * Whether a key writes: in a field, but not at a checkbox.
 *
 * @param {Event} event
 * @returns {boolean}
 */
export function isTyping(event) {
    return event.target instanceof Element && event.target.matches(":read-write");
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
    // A live region speaks again when it is written again.
    if (element.textContent !== text) {
        element.textContent = text;
    }
}
