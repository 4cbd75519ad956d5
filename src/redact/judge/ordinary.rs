//! Values that are plainly something else than a secret: numbers, versions, names of programs.

use crate::redact::bytes::{Words, begins_in_any_case};

use super::names::{self, Promise};
use super::parts::is_name;

/// What languages and people write behind a number, in small letters.
#[rustfmt::skip]
static SUFFIXES: Words = Words::of(&[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    "ul", "ull", "lu", "llu", "ll", "uz", "px", "em", "rem", "pt", "vh", "vw", "ms", "us", "ns", "sec", "secs", "min", "mins",
    "hours", "days", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "bit", "bits", "bytes", "hz", "khz", "mhz", "ghz",
]);

/// What is put behind the numbers of a version.
#[rustfmt::skip]
const STAGES: &[&str] = &[
    "alpha", "beta", "rc", "dev", "pre", "post", "snapshot", "final", "release", "next", "canary", "nightly", "git", "ubuntu",
    "debian", "deb", "build", "el", "fc", "a", "b",
];

/// Digits behind a word that are still a name's, as in `Win32`.
const MAX_NUMBER: usize = 2;

/// `1024u32`, `0x8000_0000u32`, `512MiB`, `1.302190`, `v2.0.0-rc.1`.
pub(crate) fn is_number(value: &str) -> bool {
    let number = value.trim_start_matches(['-', 'v', '^', '~', '=', '<', '>']);
    number.starts_with(|first: char| first.is_ascii_digit())
        && (has_suffix(number) || is_version(number))
}

/// Digits and a type or a unit.
fn has_suffix(value: &str) -> bool {
    let (digits, is_digit): (_, fn(&u8) -> bool) = match value.strip_prefix("0x") {
        Some(digits) => (digits, u8::is_ascii_hexdigit),
        None => (value, u8::is_ascii_digit),
    };
    let len = digits.bytes().take_while(|byte| is_digit(byte) || *byte == b'_').count();
    SUFFIXES.has(&digits.as_bytes()[len..])
}

/// Numbers with dots between them, and perhaps the stage of a release. A date such as `24.12.1990`
/// may be a password.
fn is_version(value: &str) -> bool {
    let len = value.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (numbers, rest) = value.split_at(len);
    let stage = rest.trim_start_matches(['-', '+', '~', '.']);
    let is_stage = |stage: &str| {
        let letters = stage.bytes().take_while(u8::is_ascii_alphabetic).count();
        let is_known = STAGES.iter().any(|known| stage[..letters].eq_ignore_ascii_case(known));
        let is_numbered = |byte: u8| byte.is_ascii_digit() || b".-+~".contains(&byte);
        is_known && stage[letters..].bytes().all(is_numbered)
    };
    let last = numbers.rsplit('.').next().unwrap_or_default();
    let is_date = last.len() == 4 && (last.starts_with("19") || last.starts_with("20"));
    numbers.contains('.') && !is_date && (rest.is_empty() || is_stage(stage))
}

/// The name of a variable: `mdToken`, `_secret_key`.
pub(crate) fn is_variable(value: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !value.starts_with(|first: char| first.is_ascii_digit())
        && value.bytes().all(is_part)
        && value.bytes().filter(u8::is_ascii_digit).count() <= MAX_NUMBER
}

/// Words of a program, one of which says what it names: `UserCredentials_0`, `private_key`.
pub(super) fn is_name_of_secret(value: &str) -> bool {
    value.contains(['_', '.']) && is_name(value.as_bytes()) && names::promise(value).is_some()
}

/// Whether a value is one of many wherever it stands, so that a secret tells nothing of the
/// places where its letters stand too. Words joined by `-` may be a passphrase, and a number
/// behind the last sign one that a person put there.
pub(crate) fn is_ordinary(value: &str) -> bool {
    is_number(value) || is_name_of_secret(value) || is_path_of_names(value)
}

