//! One value, one mark, wherever and however it stands.

use leafpress::redact::{Redactor, Rules};
use serde_json::json;

use crate::redact::fixture::Letters;

fn redactor(files: &[&str]) -> Redactor {
    let mut redactor = Redactor::new(&Rules::new()).unwrap();
    for file in files {
        redactor.learn(file.as_bytes());
    }
    redactor
}

fn file(redactor: &Redactor, file: &str) -> String {
    String::from_utf8(redactor.file(file.as_bytes())).unwrap()
}

fn github(seed: u64) -> String {
    Letters::new(seed).fill("ghp_{{alnum:36}}")
}

#[test]
fn the_same_value_has_the_same_mark_in_all_files() {
    let (first, second) = (github(1), github(2));
    let one = json!({"text": format!("{first} and {second}")}).to_string();
    let two = json!({"text": format!("{second}, {first}")}).to_string();
    let redactor = redactor(&[&one, &two]);
    // Files are redacted in any order.
    assert_eq!(
        file(&redactor, &two),
        json!({"text": "[redacted:github-token #2], [redacted:github-token #1]"}).to_string()
    );
    assert_eq!(
        file(&redactor, &one),
        json!({"text": "[redacted:github-token #1] and [redacted:github-token #2]"}).to_string()
    );
    assert_eq!(redactor.text(&first), "[redacted:github-token #1]");
}

#[test]
fn a_value_known_from_one_place_is_gone_from_all() {
    let password = Letters::new(5).fill("{{alnum:12}}");
    let known = json!({"text": format!("DB_PASSWORD={password}")}).to_string();
    let mentions = [
        json!({"text": format!("I typed {password} and it worked")}),
        json!({format!("k-{password}"): 1}),
        json!({"text": data_encoding::BASE64.encode(format!("we had {password} in mind, hadn't we").as_bytes())}),
        json!({"text": format!("/tmp/{password}.log")}),
    ];
    for mention in mentions {
        let mention = mention.to_string();
        let alone = redactor(&[&mention]);
        assert_eq!(file(&alone, &mention), mention, "nothing tells that it is one");
        let both = redactor(&[&mention, &known]);
        let new = file(&both, &mention);
        assert!(new.contains("[redacted:password #1]") && !new.contains(&password), "{new}");
    }
}

#[test]
fn a_password_of_a_common_word_is_replaced_only_where_it_is_set() {
    let text = "DB_PASSWORD=horsebattery\nthe horsebattery is full";
    let redactor = redactor(&[text]);
    assert_eq!(
        file(&redactor, text),
        "DB_PASSWORD=[redacted:password #1]\nthe horsebattery is full"
    );
}

/// What is found of a session: the first place and the second.
fn in_both_places(set: &str, mention: &str) -> (bool, bool) {
    let text = format!("{set}\n\n{mention}");
    let new = file(&redactor(&[&text]), &text);
    let (first, second) = new.split_once("\n\n").unwrap();
    (first.contains("[redacted:"), second.contains("[redacted:"))
}

#[test]
fn names_of_programs_are_replaced_only_where_they_are_set() {
    for value in ["Win32_Security", "x86_cpu_index_1_edx", "Billing_Node2"] {
        let set = format!("DB_PASSWORD={value}");
        for mention in [format!("use {value};"), format!("use {value}_Cryptography;")] {
            assert_eq!(in_both_places(&set, &mention), (true, false), "{mention}");
        }
    }
}

#[test]
fn passwords_that_people_choose_are_replaced_as_words() {
    for value in [
        "hunter2hunter2",
        "hunter2",
        "Sommer2024!",
        "blue-lane-tree42",
        "Blue_Moon_77",
        "k3strel-91-lantern",
    ] {
        let set = format!("DB_PASSWORD={value}");
        for mention in [
            format!("log in with {value}, please"),
            format!("psql://app:{value}@host"),
            format!("“{value}”"),
            format!("密码是{value}。"),
            format!("it is%20{value}%0A"),
            format!("\\n{value}\\n"),
        ] {
            assert_eq!(in_both_places(&set, &mention), (true, true), "{mention}");
        }
    }
    for value in ["hunter2hunter2", "hunter2", "Blue_Moon_77"] {
        let set = format!("DB_PASSWORD={value}");
        for mention in [format!("x{value}"), format!("{value}_x"), format!("é{value}9")] {
            assert_eq!(in_both_places(&set, &mention), (true, false), "{mention}");
        }
    }
}

