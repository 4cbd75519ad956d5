//! Every state that a reader would send is in the address, and the address gives it back.

use leafpress::Filter;
use serde::Deserialize;

use crate::support::{Exported, Page};

#[test]
fn every_state_in_the_query() {
    states("?", |_| true);
}

/// Both are read by the same code once the page has one of them.
#[test]
fn a_third_of_the_states_in_the_fragment() {
    states("#", is_one_of_three);
}

#[test]
#[ignore = "takes half a minute: `tests/run --full`"]
fn every_state_in_the_fragment() {
    states("#", |_| true);
}

/// Each value of each parameter is among them.
fn is_one_of_three(nth: usize) -> bool {
    nth % 3 == nth / 12 % 3
}

/// All of the page that an address decides.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SentMessage {
    leaf: Option<String>,
    selected: Option<String>,
    rows: Vec<String>,
    articles: Vec<String>,
    copies: usize,
    filter: Vec<String>,
    query: String,
    hits: String,
    view: Vec<String>,
    only: bool,
    notice: String,
}

const SEEN: &str = "(() => {
    const all = (selector, of) => Array.from(document.querySelectorAll(selector), of);
    const drawn = (element) => element.getClientRects().length > 0;
    return {
        leaf: document.querySelector('#tree .leaf')?.dataset.entryId ?? null,
        selected: document.querySelector('#tree [aria-selected=true]')?.dataset.entryId ?? null,
        rows: all('#tree [role=treeitem]', (row) => row).sort((a, b) => a.offsetTop - b.offsetTop).map((row) => row.dataset.entryId),
        articles: all('#transcript > article', (article) => article).filter(drawn).map(({ id }) => id.slice('entry-'.length)),
        copies: all('#context-view article', (article) => article).filter(drawn).length,
        filter: all('[data-filter][aria-pressed=true]', ({ dataset }) => dataset.filter),
        query: document.getElementById('search').value,
        hits: document.getElementById('search-status').textContent,
        view: all('#tools [data-view][aria-pressed=true]', ({ dataset }) => dataset.view),
        only: document.getElementById('only').checked,
        notice: document.getElementById('notice').hidden ? '' : document.getElementById('notice').textContent,
    };
})()";

/// What is on the screen once a search has ended.
pub(super) fn seen(page: &Page) -> SentMessage {
    page.wait(
        "the search to end",
        "document.getElementById('search').value === '' ? document.getElementById('search-status').textContent === '' : /^\\d/.test(document.getElementById('search-status').textContent)",
    );
    page.get(SEEN)
}

struct Wish {
    leaf: Option<&'static str>,
    target: Option<&'static str>,
    filter: Option<Filter>,
    query: &'static str,
    context: bool,
    only: bool,
}

impl Wish {
    fn all() -> Vec<Wish> {
        let mut wishes = Vec::new();
        for (leaf, target) in [
            (None, None),
            (None, Some("t0000011")),
            (Some("t0000006"), None),
            (Some("t0000006"), Some("t0000003")),
        ] {
            for filter in [None, Some(Filter::UserOnly), Some(Filter::All)] {
                for query in ["", "\"left leaf\" -b", "a"] {
                    for (context, only) in
                        [(false, false), (false, true), (true, false), (true, true)]
                    {
                        wishes.push(Wish { leaf, target, filter, query, context, only });
                    }
                }
            }
        }
        wishes
    }

    fn params(&self) -> String {
        let mut params = Vec::new();
        params.extend(self.leaf.map(|leaf| format!("leafId={leaf}")));
        params.extend(self.target.map(|target| format!("targetId={target}")));
        params.extend(self.filter.map(|filter| format!("filter={}", filter.name())));
        if !self.query.is_empty() {
            params.push(format!("q={}", self.query.replace(' ', "%20").replace('"', "%22")));
        }
        params.extend(self.context.then(|| "view=context".to_owned()));
        params.extend(self.only.then(|| "only=1".to_owned()));
        params.join("&")
    }

    /// Holds what is seen to what the library says of the same wish.
    fn check(&self, seen: &SentMessage, tree: &Exported, place: &str) {
        let leaf = self.leaf.unwrap_or("t0000025");
        let filter = self.filter.unwrap_or(Filter::Default);
        let rows = tree.row_ids(leaf, filter, self.query);
        assert_eq!(seen.rows, rows, "{place}: rows");
        assert_eq!(seen.filter, [filter.name()], "{place}");
        assert_eq!(seen.query, self.query, "{place}");
        assert_eq!(seen.view, [if self.context { "context" } else { "path" }], "{place}");
        assert_eq!(seen.only, self.only, "{place}");
        assert_eq!(seen.notice, "", "{place}");
        let mut path = tree.path(leaf);
        let target = self.target.unwrap_or_default();
        if self.context {
            path.clear();
        } else if self.only {
            path.retain(|key| rows.contains(key) || key == target);
        }
        assert_eq!(seen.articles, path, "{place}: articles");
        assert_eq!(seen.copies > 0, self.context, "{place}: the context");
        let chosen = self.target.unwrap_or(leaf).to_owned();
        if rows.contains(&chosen) {
            assert_eq!(seen.selected, Some(chosen), "{place}");
        }
    }
}