/// Two words and more with the signs of programs between them: `Win32_Security`.
fn is_path_of_names(value: &str) -> bool {
    const SIGNS: [char; 4] = ['_', '.', ':', '/'];
    let parts = || value.split(SIGNS).filter(|part| !part.is_empty());
    let letters = |part: &str| part.bytes().filter(u8::is_ascii_alphabetic).count();
    value.chars().all(|letter| letter.is_ascii_alphanumeric() || SIGNS.contains(&letter))
        && parts().filter(|part| letters(part) >= 3).count() >= 2
        && parts().all(|part| letters(part) > 0 || part.len() <= MAX_NUMBER)
        && parts().next_back().is_some_and(|last| letters(last) > 0)
        && is_name(value.as_bytes())
}

/// Whether a value is its own name in another spelling: `"challengePassword"` of
/// `CHALLENGE_PASSWORD`, a type `SigningPrivateKey` of `private_key`.
pub(crate) fn repeats_name(value: &str, name: &str, promise: Promise) -> bool {
    let is_of_words =
        value.contains(['_', '-']) || value.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    if !is_of_words {
        return false;
    }
    let [mut own, mut named] =
        [value, name].map(|text| text.bytes().rev().filter(u8::is_ascii_alphanumeric));
    loop {
        match (own.next(), named.next()) {
            (Some(own), Some(named)) if own.eq_ignore_ascii_case(&named) => {}
            (None, _) => return names::promise(value).is_some(),
            (Some(_), None) => return promise == Promise::Key && begins_hump(value, name),
            (Some(_), Some(_)) => return false,
        }
    }
}

/// Whether the words of the name at the end of a value begin with a capital.
fn begins_hump(value: &str, name: &str) -> bool {
    let first = name.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let first = &first[..first.bytes().take(3).take_while(u8::is_ascii_alphanumeric).count()];
    (0..value.len()).rev().any(|at| {
        value.as_bytes()[at].is_ascii_uppercase()
            && begins_in_any_case(&value.as_bytes()[at..], first.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_versions() {
        #[rustfmt::skip]
        let numbers = [
            "1024u32", "0x8000_0000u32", "-2147217308i32", "1_000usize", "4096UL", "512MiB", "1.302190", "v2.0.0-rc.1",
            "~2.1.7", "10.0.22621", "3.2.0-beta", "1.0.2+git", "192.168.10.20",
        ];
        #[rustfmt::skip]
        let others = [
            "84729105", "24.12.1990", "1024u33", "4a1024u32", "2.1-Kx81", "9lives", "u32", "v", "-", "1.2.3-rcé", "",
        ];
        for number in numbers {
            assert!(is_number(number), "{number}");
        }
        for other in others {
            assert!(!is_number(other), "{other}");
        }
    }

    #[test]
    fn names_of_programs_are_ordinary_and_what_people_choose_is_not() {
        #[rustfmt::skip]
        let names = [
            "Win32_Security", "x86_cpu_index_1_edx", "Test2::Event::Pass", "lib/net_node2.rs", "UserCredentials_0",
        ];
        #[rustfmt::skip]
        let chosen = [
            "hunter2", "hunter2hunter2", "Sommer2024!", "blue-lane-tree42", "Blue_Moon_77", "summer_2024",
            "CorrectHorseBattery", "p_a55_w0rd", "k3strel-91-lantern",
        ];
        for name in names {
            assert!(is_ordinary(name), "{name}");
        }
        for password in chosen {
            assert!(!is_ordinary(password), "{password}");
        }
    }

    #[test]
    fn a_name_may_be_spelled_otherwise() {
        let (key, password) = (Promise::Key, Promise::Password);
        assert!(repeats_name("challengePassword", "CHALLENGE_PASSWORD", password));
        assert!(repeats_name("KxECDHE-PSK", "SN_kx_ecdhe_psk", password));
        assert!(repeats_name("ed25519.Ed25519PrivateKey", "private_key", key));
        assert!(!repeats_name("my-2nd-jwt-secret", "secret", key));
        assert!(!repeats_name("grafana7", "grafana_password", password));
        assert!(!repeats_name("Ours4Password", "password", password));
    }
}
