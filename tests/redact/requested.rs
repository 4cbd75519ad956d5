//! What is looked for on request only.

use leafpress::redact::{Redactor, Rules, RulesError};

use crate::redact::fixture::Letters;

fn text(rules: &Rules, text: &str) -> String {
    let mut redactor = Redactor::new(rules).unwrap();
    redactor.learn(text.as_bytes());
    redactor.text(text).into_owned()
}

#[test]
fn homes_and_users() {
    let mut rules = Rules::new();
    let before = "cd /home/marie/work && ls -l: marie marie; file:///Users/marie/x 'C:\\Users\\marie\\y' C:\\\\Users\\\\marie";
    assert_eq!(text(&rules, before), before);
    rules.personal(None);
    let after = "cd ~/work && ls -l: [redacted:user #1] [redacted:user #1]; file://~/x '~\\y' ~";
    assert_eq!(text(&rules, before), after);
    assert_eq!(
        text(&rules, "/home/marie/.pi/--home-marie-work--/x ~/.claude/projects/-Users-marie-work"),
        "~/.pi/-~-work--/x ~/.claude/projects/~-work"
    );
    // A name that is a word of its own goes only on request.
    assert_eq!(text(&rules, "/home/dev/x dev"), "~/x dev");
    assert_eq!(
        text(Rules::new().personal(Some("dev")), "/home/dev/x dev develop"),
        "~/x [redacted:user #1] develop"
    );
    assert_eq!(text(&rules, "https://host.example/home/page"), "https://host.example/home/page");
}

