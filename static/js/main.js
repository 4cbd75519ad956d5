/**
 * Starts the page: reads the outline, follows the address, draws, listens.
 */

import { followAddress, tellProblems, tidyAddress } from "./actions/address.js";
import { clickTranscript } from "./actions/clicks.js";
import { copyMarkdown } from "./actions/markdown.js";
import { arriveAt, arriveAtCompare } from "./actions/places.js";
import { runSearch, search, setReader } from "./actions/reader.js";
import { openFound } from "./actions/steps.js";
import { makeAddressBar, readScrollMark } from "./address/history.js";
import { initialState } from "./address/initial-state.js";
import { placeAt } from "./address/link.js";
import { makeTrail } from "./address/trail.js";
import { byId, eventTarget, inputById, isTyping, listen } from "./base/dom.js";
import { whenIdle } from "./base/slices.js";
import { keyOfArticle, makeArticles } from "./chunks/articles.js";
import { insertControls } from "./chunks/fragments.js";
import { makeSessionFile } from "./chunks/session-file.js";
import { inflate } from "./chunks/inflate.js";
import { startTools } from "./commands/toolbar.js";
import { addForkCompare, closeCompare } from "./compare/choose.js";
import { foldContext, readContextFacts } from "./context/context.js";
import { makeContextView } from "./context/view.js";
import { readOutline } from "./outline/outline.js";
import { makeApi } from "./page/api.js";
import { makeContinues } from "./page/continues.js";
import { makeCrumbs } from "./page/crumbs.js";
import { startFilters } from "./page/filters.js";
import { startHere } from "./page/here.js";
import { startMap } from "./page/map.js";
import { makeRenderer } from "./page/render.js";
import { listenToSearch } from "./page/search-input.js";
import { makeSearcher } from "./search/searcher.js";
import { makeStore } from "./state/state.js";
import { collapsePrompt } from "./transcript/long-prompt.js";
import { makeMarkdown } from "./transcript/markdown.js";
import { makeMarker } from "./transcript/marks.js";
import { addCopyButtons, copyBox, makeNearby, makePictureButton, makePictureFiller } from "./transcript/nearby.js";
import { makeRaw } from "./transcript/raw.js";
import { makeReading } from "./transcript/reading.js";
import { observeScrollers } from "./transcript/scrollers.js";
import { drawSteps } from "./transcript/steps.js";
import { CLOCK_TIME, ENTRY_TIME, FACT_DAY, FACT_TIME, makeLocaliser } from "./transcript/times.js";
import { makeTranscript } from "./transcript/transcript.js";
import { makeUnfolder, unfoldWithin } from "./transcript/unfold.js";
import { listenToTree } from "./tree/input.js";
import { startLabelTimes } from "./tree/label-times.js";
import { makeTreeView } from "./tree/view.js";
import { openedDialog } from "./ui/dialog.js";
import { isSidebarSeen, makeDrawer } from "./ui/drawer.js";
import { startLightbox } from "./ui/lightbox.js";
import { makeNotice } from "./ui/notice.js";
import { startResizer } from "./ui/resizer.js";
import { startThemeSwitch } from "./ui/theme.js";

/** @import { Parts } from "./actions/parts.js" */
/** @import { ChangesAsked, ChangesView } from "./changes/view.js" */
/** @import { SideWork } from "./compare/side.js" */
/** @import { Compare, CompareAsked } from "./compare/view.js" */
/** @import { Packs } from "./chunks/packs.js" */
/** @import { Outline, RawOutline } from "./outline/outline.js" */
/** @import { State } from "./state/state.js" */
/** @import { Drawer } from "./ui/drawer.js" */

/**
 * @returns {Promise<Outline>}
 */
async function loadOutline() {
    return readOutline(/** @type {RawOutline} */ (JSON.parse(await inflate(byId("outline").textContent ?? ""))));
}

/**
 * @param {Parts} parts
 * @param {Drawer} drawer
 */
