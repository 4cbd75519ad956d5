//! The corpora's templates, filled. Secrets are made up here, so that no file
//! of the repository holds anything that looks like one.

use data_encoding::{BASE64, BASE64URL_NOPAD};
use serde_json::Value;

/// Made-up letters, the same in every run (xorshift).
pub(crate) struct Letters(u64);

impl Letters {
    pub(crate) fn new(seed: u64) -> Self {
        let mut letters = Letters(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..16 {
            letters.next(2);
        }
        letters
    }

    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % below
    }

    pub(crate) fn of(&mut self, alphabet: &str, len: usize) -> String {
        let letters = alphabet.as_bytes();
        (0..len).map(|_| char::from(letters[self.next(letters.len())])).collect()
    }

    /// What `{{name:len}}` stands for.
    fn spec(&mut self, name: &str, len: usize) -> String {
        const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
        const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const DIGIT: &str = "0123456789";
        match name {
            "hex" => self.of("0123456789abcdef", len),
            "hexup" => self.of("0123456789ABCDEF", len),
            "digit" => self.of("123456789", len),
            "upper" => self.of(&[UPPER, DIGIT].concat(), len),
            "alpha" => self.of(&[UPPER, LOWER].concat(), len),
            "word" => self.of("bcdfghklmnprstvz", len),
            "base32" => self.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", len),
            "base58" => self.of("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", len),
            "b64" => self.of(&[UPPER, LOWER, DIGIT, "+/"].concat(), len),
            "b64url" => self.of(&[UPPER, LOWER, DIGIT, "-_"].concat(), len),
            // One of each class, as generators take care of.
            "alnum" if len >= 3 => {
                let mut text = self.of(&[UPPER, LOWER, DIGIT].concat(), len - 3);
                text.push_str(&self.of("fghk", 1));
                text.push_str(&self.of("QRTZ", 1));
                text.push_str(&self.of("3579", 1));
                text
            }
            "alnum" => self.of(&[UPPER, LOWER, DIGIT].concat(), len),
            "bedrock" => BASE64.encode(b"bedrock.amazonaws.com"),
            "human" => self.human(len),
            "snowflake" => BASE64URL_NOPAD.encode(self.of("123456789", 15).as_bytes()),
            "login" => BASE64.encode(format!("admin:{}", self.spec("alnum", 12)).as_bytes()),
            "plain64" => {
                BASE64.encode(b"Nothing to see in this text, only words about leaves and trees.")
            }
            _ => panic!("no such letters: {name}"),
        }
    }

    /// A password as people choose them, in one of three ways.
    fn human(&mut self, way: usize) -> String {
        let mut word = |len| self.spec("word", len);
        let (first, second) = (word(5), word(4));
        let digits = self.of("23456789", 2);
        let sign = self.of("!@%+_", 1);
        let capital = first[..1].to_uppercase();
        match way {
            0 => format!("{capital}{}{digits}{sign}{second}", &first[1..]),
            1 => format!("{capital}{digits}{}{sign}{}", &first[1..], &digits[1..]),
            _ => format!("{first}{}-{capital}{second}", &digits[..1]),
        }
    }

    /// A template with its letters filled in; other braces stay.
    pub(crate) fn fill(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, behind)) = rest.split_once("{{") {
            out.push_str(before);
            let spec = behind
                .split_once("}}")
                .and_then(|(spec, rest)| Some((spec.split_once(':')?, rest)));
            let spec = spec.and_then(|((name, len), rest)| Some((name, len.parse().ok()?, rest)));
            if let Some((name, len, behind)) = spec {
                out.push_str(&self.spec(name, len));
                rest = behind;
            } else {
                out.push_str("{{");
                rest = behind;
            }
        }
        out + rest
    }
}

/// The lines of a fixture.
pub(crate) fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/fixtures/secrets/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A secret and the text it stands in.
pub(crate) struct Planted {
    pub(crate) rule: String,
    pub(crate) value: String,
    pub(crate) text: String,
    /// How many bytes of the value are the same in every token of the provider.
    pub(crate) public: usize,
}

