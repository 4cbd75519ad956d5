//! Places in which programs write a secret in a form of their own, each with a value made up.

use data_encoding::BASE64;
use leafpress::redact::{Redactor, Rules, Scanner};

use crate::redact::fixture::Letters;

/// A text with `§` in place of each value, and what the values are made of.
#[rustfmt::skip]
const PLACES: &[(&str, &str)] = &[
    ("users:\n- name: leaf\n  user:\n    client-key-data: §\n", "{{b64:400}}=="),
    (r#"{"user":{"client-key-data":"§"}}"#, "{{b64:200}}=="),
    ("NPM_CONFIG__AUTH=§\n", "{{alnum:30}}=="),
    ("export npm_config__auth=\"§\"", "{{alnum:30}}=="),
    ("declare -x LEAF_PASSWORD=\"§\"\ndeclare -x HOME=\"/root\"", "{{human:0}}"),
    ("Unseal Key 1: §\nUnseal Key 2: §\n\nInitial Root Token: x\n", "{{alnum:43}}="),
    ("Recovery Key 1: §\n", "{{hex:64}}"),
    (r#"{"unseal_keys_b64":["§","§"],"unseal_shares":2}"#, "{{alnum:43}}="),
    ("{\n  \"unseal_keys_hex\": [\n    \"§\"\n  ]\n}", "{{hex:64}}"),
    (r#"{"kty":"oct","kid":"a","k":"§","alg":"HS256"}"#, "{{alnum:43}}"),
    (r#"{"crv":"P-256","d":"§","kty":"EC","x":"ab"}"#, "{{alnum:43}}"),
    ("{\n \"kty\": \"RSA\",\n \"e\": \"AQAB\",\n \"d\": \"§\",\n \"p\": \"§\"\n}", "{{b64url:170}}"),
    ("const jwk = { kty: 'EC', crv: 'P-256', x: 'ab', d: '§' };", "{{alnum:43}}"),
    ("declare -ax SECRETS=([0]=\"§\" [1]=\"§\")\n", "{{alnum:24}}"),
    ("API_KEYS=(\"§\" '§')\n", "{{alnum:24}}"),
    ("[\n  {\n    \"keyName\": \"key1\",\n    \"permissions\": \"FULL\",\n    \"value\": \"§\"\n  }\n]", "{{alnum:86}}=="),
    ("✔ Key created. Copy it now, it will not be shown again:\n\n    §\n", "{{alnum:40}}"),
    ("$ wg genkey\n§\n", "{{alnum:43}}="),
    ("client-key-data: >-\n  §\n", "{{b64:330}}=="),
    ("$ vault operator unseal §\nKey    Value\n", "{{alnum:43}}="),
    ("====== Data ======\nKey        Value\n---        -----\nsigning    §\nowner      ann\n", "{{alnum:40}}"),
    ("Enter passphrase for key '/home/ann/.ssh/id_ed25519':\n§\n", "nectar-juniper-kestrel-lantern"),
    ("$ kubectl config view --raw -o jsonpath='{.users[0].user.client-key-data}'\n§\n", "{{alnum:200}}=="),
    ("…\n§\n§\n§\n-----END RSA PRIVATE KEY-----\n", "{{alnum:64}}"),
    ("+ §\n+ §\n+ §\n+ -----END PRIVATE KEY-----\n", "{{alnum:64}}"),
];

#[test]
fn secrets_are_found_where_programs_write_them() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    let mut missed = Vec::new();
    for (seed, (place, value)) in PLACES.iter().enumerate() {
        let mut letters = Letters::new(seed as u64 + 1);
        let mut text = String::new();
        let mut planted = Vec::new();
        for part in place.split_inclusive('§') {
            text.push_str(part.trim_end_matches('§'));
            if part.ends_with('§') {
                let own = letters.fill(value);
                planted.push(text.len()..text.len() + own.len());
                text.push_str(&own);
            }
        }
        let hits = scanner.scan_text(&text);
        let is_found = |range: &std::ops::Range<usize>| {
            hits.iter().any(|hit| hit.range.start <= range.start && range.end <= hit.range.end)
        };
        missed.extend(planted.into_iter().filter(|range| !is_found(range)).map(|_| *place));
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Marks that end a sentence are the value's where nothing is quoted.
#[test]
fn marks_at_the_end_belong_to_a_value() {
    let scanner = Scanner::new(&Rules::new()).unwrap();
    for (seed, text) in ["password: §\n", "pwd=§ host=leaf", "The password is: §", "db_password: §"]
        .into_iter()
        .enumerate()
    {
        for marks in ["!", "!?", "?"] {
            let value = Letters::new(seed as u64 + 7).fill("{{alnum:9}}") + marks;
            let text = text.replace('§', &value);
            let hits = scanner.scan_text(&text);
            let found: Vec<&str> = hits.into_iter().map(|hit| &text[hit.range]).collect();
            assert_eq!(found, [value.as_str()], "{text}");
        }
    }
}

/// What is known from one place is replaced where it stands in base64, too short to be decoded.
#[test]
fn short_values_are_known_in_base64() {
    for newline in ["", "\n"] {
        let value = Letters::new(5).fill("{{alnum:9}}");
        let coded = BASE64.encode(format!("{value}{newline}").as_bytes());
        let text = format!("DB_PASSWORD={value}\n$ echo {value} | base64\n{coded}\ndone");
        let mut redactor = Redactor::new(&Rules::new()).unwrap();
        redactor.learn_text(&text);
        let new = redactor.text(&text);
        assert!(!new.contains(&value) && !new.contains(&coded), "{new}");
        assert!(new.ends_with("\ndone"), "{new}");
    }
}