function listenToPage(parts, drawer) {
    startFilters(byId("filters"), (filter) => setReader(parts, { filter }));
    listen(inputById("only"), "change", () => setReader(parts, { only: inputById("only").checked }));
    listen(byId("tree-empty"), "click", (event) => {
        if (eventTarget(event, "button") !== null) {
            byId("search").focus();
            parts.store.get().hits === null ? setReader(parts, { filter: "all" }) : search(parts, "");
        }
    });
    listen(byId("search-advice"), "click", (event) => {
        const button = eventTarget(event, "button");
        if (button !== null) {
            byId("search").focus();
            search(parts, parts.store.get().query.replace(button.dataset.typed ?? "", () => button.dataset.meant ?? ""));
        }
    });
    startLabelTimes(parts.outline, parts.store);
    startResizer();
    startThemeSwitch(byId("theme-toggle"));
    startSkipLink();
    for (const id of ["session", "transcript"]) {
        listen(byId(id), "click", (event) => clickTranscript(parts, event));
    }
    listen(byId("transcript"), "beforematch", (event) => openFound(parts, event));
    listen(document, "keydown", (event) => {
        const isFree = !event.isComposing && !event.defaultPrevented && openedDialog() === undefined;
        if (event.key !== "Escape" || !isFree) {
            return;
        }
        /** @type {HTMLElement | null} */
        const help = document.querySelector("#search-help[aria-expanded=true]");
        if (help !== null) {
            help.click();
        } else if (!drawer.close() && !isTyping(event)) {
            parts.notice.clear();
            closeCompare(parts);
        }
    });
    listen(window, "popstate", (event) => followAddress(parts, event.state));
    listen(window, "hashchange", () => followAddress(parts, null));
    listen(window, "scrollend", () => parts.addressBar.rememberScroll());
}

/** As a fragment, `#transcript` would take the place of a link that stands there. */
function startSkipLink() {
    const transcript = byId("transcript");
    transcript.tabIndex = -1;
    document.querySelector(".skip-link")?.addEventListener("click", (event) => {
        event.preventDefault();
        transcript.scrollIntoView();
        transcript.focus({ preventScroll: true });
    });
}

/** Everything in order; what can fail comes before anything is changed. */
async function start() {
    const outline = await loadOutline();
    const place = placeAt(outline, location);
    const root = byId("transcript");
    const articles = makeArticles(root, outline);
    await openSmall(articles.packs);
    insertControls();
    const notice = makeNotice(byId("notice"));
    const contextRoot = byId("context-view");
    const fillPictures = makePictureFiller(outline, articles);
    const localise = makeLocaliser(CLOCK_TIME);
    const localiseFork = makeLocaliser(ENTRY_TIME);
    const facts = readContextFacts(outline.context);
    const transcript = makeTranscript(root, outline, articles, {
        state: () => store.get(),
        contextAt: (leaf) => foldContext(outline, facts, leaf),
        prepare(article) {
            addForkCompare(article);
            article.querySelectorAll(":scope > .fork time").forEach(localiseFork);
            observeScrollers(article);
            unfold.fresh(article, store.get().unfold);
        },
        hold: (change) => reading.hold(change),
        jump: (scroll) => reading.jump(scroll),
        changed() {
            lookNearby();
            marker.look();
            drawMapAgain();
        },
    });
    const contextView = makeContextView(
        contextRoot,
        outline,
        facts,
        articles,
        (body) => unfoldWithin(body, store.get().unfold),
        (change) => reading.hold(change),
    );
    const changesView = /** @type {ChangesView | null} */ (askFor("changes", {
        root: byId("changes"),
        outline,
        articles,
        notice,
        changed() {
            marker.look();
            drawMapAgain();
            lookHere();
        },
    }));
    /** @type {SideWork} */
    const compareWork = {
        articles,
        prepare(article) {
            localise(article.querySelector(":scope > .entry-head > time"));
            observeScrollers(article);
            unfold.fresh(article, store.get().unfold);
        },
        files: (ends, ancestor) => changesView?.compared(ends, ancestor),
        fold: (n, article, leaf) => drawSteps(outline, { ...store.get(), leaf }, n, article),
        hold: (change) => reading.hold(change),
        changed() {
            lookNearby();
            marker.look();
        },
    };
    const compare = /** @type {Compare | null} */ (askFor("compare", { root: byId("compare-view"), outline, work: compareWork }));
    const searcher = makeSearcher(outline, articles);
    const treeView = makeTreeView(byId("tree"), outline, isSidebarSeen);
    const renderer = makeRenderer(outline, treeView, transcript, contextView, changesView, compare, searcher.around);
    let drawMapAgain = () => {};
    let lookHere = () => {};
    /** @type {(leaf: number) => void} */
    let drawCrumbs = () => {};
    /** @type {(state: Readonly<State>) => void} */
    let drawContinues = () => {};
    const store = makeStore(initialState(outline, place), (state, before) => {
        // Before anything is drawn, as measuring would then lay the page out once more; and for other articles after.
        unfold.all(state.unfold);
        renderer.draw(state, before);
        drawCrumbs(state.leaf);
        drawContinues(state);
        unfold.all(state.unfold);
        lookNearby();
        transcript.rest();
        marker.show(state, renderer.marks());
        drawMapAgain();
        lookHere();
    });
    const reading = makeReading(outline, () => {
        const { compare: compared, view } = store.get();
        return (compared >= 0 && compare) || (view === "context" ? contextView : (view === "changes" && changesView) || transcript.pane);
    });
    const marker = makeMarker(reading);
    const unfold = makeUnfolder(reading, () => [
        ...(compare?.live() ?? []),
        ...(store.get().view === "path" ? contextRoot.children : transcript.live()),
    ]);
    const sessionFile = makeSessionFile(outline, articles.packs);
    const markdown = makeMarkdown(outline, articles.packs);
    const raw = makeRaw(outline, sessionFile, notice, (n, isTurn) => void copyMarkdown(parts, n, isTurn));
    const lookNearby = makeNearby(reading, (article, body) => {
        collapsePrompt(body);
        addCopyButtons(body);
        body.querySelectorAll("img[src]").forEach(makePictureButton);
        void fillPictures(body);
        raw.add(article);
        changesView?.addDoor(outline.byKey.get(keyOfArticle(article)) ?? -1, article);
    });
    const addressBar = makeAddressBar(() => ({ ...reading.scrollMark(), call: store.get().call }));
    const trail = makeTrail();
    const parts = { outline, store, searcher, transcript, contextView, changes: changesView, compare, reading, trail, addressBar, notice, sessionFile, markdown, raw, fillPictures };

    transcript.adopt();
    renderer.draw(store.get(), null);
    transcript.rest();
    unfold.all(store.get().unfold);
    lookNearby();
    drawCrumbs = makeCrumbs(parts);
    drawCrumbs(store.get().leaf);
    drawContinues = makeContinues(parts);
    drawContinues(store.get());
    const drawer = makeDrawer(treeView.wake);
    listenToTree(parts, renderer, drawer);
    const goToSearch = listenToSearch(parts, renderer, drawer, marker);
    listenToPage(parts, drawer);
    startTools(parts, drawer.close, goToSearch);
    startLightbox();
    listen(document, "click", (event) => {
        if (event.detail > 0 && getSelection()?.type === "Range" && eventTarget(event, "summary")) {
            // The end of a drag that selects.
            event.preventDefault();
        }
        const copy = eventTarget(event, "[class^=copy-]:not(a)");
        if (copy !== null) {
            void copyBox(copy, notice);
        }
    });
    drawMapAgain = startMap(parts);
    lookHere = startHere(parts, renderer);
    lookHere();
    tellProblems(notice, place);
    localiseFacts();
    try {
        history.scrollRestoration = "manual";
    } catch {
        // Then the browser restores by pixels, which is only less exact.
    }
    if (place.query !== "") {
        runSearch(parts, place.query);
    }
    tidyAddress(parts);
    const scrollMark = readScrollMark(history.state);
    arriveAt(reading, place.target, scrollMark);
    if (place.view === "changes" && place.file !== "" && scrollMark === null) {
        void changesView?.goToFile(place.file);
    }
    if (changesView !== null) {
        whenIdle(() => void addDoors(root, outline, changesView));
    }
    if (place.compare >= 0 && place.target < 0 && scrollMark === null) {
        arriveAtCompare(parts);
    }
    Object.assign(window, { leafpress: makeApi(parts, facts) });
    document.documentElement.dataset.ready = "";
}

