//! Sessions made by the tests.

use serde_json::{Value, json};

/// Writes a session line by line.
pub(crate) struct Lines {
    text: String,
    count: u64,
}

impl Lines {
    pub(crate) fn new() -> Lines {
        let header = json!({"type": "session", "version": 3, "id": "made-by-a-test", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/srv"});
        Lines { text: format!("{header}\n"), count: 0 }
    }

    /// Adds an entry; the parent is an id.
    pub(crate) fn entry(&mut self, id: &str, parent: Option<&str>, entry: Value) -> &mut Lines {
        let Value::Object(mut fields) = entry else { panic!("an entry is an object") };
        self.count += 1;
        let (minutes, seconds) = (self.count / 60, self.count % 60);
        let (hours, minutes) = (minutes / 60, minutes % 60);
        fields.insert("id".into(), id.into());
        fields.insert("parentId".into(), parent.into());
        fields.insert(
            "timestamp".into(),
            format!("2026-01-02T{hours:02}:{minutes:02}:{seconds:02}.000Z").into(),
        );
        self.text.push_str(&Value::Object(fields).to_string());
        self.text.push('\n');
        self
    }

    /// Adds a prompt.
    pub(crate) fn user(&mut self, id: &str, parent: Option<&str>, text: &str) -> &mut Lines {
        self.entry(
            id,
            parent,
            json!({"type": "message", "message": {"role": "user", "content": text}}),
        )
    }

    /// Adds an answer.
    pub(crate) fn assistant(&mut self, id: &str, parent: Option<&str>, text: &str) -> &mut Lines {
        let content = json!([{"type": "text", "text": text}]);
        let message = json!({"role": "assistant", "content": content, "provider": "acme", "model": "wren-2", "stopReason": "stop"});
        self.entry(id, parent, json!({"type": "message", "message": message}))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.text.clone().into_bytes()
    }
}

/// Prompts and answers `e0`, `e1`, … in one line.
pub(crate) fn chain(len: usize) -> Vec<u8> {
    let mut lines = Lines::new();
    let mut parent: Option<String> = None;
    for n in 0..len {
        let id = format!("e{n}");
        match n % 2 {
            0 => lines.user(&id, parent.as_deref(), &format!("prompt number {n}")),
            _ => lines.assistant(&id, parent.as_deref(), &format!("answer number {n}")),
        };
        parent = Some(id);
    }
    lines.bytes()
}

/// A prompt `root` with answers `b0`, `b1`, …, each followed by a prompt `c0`, `c1`, ….
pub(crate) fn fan(branches: usize) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.user("root", None, "the same question again and again");
    for n in 0..branches {
        let answer = format!("b{n}");
        lines.assistant(&answer, Some("root"), &format!("answer number {n}"));
        lines.user(&format!("c{n}"), Some(&answer), &format!("thanks for answer {n}"));
    }
    lines.bytes()
}

/// Lines of a long output: the middle one is folded away.
pub(crate) fn long_output(words: &str) -> String {
    let mut text = String::new();
    for n in 1..=40 {
        text.extend([words, " ", &n.to_string(), "\n"]);
    }
    text
}

/// A prompt `ask`, turns `turn0`, `turn1`, … that think and call, their results `result0`, …,
/// and a message `aside` that a terminal does not show.
pub(crate) fn working(turns: usize) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.user("ask", None, "Look at the gauge.");
    let mut parent = "ask".to_owned();
    for n in 0..turns {
        let (turn, result, call) = (format!("turn{n}"), format!("result{n}"), format!("call{n}"));
        let content = json!([
            {"type": "thinking", "thinking": format!("The pondering {n} of the gauge.")},
            {"type": "text", "text": format!("Reading {n}:\n\n```rust\nfn gauge() -> u32 {{ {n} }}\n```\n")},
            {"type": "toolCall", "id": call, "name": "bash", "arguments": {"command": format!("gauge --nth {n}")}},
        ]);
        let message = json!({"role": "assistant", "content": content, "provider": "acme", "model": "wren-2", "stopReason": "toolUse"});
        lines.entry(&turn, Some(&parent), json!({"type": "message", "message": message}));
        let text = long_output(&format!("tide{n} line"));
        let message = json!({"role": "toolResult", "toolCallId": call, "toolName": "bash", "content": [{"type": "text", "text": text}], "isError": false});
        lines.entry(&result, Some(&turn), json!({"type": "message", "message": message}));
        parent = result;
    }
    let aside = json!({"type": "custom_message", "customType": "almanac", "content": "The almanac whispers springtide.", "display": false});
    lines.entry("aside", Some(&parent), aside);
    lines.assistant("end", Some("aside"), "All read.");
    lines.bytes()
}

