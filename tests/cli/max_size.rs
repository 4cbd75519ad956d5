//! `--max-size`: a page that fits.

use snapbox::str;

use crate::support::folder::Folder;
use crate::support::inflated::everything;

/// A prompt and an output, both long, that hardly compress. The line of the output lies beside its article, so it takes
/// little room.
fn session() -> String {
    let mut seed = 1_u64;
    let mut letters = |count: usize| {
        let mut text = String::new();
        for _ in 0..count {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push(char::from(b'a' + u8::try_from((seed >> 33) % 26).unwrap()));
        }
        text
    };
    let (prompt, output) = (letters(16_000), letters(20_000));
    [
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n",
        &format!("{{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"message\":{{\"role\":\"user\",\"content\":\"{prompt}\"}}}}\n"),
        "{\"type\":\"message\",\"id\":\"a2\",\"parentId\":\"a1\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"bash\",\"arguments\":{\"command\":\"ls\"}}]}}\n",
        &format!("{{\"type\":\"message\",\"id\":\"a3\",\"parentId\":\"a2\",\"message\":{{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"content\":[{{\"type\":\"text\",\"text\":\"{output}\"}}]}}}}\n"),
    ]
    .concat()
}

fn bytes(folder: &Folder) -> usize {
    folder.read("s.html").len()
}

#[test]
fn only_what_is_needed_goes_and_is_told() {
    let folder = Folder::new();
    folder.write("s.jsonl", &session());
    folder.run(&["s.jsonl"]).success();
    let whole = bytes(&folder);
    folder.run(&["s.jsonl", "--max-size", &whole.to_string()]).success().stderr_eq(str![[r#"
[..] KB: text [..], tool output [..], session file [..], the page itself [..]

"#]]);
    assert_eq!(bytes(&folder), whole, "all of it fits");

    let some = (whole - 10_000).to_string();
    folder.run(&["s.jsonl", "--max-size", &some]).success().stderr_eq(str![[r#"
[..] KB: text [..], tool output [..], the page itself [..]
removed to fit: the session file

"#]]);
    assert!(bytes(&folder) <= whole - 10_000);
    assert!(
        folder
            .read("s.html")
            .contains("Removed to stay below [..]: the session file".split("[..]").next().unwrap())
    );

    let less = (whole - 20_000).to_string();
    folder.run(&["s.jsonl", "--max-size", &less]).success().stderr_eq(str![[r#"
[..] KB: text [..], the page itself [..]
removed to fit: the session file, images, tool output

"#]]);
    assert!(bytes(&folder) <= whole - 20_000);
    let everything = everything(&folder.read("s.html"));
    assert!(everything.contains("Output not included") && !everything.contains("No output"));
}

#[test]
fn what_cannot_fit_is_an_error() {
    let folder = Folder::new();
    folder.write("s.jsonl", &session());
    folder.run(&["s.jsonl", "--max-size", "20KB"]).code(1).stderr_eq(str![[r#"
error: failed to fit the page into 20 KB: it takes [..] KB without the session file, images, tool output, thinking, other branches
help: export less with `--branch`, `--from` or `--only`, or raise `--max-size`

"#]]);
    assert_eq!(folder.names(), ["s.jsonl"]);
    folder.run(&["s.jsonl", "--max-size", "much"]).code(2);
}
