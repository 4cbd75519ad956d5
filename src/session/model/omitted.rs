//! What stands for parts of a session that somebody left out before giving it away.

use std::borrow::Cow;

use crate::session::texts::json::{Fields, Json};
use crate::session::texts::text::{bytes, counted, counted_entries};

/// The type of an entry that stands for entries which are not here.
pub const TYPE: &str = "leafpress_omitted";

/// The field that counts what an entry lost.
pub(crate) const PARTS: &str = "leafpressOmitted";

/// The field of further ids of an entry.
pub(crate) const ALIASES: &str = "leafpressAliases";

/// The header's field on how a session was written anew.
pub(crate) const HEADER: &str = "leafpress";

/// Entries that are not here: one stub stands for all that belonged together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Omitted<'a> {
    /// How many, those of sub-sessions included.
    pub count: usize,
    /// How many sub-sessions went with them.
    pub sub_sessions: usize,
    /// Why, such as `another branch`.
    pub why: Cow<'a, str>,
    /// It stands between entries that are here and says little: for the filter `all` alone.
    pub quiet: bool,
    /// The thinking level at the end of them, where one of them sets it.
    pub thinking_level: Option<Cow<'a, str>>,
}

impl<'a> Omitted<'a> {
    pub(super) fn read(fields: &mut Fields<'a>) -> Omitted<'a> {
        let omitted = Omitted {
            count: whole(fields.number("count")),
            sub_sessions: whole(fields.number("subSessions")),
            why: fields.text("why").unwrap_or_default(),
            quiet: fields.flag("quiet"),
            thinking_level: fields.text("thinkingLevel"),
        };
        fields.take("ids");
        omitted
    }
}

impl Omitted<'_> {
    /// `34 entries not included`.
    pub fn words(&self) -> String {
        format!("{} not included", counted_entries(self.count))
    }

    /// The same with the reason.
    pub fn sentence(&self) -> String {
        match self.why.as_ref() {
            "" => self.words(),
            why => format!("{} ({why})", self.words()),
        }
    }
}

/// What an entry lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parts {
    /// How many thinking blocks.
    pub thinking: usize,
    /// How many bytes of output.
    pub output: usize,
    /// How many pictures.
    pub images: usize,
    /// How many system prompts, updates of one, lists of tools and the like.
    pub system: usize,
    /// How many messages of a provider's about an error.
    pub errors: usize,
    /// How many summaries of what is not here.
    pub summary: usize,
    /// How many parts of which nobody knew what they hold.
    pub other: usize,
}

impl Parts {
    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        *self == Parts::default()
    }

    fn named(&self) -> [(&'static str, usize); 7] {
        [
            ("thinking", self.thinking),
            ("output", self.output),
            ("images", self.images),
            ("system", self.system),
            ("errors", self.errors),
            ("summary", self.summary),
            ("other", self.other),
        ]
    }

    pub(super) fn read(json: Option<Json<'_>>) -> Parts {
        let Some(json) = json else { return Parts::default() };
        let count = |key: &str| whole(json.get(key).and_then(Json::as_f64));
        Parts {
            thinking: count("thinking"),
            output: count("output"),
            images: count("images"),
            system: count("system"),
            errors: count("errors"),
            summary: count("summary"),
            other: count("other"),
        }
    }

    /// As an object without zeros.
    pub(crate) fn json(&self) -> Json<'static> {
        let fields = self.named().into_iter().filter(|(_, count)| *count > 0);
        Json::Object(
            fields.map(|(name, count)| (name.into(), Json::Number(count.into()))).collect(),
        )
    }

    /// One remark for each kind of part, such as `2 images not included`.
    pub fn words(&self) -> Vec<String> {
        let parts = self.named().into_iter().filter(|(_, count)| *count > 0);
        parts.map(|(name, count)| remark(name, count)).collect()
    }
}

fn remark(name: &str, count: usize) -> String {
    match name {
        "thinking" => "Thinking not included".to_owned(),
        "output" => format!("Output not included ({})", bytes(count)),
        "images" if count == 1 => "Image not included".to_owned(),
        "images" => format!("{} not included", counted(count, "image")),
        "system" => "System prompt not included".to_owned(),
        "errors" => "Error message not included".to_owned(),
        "summary" => "Summary not included: it describes parts that are not here".to_owned(),
        _ => format!("{} not included", counted(count, "further part")),
    }
}

impl std::ops::AddAssign for Parts {
    fn add_assign(&mut self, other: Parts) {
        self.thinking += other.thinking;
        self.output += other.output;
        self.images += other.images;
        self.system += other.system;
        self.errors += other.errors;
        self.summary += other.summary;
        self.other += other.other;
    }
}

fn whole(number: Option<f64>) -> usize {
    /// What no session holds more of.
    const MOST: f64 = 4_294_967_295.0;
    let number = number.filter(|number| number.is_finite()).unwrap_or(0.0).clamp(0.0, MOST);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let number = number as usize;
    number
}
