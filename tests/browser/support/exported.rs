//! A session, its page on disk, and what the library says of it.

use leafpress::session::EntryIndex;
use std::cell::{LazyCell, OnceCell};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use leafpress::outline::{self, Outline, Query, Subject};
use leafpress::page::{Detail, Sizes};
use leafpress::render::Renderer;
use leafpress::report::{RowReport, tree};
use leafpress::seal::{self, Password};
use leafpress::session::context::Facts;
use leafpress::session::digest::Digest;
use leafpress::session::message::Model;
use leafpress::{Filter, Options, Session};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A session that was read and exported.
pub(crate) struct Exported {
    pub(crate) session: Session,
    outline: Outline,
    texts: OnceCell<Vec<String>>,
    folder: Arc<TempDir>,
}

/// A file of the repository.
pub(crate) fn own_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

impl Exported {
    /// Exports a session of this repository, such as `examples/garden.jsonl`.
    pub(crate) fn file(path: &str) -> Exported {
        let source = fs::read(own_file(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        Exported::bytes(source).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The small tree with two roots and three branches that most tests use.
    pub(crate) fn tree() -> Exported {
        Exported::file("tests/fixtures/samples/pi-1.5-tree.jsonl")
    }

    /// A long session, for whatever needs scrolling.
    pub(crate) fn long() -> Exported {
        Exported::file("examples/lighthouse.jsonl")
    }

    /// Exports the bytes of a session file.
    pub(crate) fn bytes(source: Vec<u8>) -> Result<Exported, leafpress::ReadError> {
        Ok(Exported::with_options(leafpress::read(source)?, &Options::default()))
    }

    /// Exports the bytes of a session file, to be opened as pages are.
    pub(crate) fn story(source: Vec<u8>) -> Exported {
        let session = leafpress::read(source).expect("a session");
        Exported::with(session, |session, mut page| {
            leafpress::export(session, &Options::default(), &mut page)
        })
    }

    /// Exports with options, to be opened with every step and its output: most tests are about them.
    pub(crate) fn with_options(session: Session, options: &Options) -> Exported {
        let mut options = options.clone();
        options.detail = Detail::Full;
        let options = &options;
        Exported::with(session, |session, mut page| leafpress::export(session, options, &mut page))
    }

    /// Exports and seals with a password.
    pub(crate) fn sealed(session: Session, password: &str) -> Exported {
        let password = Password::new(password).expect("a password");
        Exported::with(session, |session, mut page| {
            let mut options = Options::default();
            options.detail = Detail::Full;
            seal::export(session, &options, &password, &mut page)
        })
    }

    fn with(session: Session, press: impl FnOnce(&Session, File) -> io::Result<Sizes>) -> Exported {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let page = File::create(folder.path().join("page.html")).expect("a new file in it");
        press(&session, page).expect("room for a page");
        let folder = Arc::new(folder);
        let (_, outline) = outline::read(&session);
        Exported { session, outline, texts: OnceCell::new(), folder }
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> String {
        format!("file://{}", self.folder.path().join("page.html").display())
    }

    /// The page's file.
    pub(crate) fn html(&self) -> String {
        fs::read_to_string(self.folder.path().join("page.html")).expect("the page is there")
    }

    /// Changes the page's file, as damage on its way would.
    pub(crate) fn change_page(&self, change: impl FnOnce(String) -> String) {
        let file = self.folder.path().join("page.html");
        let page = fs::read_to_string(&file).expect("the page is there");
        fs::write(&file, change(page)).expect("room for a page");
    }

    /// The address of an entry with a leaf.
    pub(crate) fn link(&self, leaf: &str, target: &str) -> String {
        format!("{}?leafId={leaf}&targetId={target}", self.address())
    }

    /// Keeps the page on disk.
    pub(super) fn keeper(&self) -> Arc<TempDir> {
        Arc::clone(&self.folder)
    }

    /// The keys of all entries in document order.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.session.tree().order().map(|entry| self.session.key(entry).unwrap()).collect()
    }

    /// The key of the leaf that the page opens with.
    pub(crate) fn leaf(&self) -> String {
        self.session.key(self.session.leaf()).unwrap()
    }

    /// The keys from the root to a leaf.
    pub(crate) fn path(&self, leaf: &str) -> Vec<String> {
        let path = self.session.tree().path(EntryIndex::new(self.entry(leaf)));
        path.into_iter().map(|entry| self.session.key(entry).unwrap()).collect()
    }

    /// The rows of the tree list, in the shape of the page's `rows()`.
    pub(crate) fn rows(&self, leaf: &str, filter: Filter, query: &str) -> Vec<Value> {
        let search = Some(query).filter(|query| !query.is_empty());
        let report = tree(&self.session, EntryIndex::new(self.entry(leaf)), filter, search);
        let row = |row: &RowReport| {
            let mut row = json!(row);
            // The command prints rows in the form of the agent's own program.
            row["text"] = json!(self.line(row["id"].as_str().unwrap()));
            row
        };
        report.unwrap().rows.iter().map(row).collect()
    }

    /// The row of an entry as the page has it.
    pub(crate) fn line(&self, key: &str) -> String {
        self.outline.row(EntryIndex::new(self.entry(key))).line()
    }

    /// The ids of those rows.
    pub(crate) fn row_ids(&self, leaf: &str, filter: Filter, query: &str) -> Vec<String> {
        let rows = self.rows(leaf, filter, query);
        rows.iter().map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The keys of a query's hits, whatever the filter, in document order.
    pub(crate) fn hit_keys(&self, query: &str) -> Vec<String> {
        let hits = self.hits(query);
        let order = self.session.tree().order();
        order
            .filter(|&entry| hits[entry.get()])
            .map(|entry| self.session.key(entry).unwrap())
            .collect()
    }

    /// Which entries a query finds, whatever the filter.
    fn hits(&self, query: &str) -> Vec<bool> {
        let query = Query::new(query);
        let facts = Facts::read(&self.session);
        let is_hit = |entry: EntryIndex| {
            query.matches(&Subject {
                row: self.outline.row(entry),
                role: facts.of(entry).message.as_ref().map(|message| message.role.as_ref()),
                label: self.session.label(entry).map(|label| label.text.as_str()),
                time: self.session.time(entry),
                body: LazyCell::new(Box::new(move || self.texts()[entry.get()].clone())),
            })
        };
        self.session.indices().map(is_hit).collect()
    }

    /// The text of every entry's fragment.
    pub(crate) fn texts(&self) -> &[String] {
        self.texts.get_or_init(|| {
            let digest = Digest::read(&self.session);
            let mut renderer = Renderer::new(&self.session, &digest);
            self.session.indices().map(|entry| renderer.text(entry)).collect()
        })
    }

    /// Context sent to the model at a leaf, in the shape of the page's `context()`.
    pub(crate) fn context(&self, facts: &Facts<'_>, leaf: &str) -> Value {
        let context = facts.context(Some(EntryIndex::new(self.entry(leaf))));
        let key = |entry: EntryIndex| self.session.key(entry).unwrap();
        let messages = context.messages.iter().map(|message| {
            json!({
                "entryId": key(message.entry),
                "lead": message.lead,
                "role": message.role,
                "sent": message.sent,
                "editedBy": message.edited_by.map(key),
                "stripped": message.stripped,
            })
        });
        let states = context.path.iter().zip(&context.states);
        let states = states.map(|(&entry, state)| (key(entry), json!(state.name())));
        let model = context.model.as_ref();
        let named = |model: &Model<'_>| json!({"provider": model.provider, "modelId": model.id});
        json!({
            "path": context.path.iter().map(|&entry| key(entry)).collect::<Vec<_>>(),
            "messages": messages.collect::<Vec<_>>(),
            "states": states.collect::<serde_json::Map<_, _>>(),
            "thinkingLevel": context.thinking_level,
            "model": model.map(named),
            "roleModels": context.role_models.iter().map(|(role, model)| json!([role, named(model)])).collect::<Vec<_>>(),
            "mode": context.mode,
            "tiers": context.tiers.iter().map(|(family, tier)| format!("{family}:{tier}")).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn entry(&self, key: &str) -> usize {
        (self.session.find(key).unwrap_or_else(|| panic!("no entry {key}"))).get()
    }
}