/// Loads those of the states that are chosen by their number.
fn states(sign: &str, is_chosen: impl Fn(usize) -> bool) {
    let tree = Exported::tree();
    let page = tree.open();
    let wishes = Wish::all();
    assert_eq!(wishes.len(), 144);
    for (nth, wish) in wishes.iter().enumerate().filter(|&(nth, _)| is_chosen(nth)) {
        let link = match wish.params() {
            params if params.is_empty() => String::new(),
            params => format!("{sign}{params}"),
        };
        page.load_anew(&link);
        let before = seen(&page);
        wish.check(&before, &tree, &link);
        assert_eq!(page.link(), link, "reading an address does not write it");
        if is_one_of_three(nth) {
            page.reload();
            assert_eq!(seen(&page), before, "{link}, loaded again");
            assert_eq!(page.link(), link);
        }
    }
}

#[test]
fn each_control_writes_it() {
    let tree = Exported::tree();
    for (start, head) in [("", "?"), ("#leafId=t0000025", "#")] {
        let page = tree.page().open(start);
        let link = |params: &str| {
            page.wait_for("location.search + location.hash", format!("{head}{params}"));
        };
        page.click_row("t0000003");
        link("leafId=t0000008&targetId=t0000003");
        page.click("[data-filter=all]");
        link("leafId=t0000008&targetId=t0000003&filter=all");
        page.click("#search");
        page.type_text("\"left leaf\" & #1?");
        link("leafId=t0000008&targetId=t0000003&filter=all&q=%22left%20leaf%22%20%26%20%231%3F");
        page.press("Escape");
        link("leafId=t0000008&targetId=t0000003&filter=all");
        page.click("#only");
        link("leafId=t0000008&targetId=t0000003&filter=all&only=1");
        page.click("[data-view=context]");
        link("leafId=t0000008&targetId=t0000003&filter=all&view=context&only=1");
        let before = seen(&page);
        page.reload();
        assert_eq!(seen(&page), before);
        page.click("[data-view=path]");
        page.click("#only");
        page.click("[data-filter=default]");
        link("leafId=t0000008&targetId=t0000003");
    }
}

#[test]
fn foreign_parameters_stay() {
    let tree = Exported::tree();
    let page = tree.page().open("?utm=a%20b&filter=all&x&q=left&lang=de");
    page.click("[data-filter=no-tools]");
    page.wait_for("location.search", "?utm=a%20b&x&lang=de&leafId=t0000025&filter=no-tools&q=left");
    page.click("[data-view=context]");
    page.wait_for(
        "location.search",
        "?utm=a%20b&x&lang=de&leafId=t0000025&filter=no-tools&q=left&view=context",
    );
    page.load_anew("?host=1#part=2&leafId=t0000006&filter=all");
    page.click("#only");
    page.wait_for(
        "location.search + location.hash",
        "?host=1#part=2&leafId=t0000006&filter=all&only=1",
    );
}

#[test]
fn odd_values_fall_back() {
    let tree = Exported::tree();
    let page = tree.page().open("?filter=constructor&view=__proto__&only=yes&q=&leafId=&targetId=");
    let odd = seen(&page);
    page.load_anew("");
    assert_eq!(odd, seen(&page), "as if nothing were said");
    page.load_anew("?filter=ALL&only=0&view=Context");
    assert_eq!(odd, seen(&page), "values are exact");
    page.load_anew("?filter=all&filter=user-only&q=left&q=right");
    let (filter, query): (String, String) = page.get(
        "[document.querySelector('[data-filter][aria-pressed=true]').dataset.filter, document.getElementById('search').value]",
    );
    assert_eq!((filter.as_str(), query.as_str()), ("all", "left"), "the first one counts");
}

#[test]
fn odd_queries_survive() {
    let tree = Exported::tree();
    let page = tree.open();
    for query in [
        "<script>alert(1)</script>",
        "100% &amp; #a=b?c+d",
        "\"unclosed",
        "İ 🌻 \u{202e}x",
        "role: -",
        "__proto__",
        "((((a+)+)+)+$",
    ] {
        page.load_anew("");
        page.click("#search");
        page.type_text(query);
        page.wait_for("new URLSearchParams(location.search).get('q')", query);
        let before = seen(&page);
        page.reload();
        assert_eq!(seen(&page), before, "{query}");
        assert_eq!(before.query, query);
    }
}

#[test]
fn a_pressed_filter_is_the_default() {
    let mut options = leafpress::Options::default();
    options.filter = Filter::UserOnly;
    let pressed = Exported::with_options(Exported::tree().session, &options);
    let page = pressed.open();
    assert_eq!(page.drawn_rows(), pressed.row_ids("t0000025", Filter::UserOnly, ""));
    page.click("[data-filter=default]");
    page.wait_for("location.search", "?leafId=t0000025&filter=default");
    page.reload();
    assert_eq!(page.drawn_rows(), pressed.row_ids("t0000025", Filter::Default, ""));
    page.click("[data-filter=user-only]");
    page.wait_for("location.search", "?leafId=t0000025");
}