/**
 * A view whose script is only in some pages, which listens for its name.
 *
 * @param {"changes" | "compare"} name
 * @param {Omit<ChangesAsked, "take"> | Omit<CompareAsked, "take">} asked
 * @returns {unknown} null where the page does not have it
 */
function askFor(name, asked) {
    /** @type {unknown} */
    let view = null;
    dispatchEvent(new CustomEvent(name, { detail: { ...asked, take: (/** @type {unknown} */ made) => (view = made) } }));
    return view;
}

/**
 * The data comes when the page has nothing else to do; the articles that were there before it get their links then.
 *
 * @param {HTMLElement} root
 * @param {Outline} outline
 * @param {ChangesView} changesView
 */
async function addDoors(root, outline, changesView) {
    await changesView.load();
    for (const article of root.children) {
        changesView.addDoor(outline.byKey.get(keyOfArticle(article)) ?? -1, article);
    }
}

/** A session of so few packs is small. */
const SMALL_PACKS = 8;

/**
 * Of a small session everything is opened at once, so that nothing in its page has to wait.
 *
 * @param {Packs} packs
 */
async function openSmall(packs) {
    if (packs.count <= SMALL_PACKS) {
        await packs.openAll();
    }
}

/** The times in the page's own head. */
function localiseFacts() {
    document.querySelectorAll(".where time").forEach(makeLocaliser(FACT_DAY));
    document.querySelectorAll(".lists time").forEach(makeLocaliser(CLOCK_TIME));
    document.querySelectorAll(".session-details time").forEach(makeLocaliser(FACT_TIME));
}

start().catch((error) => {
    // The plain document, as without a script, is better than controls that do nothing.
    delete document.documentElement.dataset.js;
    makeNotice(byId("notice")).tell("The session tree could not be built; this is the plain transcript.");
    throw error;
});
