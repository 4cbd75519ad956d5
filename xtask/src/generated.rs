//! Modules of the page's script that are written from Rust, so that each constant has one place.

use std::fmt::Write as _;

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/page/outline_data/bits.rs"]
mod bits;

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/content/detail.rs"]
mod detail;

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/outline/filter.rs"]
mod filter;

#[path = "../../src/page/wire/signs.rs"]
mod signs;

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library uses all of it, and is where it is public"
)]
#[path = "../../src/changes/words.rs"]
mod words;

use bits::Constant;
use detail::Detail;
use filter::Filter;
use words::{FileStatus, Known};

/// The modules by their paths in `static/js/`.
pub(crate) fn modules() -> [(&'static str, String); 4] {
    [
        ("outline/shared.js", outline()),
        ("context/flags.js", context()),
        ("chunks/signs.js", signs()),
        ("changes/words.js", words()),
    ]
}

fn outline() -> String {
    let mut text = "/**\n \
         * The names and numbers in the outline. `cargo xtask assets` writes this file from\n \
         * src/page/outline_data/bits.rs, src/outline/filter.rs and src/content/detail.rs.\n \
         */\n\n\
         /** The filters in the order of their buttons, each with its bit in `modes`. */\n\
         export const FILTER_BITS = new Map([\n"
        .to_owned();
    for (nth, filter) in Filter::ALL.iter().enumerate() {
        let _ = writeln!(text, "    [\"{}\", {}],", filter.name(), 1 << nth);
    }
    let details = Detail::ALL
        .iter()
        .map(|detail| format!("\"{}\"", detail.name()))
        .collect::<Vec<_>>()
        .join(", ");
    let _ = writeln!(
        text,
        "]);\n\n/** The levels of detail, in the order of the keys of their command. */\n\
         export const DETAILS = [{details}];"
    );
    text + &constants(bits::outline::ALL)
}

fn context() -> String {
    let head = "/**\n \
         * The bits in the facts of the context. `cargo xtask assets` writes this file from\n \
         * src/page/outline_data/bits.rs.\n \
         */\n";
    head.to_owned() + &constants(bits::context::ALL)
}

fn constants(all: &[Constant]) -> String {
    all.iter().fold(String::new(), |mut text, (name, value, about)| {
        let _ = writeln!(text, "\n/** {} */\nexport const {name} = {value};", about.trim());
        text
    })
}

fn signs() -> String {
    let mut text = format!(
        "/**\n \
         * The format of a page's data, and the bytes in packs with a meaning. `cargo xtask assets` writes\n \
         * this file from src/page/wire/signs.rs.\n \
         */\n\n\
         export const FORMAT = \"{}\";\n\n\
         /** The classes of the spans that have signs. */\n\
         export const SPANS = /* @__PURE__ */ \"{}\".split(\" \");\n",
        signs::FORMAT,
        signs::SPANS.join(" ")
    );
    for (name, value, about) in signs::BYTES {
        let _ = writeln!(text, "\n/** {} */\nexport const {name} = {value};", about.trim());
    }
    for (name, value, about) in signs::CHARACTERS {
        let about = about.trim();
        let _ = writeln!(text, "\n/** {about} */\nexport const {name} = \"\\u{value:04x}\";");
    }
    text
}

fn words() -> String {
    let mut text = "/** The words of the view Changes. `cargo xtask assets` writes this file from src/changes/words.rs. */\n\n\
         /** How well an edit is known: the name, the words in a sentence, and what they mean. */\n\
         export const KNOWN = [\n"
        .to_owned();
    for known in Known::ALL {
        let (name, phrase, meaning) = (known.name(), known.phrase(), known.meaning());
        let _ = writeln!(
            text,
            "    {{ name: \"{name}\", phrase: \"{phrase}\", meaning: \"{meaning}\" }},"
        );
    }
    text.push_str(
        "];\n\n/** What became of a file: its letter, and the words. @type {Record<string, [string, string]>} */\n\
         export const STATUS = {\n",
    );
    for status in FileStatus::ALL {
        let (name, letter, phrase) = (status.name(), status.letter(), status.phrase());
        let _ = writeln!(text, "    {name}: [\"{letter}\", \"{phrase}\"],");
    }
    text + "};\n"
}
