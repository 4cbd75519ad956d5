//! Times of the search for secrets in text that is made to be slow, beside text that is not.
//!
//! ```sh
//! cargo bench --bench scan
//! cargo bench --bench scan -- "password="     # this text alone, over and over
//! ```

#[allow(dead_code, reason = "shapes and sizes are for the other benchmark")]
#[path = "../stages/generate.rs"]
mod generate;

use std::hint::black_box;
use std::time::{Duration, Instant};

use generate::Shape;
use leafpress::redact::{Rules, Scanner};

/// Bytes of each text.
const SIZE: usize = 900_000;

/// The shortest time of so many counts.
const RUNS: usize = 3;

/// What names, literals and signs are made of. A text is one of them over and over.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "password=", "password: ", "\"password\":\"", "--password ", "password=\"", "password = ", "password: x ", "password\n",
    "token:", "token=a ", "a_token=1&", "key=", "key: ", "<password>", "| password | x |\n", "export A=", "auth_", "_auth",
    "密码=", "secret_key = get(", "the password is ", "password password ", "login password ", "passwords: [",
    "cookie: a=b; ", "curl -u a:", "--user ", "sudo ", "docker login ", "kind: Secret\n", "kubectl create secret ",
    "authorization: ", "-----BEGIN PRIVATE KEY-----", "://a:b", "AKIA", "sk-", "eyJ", "SGVsbG8gd29ybGQg",
    "3f9a1c77b2e0d4856e1f", "-", "\"", "\\", "'\\\"", "%25", "&amp;", "a**",
];

fn main() {
    let begun = Instant::now();
    let scanner = Scanner::new(&Rules::new()).expect("the table's rules fit");
    println!("a new scanner {:9.2} ms", begun.elapsed().as_secs_f64() * 1e3);
    let session = generate::session(800, Shape::Tree, 1);
    let usual = String::from_utf8(session).expect("JSON is UTF-8").replace(['\\', '"'], " ");
    let usual = time(&scanner, &usual[..SIZE.min(usual.len())]);
    println!("usual text    {:9.2} ms", usual.as_secs_f64() * 1e3);
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    for part in
        PARTS.iter().copied().filter(|_| asked.is_empty()).chain(asked.iter().map(|part| &**part))
    {
        let time = time(&scanner, &part.repeat(SIZE / part.len().max(1)));
        let times = time.as_secs_f64() / usual.as_secs_f64();
        println!("{times:5.1} times  {:9.2} ms  {part:?}", time.as_secs_f64() * 1e3);
    }
}

fn time(scanner: &Scanner, text: &str) -> Duration {
    let once = |_| {
        let begun = Instant::now();
        black_box(scanner.scan_text(text));
        begun.elapsed()
    };
    (0..RUNS).map(once).min().unwrap_or_default()
}