#[test]
fn homes_in_json() {
    let mut redactor = Redactor::new(Rules::new().personal(None)).unwrap();
    let line = r#"{"cwd":"C:\\Users\\marie\\x","out":"{\"p\":\"\/home\/marie\/y\"}"}"#;
    redactor.learn(line.as_bytes());
    let new = String::from_utf8(redactor.file(line.as_bytes())).unwrap();
    assert_eq!(new, r#"{"cwd":"~\\x","out":"{\"p\":\"~\/y\"}"}"#);
}

#[test]
fn addresses_and_hosts() {
    let before = "marie@leaf.press on build7.corp or 192.168.1.20, not 8.8.8.8, docs.rs, settings.local.json, v10.0.1";
    assert_eq!(text(&Rules::new(), before), before);
    let after = "[redacted:email #1] on [redacted:host #1] or [redacted:host #2], not 8.8.8.8, docs.rs, settings.local.json, v10.0.1";
    assert_eq!(text(Rules::new().emails().hosts([]), before), after);
    assert_eq!(
        text(Rules::new().hosts(["thinkpad"]), "marie@thinkpad:~$"),
        "marie@[redacted:host #1]:~$"
    );
}

#[test]
fn patterns_of_the_user() {
    let mut rules = Rules::new();
    rules.pattern(r"ACME-\d+").unwrap().pattern(r"ticket (\w+)").unwrap();
    assert_eq!(
        text(&rules, "ACME-12 and ticket abc"),
        "[redacted:pattern #1] and ticket [redacted:pattern #2]"
    );
    let error = Rules::new().pattern("a(b").unwrap_err();
    assert!(matches!(&error, RulesError::Pattern { pattern, .. } if pattern == "a(b"), "{error}");
}

#[test]
fn patterns_work_on_what_a_text_says() {
    let mut redactor = Redactor::new(Rules::new().pattern("secret plan").unwrap()).unwrap();
    let line =
        r#"{"a":"the \u0073ecret plan","b":"{\"c\":\"secret\\u0020plan\"}","secret plan":1}"#;
    redactor.learn(line.as_bytes());
    let new = String::from_utf8(redactor.file(line.as_bytes())).unwrap();
    let mark = "[redacted:pattern #1]";
    assert_eq!(new, format!(r#"{{"a":"the {mark}","b":"{{\"c\":\"{mark}\"}}","{mark}":1}}"#));
}

#[test]
fn values_of_the_environment() {
    let mut letters = Letters::new(4);
    let (secret, token) = (letters.fill("{{word:11}}"), letters.fill("ghp_{{alnum:36}}"));
    let pairs = [
        ("MY_PASSWORD", secret.as_str()),
        ("GH", &token),
        ("HOME", "/home/marie"),
        ("TOKEN_FILE", "/run/x"),
        ("LANG", "en_GB"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let rules = Rules::new().environment(pairs).clone();
    assert_eq!(
        text(&rules, &format!("so {secret} in /home/marie en_GB")),
        "so [redacted:environment #1] in /home/marie en_GB"
    );
    assert!(!text(&rules, &token).contains(&token));
}

#[test]
fn a_file_of_rules() {
    let mut rules = Rules::new();
    rules.file(r#"{"patterns":[{"name":"acme-key","pattern":"acme_[a-z0-9]{8}","literals":["ACME_"],"entropy":2.0}],"values":["Project Oak"]}"#).unwrap();
    assert_eq!(
        text(&rules, "acme_x7k2m9q4 acme_aaaaaaaa of Project Oak"),
        "[redacted:acme-key #1] acme_aaaaaaaa of [redacted:value #1]"
    );
    assert!(matches!(Rules::new().file(r#"{"pattern":1}"#), Err(RulesError::Form(_))));
    assert!(matches!(
        Rules::new().file(r#"{"patterns":[{"name":"a b","pattern":"x"}]}"#),
        Err(RulesError::Name(_))
    ));
}

/// A session in which words of the user are words of the format.
const SESSION: &str = concat!(
    r#"{"type":"session","version":3,"id":"s","cwd":"/home/message/w"}"#,
    "\n",
    r#"{"type":"message","id":"a1","parentId":null,"message":{"role":"assistant","provider":"anthropic","api":"anthropic-messages","model":"claude-sonnet-4-5","stopReason":"toolUse","content":[{"type":"toolCall","id":"t1","name":"ls","arguments":{"type":"claude","at":"message"}}]}}"#,
    "\n",
    r#"{"type":"message","id":"a2","parentId":"a1","message":{"role":"user","content":"message of claude in /home/claude/w"}}"#,
    "\n",
);

fn session(rules: &Rules) -> String {
    let mut redactor = Redactor::new(rules).unwrap();
    redactor.learn(SESSION.as_bytes());
    String::from_utf8(redactor.file(SESSION.as_bytes())).unwrap()
}

#[test]
fn users_named_as_words_of_the_format() {
    let new = session(Rules::new().personal(None));
    assert_eq!(new.matches(r#"{"type":"message","id":"#).count(), 2, "{new}");
    assert!(new.contains(r#""api":"anthropic-messages","model":"claude-sonnet-4-5","#), "{new}");
    assert!(
        new.contains(r#""content":"[redacted:user #2] of [redacted:user #1] in ~/w""#),
        "{new}"
    );
    assert!(
        new.contains(r#""arguments":{"type":"[redacted:user #1]","at":"[redacted:user #2]"}"#),
        "{new}"
    );
}

#[test]
fn patterns_that_match_words_of_the_format() {
    for pattern in ["message", "e", r"\w+"] {
        let new = session(Rules::new().pattern(pattern).unwrap());
        for (new, old) in new.lines().zip(SESSION.lines()) {
            let (new, old): (serde_json::Value, serde_json::Value) =
                (serde_json::from_str(new).unwrap(), serde_json::from_str(old).unwrap());
            let words = ["/type", "/message/role", "/message/model", "/message/stopReason"];
            for word in words {
                assert_eq!(new.pointer(word), old.pointer(word), "{pattern}: {new}");
            }
        }
        assert!(!new.contains("message of claude"), "{new}");
    }
}

#[test]
fn words_of_the_format_hide_no_secret_of_the_table() {
    let token = Letters::new(8).fill("ghp_{{alnum:36}}");
    let line = format!(r#"{{"type":"{token}","model":"a word, marie, and more"}}"#);
    let mut redactor = Redactor::new(Rules::new().personal(Some("marie"))).unwrap();
    redactor.learn(line.as_bytes());
    let new = String::from_utf8(redactor.file(line.as_bytes())).unwrap();
    let after =
        r#"{"type":"[redacted:github-token #1]","model":"a word, [redacted:user #1], and more"}"#;
    assert_eq!(new, after);
}

#[test]
fn patterns_that_match_nothing_at_all_are_refused() {
    for pattern in ["", "a*", r"\b", "^", "x|"] {
        let error = Rules::new().pattern(pattern).unwrap_err();
        let told = error.to_string();
        assert!(matches!(error, RulesError::Empty { .. }), "{told}");
        assert!(told.contains(&format!("`{pattern}` matches the empty string")), "{told}");
        let file = serde_json::json!({"patterns": [{ "pattern": pattern }]}).to_string();
        assert!(matches!(Rules::new().file(&file), Err(RulesError::Empty { .. })), "{pattern}");
    }
    Rules::new().pattern("^x").unwrap().pattern(r"(\w*)!").unwrap();
}