/// A prompt, and turns that only call a tool, each with its result.
pub(crate) fn calling(turns: usize) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.user("ask", None, "Look at the gauge.");
    let mut parent = "ask".to_owned();
    for n in 0..turns {
        let (turn, result, call) = (format!("turn{n}"), format!("result{n}"), format!("call{n}"));
        let content = json!([{"type": "toolCall", "id": call, "name": "bash", "arguments": {"command": format!("gauge --nth {n}")}}]);
        let message = json!({"role": "assistant", "content": content, "provider": "acme", "model": "wren-2", "stopReason": "toolUse"});
        lines.entry(&turn, Some(&parent), json!({"type": "message", "message": message}));
        let message = json!({"role": "toolResult", "toolCallId": call, "toolName": "bash", "content": [{"type": "text", "text": "3 m"}], "isError": false});
        lines.entry(&result, Some(&turn), json!({"type": "message", "message": message}));
        parent = result;
    }
    lines.assistant("end", Some(&parent), "All read.");
    lines.bytes()
}

/// Entries `e0`, `e1`, … of a path so long that most of it lies in packs, 100 to 130 entries each. Each has a word of
/// its own, `lamp7lamp` for `e7`, and heights differ. The same picture stands at [`PICTURED`]; from [`FORK`] leads
/// another branch, `x0` to `x199`, to an end of its own.
pub(crate) fn packed(len: usize) -> Vec<u8> {
    let mut lines = Lines::new();
    // The branch is older: the page opens with the path.
    for n in 0..=FORK {
        packed_entry(
            &mut lines,
            "e",
            n,
            n.checked_sub(1).map(|above| format!("e{above}")).as_deref(),
        );
    }
    for n in 0..200_usize {
        let above = n.checked_sub(1).map_or(format!("e{FORK}"), |above| format!("x{above}"));
        packed_entry(&mut lines, "x", n, Some(&above));
    }
    for n in FORK + 1..len {
        packed_entry(&mut lines, "e", n, Some(&format!("e{}", n - 1)));
    }
    lines.bytes()
}

/// Where the branch of [`packed`] begins.
pub(crate) const FORK: usize = 1200;

/// Where the picture of [`packed`] stands first, and again.
pub(crate) const PICTURED: [usize; 2] = [500, 2001];

fn packed_entry(lines: &mut Lines, branch: &str, n: usize, parent: Option<&str>) {
    let id = format!("{branch}{n}");
    let word = if branch == "e" { "lamp" } else { "buoy" };
    let rest =
        "The keeper trims the wick and writes the hour into the book. ".repeat(4 + n * 7 % 29);
    let text = format!("{word}{n}{word} is lit. {rest}Ashore.");
    match n % 2 {
        _ if branch == "e" && PICTURED.contains(&n) => {
            let content = json!([{"type": "text", "text": text}, {"type": "image", "data": PIXEL, "mimeType": "image/png"}]);
            let message = json!({"role": "user", "content": content});
            lines.entry(&id, parent, json!({"type": "message", "message": message}))
        }
        0 => lines.user(&id, parent, &text),
        _ => lines.assistant(&id, parent, &text),
    };
}

/// One red pixel.
pub(crate) const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