pub(crate) fn planted(kind: &Value, seed: u64) -> Planted {
    let mut letters = Letters::new(seed);
    let template = kind["value"].as_str().unwrap();
    let public = template.find("{{").unwrap_or_default();
    let value = letters.fill(template);
    let text = letters.fill(kind["text"].as_str().unwrap());
    let text = text.replace("{{json}}", &Value::from(value.as_str()).to_string());
    let text = text.replace("{{value}}", &value);
    Planted { rule: kind["rule"].as_str().unwrap().to_owned(), value, text, public }
}

/// A place's line with the text in it.
pub(crate) fn placed(place: &Value, text: &str) -> String {
    let line = substituted(place, text).to_string();
    // Letters moved aside by `escapes` become escapes of the file.
    let escape = |letter: char| match u32::from(letter) {
        code @ 0xe000..0xe080 => format!("\\u{:04x}", code - 0xe000),
        _ => letter.to_string(),
    };
    line.chars().map(escape).collect()
}

fn substituted(value: &Value, text: &str) -> Value {
    match value {
        Value::String(template) => Value::from(substitute(template, text)),
        Value::Array(items) => items.iter().map(|item| substituted(item, text)).collect(),
        Value::Object(fields) => {
            let field =
                |(key, value): (&String, &Value)| (substitute(key, text), substituted(value, text));
            fields.iter().map(field).collect::<serde_json::Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}

fn substitute(template: &str, text: &str) -> String {
    let Some((before, behind)) = template.split_once("{{text") else { return template.to_owned() };
    let (filters, after) = behind.split_once("}}").unwrap();
    let filtered = filters
        .split('|')
        .filter(|name| !name.is_empty())
        .fold(text.to_owned(), |text, name| filter(name, &text));
    [before, &filtered, after].concat()
}

fn filter(name: &str, text: &str) -> String {
    let by_line = |prefix: &dyn Fn(usize) -> String| {
        let line = |(at, line): (usize, &str)| format!("{}{line}", prefix(at + 1));
        text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
    };
    match name {
        "json" => {
            let quoted = Value::from(text).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        }
        "added" => by_line(&|_| "+".to_owned()),
        "removed" => by_line(&|_| "-".to_owned()),
        "quoted" => by_line(&|_| "> ".to_owned()),
        "numbered" => by_line(&|at| format!("{at:6}→")),
        "base64" => BASE64.encode(text.as_bytes()),
        "base64url" => BASE64URL_NOPAD.encode(text.as_bytes()),
        "padded" => {
            format!("# settings of the application, not to be given away\nHOST=localhost\n{text}\n")
        }
        "broken" => text
            .as_bytes()
            .chunks(76)
            .map(|line| std::str::from_utf8(line).unwrap())
            .collect::<Vec<_>>()
            .join("\n"),
        "percent" => text
            .bytes()
            .map(|byte| {
                if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            })
            .collect(),
        "colors" => text
            .char_indices()
            .map(|(at, letter)| {
                if at % 7 == 5 {
                    format!("\x1b[1;3{}m{letter}", at % 8)
                } else {
                    letter.to_string()
                }
            })
            .collect(),
        "escapes" => text
            .char_indices()
            .map(|(at, letter)| {
                if at % 3 == 1 && letter.is_ascii_graphic() {
                    char::from_u32(0xe000 + u32::from(letter)).unwrap()
                } else {
                    letter
                }
            })
            .collect(),
        "nested-escapes" => text
            .char_indices()
            .map(|(at, letter)| {
                if at % 3 == 1 || !letter.is_ascii_alphanumeric() {
                    format!("\\u{:04x}", u32::from(letter))
                } else {
                    letter.to_string()
                }
            })
            .collect(),
        _ => panic!("no such filter: {name}"),
    }
}