#[test]
fn random_letters_are_replaced_within_words_too() {
    let value = Letters::new(6).fill("{{alnum:24}}");
    let set = format!("DB_PASSWORD={value}");
    assert_eq!(in_both_places(&set, &format!("MARK{value}_END")), (true, true));
}

#[test]
fn lines_stay_lines() {
    let mut letters = Letters::new(9);
    let [first, second, last] =
        [64, 64, 40].map(|len| letters.fill(&format!("{{{{alnum:{len}}}}}")));
    let key = ["-----BEGIN RSA", " PRIVATE KEY-----"].concat();
    let diff = format!(
        "@@ -1 +1,5 @@\n+{key}\n+{first}\n+{second}\n+{last}\n+-----END RSA PRIVATE KEY-----\n next"
    );
    let mark = "+[redacted:private-key #1]\n";
    let expected =
        format!("@@ -1 +1,5 @@\n+{key}\n{mark}{mark}{mark}+-----END RSA PRIVATE KEY-----\n next");
    let redactor = redactor(&[&diff]);
    assert_eq!(file(&redactor, &diff), expected);
    // A line of it elsewhere is the same secret.
    assert_eq!(redactor.text(&format!("tail: {second}")), "tail: [redacted:private-key #1]");
}

#[test]
fn colors_go_on_behind_a_mark() {
    let token = github(3);
    let text = format!("\x1b[31m{}\x1b[1m{}\x1b[0m", &token[..10], &token[10..]);
    assert_eq!(redactor(&[]).text(&text), "\x1b[31m[redacted:github-token #1]\x1b[1m\x1b[0m");
    let line = json!({ "text": text }).to_string();
    let new = file(&redactor(&[&line]), &line);
    assert_eq!(new, r#"{"text":"\u001b[31m[redacted:github-token #1]\u001b[1m\u001b[0m"}"#);
}

#[test]
fn keys_stay_apart() {
    let rules = Rules::new().personal(None).clone();
    let text = r#"{"/home/marie/a":1,"~/a":2,"/Users/marie/a":{"~/a":3}}"#;
    let redactor = Redactor::new(&rules).unwrap();
    let new = file(&redactor, text);
    assert_eq!(new, r#"{"~/a ~2":1,"~/a":2,"~/a ~3":{"~/a":3}}"#);
}

#[test]
fn marks_of_before_keep_their_numbers() {
    let text = format!("[redacted:github-token #3] {}", github(4));
    let redactor = redactor(&[&text]);
    assert_eq!(redactor.text(&text), "[redacted:github-token #3] [redacted:github-token #4]");
}

#[test]
fn what_stands_beside_a_mark_is_still_found() {
    let redactor = Redactor::new(Rules::new().pattern("key: .*").unwrap()).unwrap();
    let text = "key: [redacted:github-token #1]horsebattery";
    assert_eq!(redactor.text(text), "key: [redacted:github-token #1][redacted:pattern #1]");
}

/// A find of the fuzzer: the number of a mark in escapes was given to another value.
#[test]
fn marks_that_are_written_in_escapes_keep_their_numbers() {
    let old = "\\u005bredacted:password #1]";
    let value = ["k3strel", "91", "lantern"].join("-");
    for mark in [old.to_owned(), old.replace('\\', "\\\\")] {
        let line = format!("{{\"a\":\"{mark} DB_PASSWORD={value}\"}}");
        let mut redactor = Redactor::new(&Rules::new()).unwrap();
        redactor.learn(line.as_bytes());
        let new = String::from_utf8(redactor.file(line.as_bytes())).unwrap();
        assert!(new.contains("DB_PASSWORD=[redacted:password #2]"), "{new}");
    }
}
