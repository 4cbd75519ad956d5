//! What is said of a password when a page is locked.

use crate::support::folder::Folder;

/// What an export with this password says.
fn said(folder: &Folder, password: &str) -> String {
    folder.write("password", password);
    let args = ["first-steps.jsonl", "--highlight", "none", "--password-file", "password"];
    let assert = folder.run(&args).success();
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn a_password_is_judged_by_its_strength_and_not_by_its_length() {
    let folder = Folder::with_example("first-steps.jsonl");
    for weak in [
        "tide",
        "password1234",
        "qwertyuiop12",
        "aaaaaaaaaaaaaaaaaaaa",
        "1234567890123456",
        "Summer2026!!",
        "letmeinletmein",
        "P@ssw0rd12345",
    ] {
        let said = said(&folder, weak);
        assert!(
            said.starts_with("warning: weak password: 10,000 guesses a second find it in ")
                && said.contains("\nhelp: use five or more random words\n"),
            "{weak}: {said}"
        );
        assert!(!said.contains(weak));
    }
    for strong in [
        "a heron counts nine slow boats",
        "k7#Vq9!xZp2w",
        "gxqv wjfa kbzn",
        "\u{6d77}\u{5e95}\u{71c8}\u{5854}\u{96ea}\u{767d}\u{8336}\u{58f6}\u{5c71}\u{9dfa}\u{6708}\u{7af9}",
    ] {
        let said = said(&folder, strong);
        assert!(!said.contains("warning"), "{strong}: {said}");
    }
}

#[test]
fn a_page_that_asks_for_too_many_rounds_is_not_opened() {
    let folder = Folder::with_example("first-steps.jsonl");
    said(&folder, "a heron counts nine slow boats");
    let page = folder.read("first-steps.html");
    let parameters = page.split_once("id=\"sealed\">").unwrap().1.split_once('<').unwrap().0;
    let check = page.split_once("id=\"sealed-check\">").unwrap().1.split_once('<').unwrap().0;
    let old_sum = page.split_once("id=\"sealed-sum\">").unwrap().1.split_once('<').unwrap().0;
    let slow = parameters.replace("600000", "4000000000");
    let digest = <sha2::Sha256 as sha2::Digest>::digest(format!("{slow}{check}"));
    let sum = data_encoding::BASE64.encode(&digest);
    folder.write("slow.html", &page.replace(parameters, &slow).replace(old_sum, &sum));
    folder.run(&["extract", "slow.html", "--password-file", "password"]).code(1).stderr_eq(
        "error: failed to extract from `slow.html`: the page requires 4,000,000,000 rounds of key derivation; leafpress runs at most 6,000,000\n",
    );
    // The page's own script says the same.
    let node = std::process::Command::new("node")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sealed/webcrypto.mjs"))
        .arg("open")
        .arg(folder.path("slow.html"))
        .arg("a heron counts nine slow boats")
        .output()
        .expect("tests/run installs Node.js");
    let stderr = String::from_utf8_lossy(&node.stderr);
    assert!(!node.status.success());
    assert!(
        stderr.contains(
            "This page asks for 4,000,000,000 rounds of key derivation. At most 6,000,000 are run"
        ),
        "{stderr}"
    );
}
