//! What a reader sees in a page.

use serde::de::DeserializeOwned;
use serde_json::json;

use super::exported::Exported;
use super::page::Page;

impl Page {
    /// The text of the first element that fits.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        self.call("(s) => document.querySelector(s).textContent", &[selector])
    }

    /// An attribute of the first element that fits.
    #[track_caller]
    pub(crate) fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        self.call("(s, name) => document.querySelector(s).getAttribute(name)", &[selector, name])
    }

    /// How many elements fit.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> usize {
        self.call("(s) => document.querySelectorAll(s).length", &[selector])
    }

    /// The keys of the articles that are rendered, in document order.
    pub(crate) fn shown_articles(&self) -> Vec<String> {
        self.get("Array.from(document.querySelectorAll('#transcript > article')).filter((a) => a.getClientRects().length > 0).map((a) => a.id.slice('entry-'.length))")
    }

    /// What a function of JavaScript says of the article of every entry, in document order. Of a branch only
    /// the part around the reader is in the document, so the reader goes to each entry that did not come by itself.
    #[track_caller]
    pub(crate) fn of_every_article<T: DeserializeOwned>(
        &self,
        pressed: &Exported,
        function: &str,
    ) -> Vec<T> {
        self.call(
            &format!(
                "async (...keys) => {{
                    const found = new Map();
                    const isFull = (article) => article?.hasAttribute('aria-busy') === false;
                    for (const key of keys) {{
                        if (found.has(key)) continue;
                        leafpress.go({{ targetId: key }});
                        while (!isFull(document.getElementById(`entry-${{key}}`))) await new Promise(requestAnimationFrame);
                        for (const article of document.querySelectorAll('#transcript > article')) {{
                            const its = article.id.slice('entry-'.length);
                            if (isFull(article) && !found.has(its)) found.set(its, ({function})(article));
                        }}
                    }}
                    return keys.map((key) => found.get(key));
                }}"
            ),
            &pressed.keys(),
        )
    }

    /// The keys of the drawn rows, from above.
    pub(crate) fn drawn_rows(&self) -> Vec<String> {
        self.get("Array.from(document.querySelectorAll('#tree [role=treeitem]')).sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((row) => row.dataset.entryId)")
    }

    /// The keys of the drawn rows that are marked as on the path, from above.
    pub(crate) fn marked_rows(&self) -> Vec<String> {
        let marked: Vec<String> = self.get(
            "Array.from(document.querySelectorAll('#tree .on-path'), (row) => row.dataset.entryId)",
        );
        self.drawn_rows().into_iter().filter(|key| marked.contains(key)).collect()
    }

    /// The key of the chosen row, which must be drawn.
    pub(crate) fn selected_row(&self) -> Option<String> {
        self.get("document.querySelector('#tree [aria-selected=true]')?.dataset.entryId ?? null")
    }

    /// The key of the leaf's row, which must be drawn.
    pub(crate) fn leaf_row(&self) -> Option<String> {
        self.get("document.querySelector('#tree .leaf')?.dataset.entryId ?? null")
    }

    /// What the notice says; `None` when there is none.
    pub(crate) fn notice(&self) -> Option<String> {
        self.get("document.getElementById('notice').hidden ? null : document.getElementById('notice').textContent")
    }

    /// Query and fragment of the address.
    pub(crate) fn link(&self) -> String {
        self.get("location.search + location.hash")
    }

    /// Whether the upper edge of an entry lies in the view.
    pub(crate) fn is_in_view(&self, key: &str) -> bool {
        self.call("(id) => { const { top } = document.getElementById(id).getBoundingClientRect(); return top >= 0 && top < innerHeight; }", &[format!("entry-{key}")])
    }
}

/// The selector of an entry's row.
pub(crate) fn row(key: &str) -> String {
    format!("#tree [data-entry-id={}]", json!(key))
}

/// The selector of an entry's article.
pub(crate) fn article(key: &str) -> String {
    format!("[id={}]", json!(format!("entry-{key}")))
}
