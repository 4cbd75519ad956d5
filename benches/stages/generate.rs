//! A session of any size, the same each time: prompts, answers with code, commands, files read and
//! edited, branches.

use std::fmt::Write as _;

/// How the entries hang from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Turns in a row; now and then one goes on from an older one.
    Tree,
    /// One short entry behind the other.
    Chain,
    /// Short branches of one prompt.
    Fan,
}

/// Entries of one turn.
const TURN: usize = 6;

/// Words that answers are made of.
const WORDS: [&str; 24] = [
    "the", "tide", "table", "reads", "a", "harbour", "file", "and", "gives", "every", "buoy",
    "its", "own", "light", "before", "dawn", "where", "no", "chart", "says", "how", "deep", "it",
    "is",
];

/// Numbers that look drawn (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap_or(0)
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<&str> = (0..count).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(" ")
    }

    /// Rust of some lines, few of them alike.
    fn code(&mut self, lines: usize) -> String {
        let mut code = String::new();
        for _ in 0..lines {
            let (a, b) = (self.below(WORDS.len()), self.below(WORDS.len()));
            let number = self.below(10_000);
            let _ = match self.below(4) {
                0 => writeln!(code, "fn {}_{number}(x: &str) -> usize {{", WORDS[a]),
                1 => writeln!(code, "    let {}{number} = \"{}\"; // {number}", WORDS[a], WORDS[b]),
                2 => writeln!(code, "    {}.push({number} + x.len());", WORDS[a]),
                _ => writeln!(code, "}}"),
            };
        }
        code
    }

    /// What a program prints, some of it in colors.
    fn printed(&mut self, lines: usize) -> String {
        let mut printed = String::new();
        for _ in 0..lines {
            let words = self.words(8);
            let _ = match self.below(5) {
                0 => writeln!(printed, "\x1b[32mok\x1b[0m {words}"),
                _ => writeln!(printed, "{words}"),
            };
        }
        printed
    }
}

/// A session of pi with so many entries, in a tree about 1.6 KB times `weight` each.
pub(crate) fn session(entries: usize, shape: Shape, weight: usize) -> Vec<u8> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut file = String::new();
    let _ =
        writeln!(file, "{{\"type\":\"session\",\"version\":3,\"id\":\"bench\",\"cwd\":\"/sea\"}}");
    for nth in 0..entries {
        // Now and then a turn goes on from an older one.
        let before = match nth % TURN {
            _ if shape == Shape::Fan => 0,
            0 if shape == Shape::Tree && nth > 4 * TURN && numbers.below(8) == 0 => {
                nth - 3 * TURN - 1
            }
            _ => nth.wrapping_sub(1),
        };
        let parent = if nth == 0 { "null".to_owned() } else { format!("\"e{before}\"") };
        let message = match shape {
            Shape::Tree => message(nth, weight, &mut numbers),
            Shape::Chain | Shape::Fan => short(nth, &mut numbers),
        };
        let _ = writeln!(
            file,
            "{{\"type\":\"message\",\"id\":\"e{nth}\",\"parentId\":{parent},\"timestamp\":\"2026-01-{:02}T{:02}:{:02}:{:02}.000Z\",\"message\":{message}}}",
            1 + nth / 86_400 % 28,
            nth / 3600 % 24,
            nth / 60 % 60,
            nth % 60,
        );
    }
    file.into_bytes()
}

fn short(nth: usize, numbers: &mut Numbers) -> serde_json::Value {
    let role = if nth.is_multiple_of(2) { "user" } else { "assistant" };
    serde_json::json!({ "role": role, "content": [{ "type": "text", "text": numbers.words(20) }], "stopReason": "stop" })
}

fn message(nth: usize, weight: usize, numbers: &mut Numbers) -> serde_json::Value {
    use serde_json::json;
    let text = |text: String| json!([{ "type": "text", "text": text }]);
    let id = format!("call{}", nth - nth % 2);
    match nth % TURN {
        0 => json!({ "role": "user", "content": numbers.words(30) }),
        1 => {
            let answer = format!("{}\n\n```rust\n{}```\n", numbers.words(60), numbers.code(10));
            json!({ "role": "assistant", "content": text(answer), "stopReason": "stop" })
        }
        turn @ (2 | 4) => {
            let command = format!("cargo test {} && ls -la", numbers.words(3));
            let call = match turn {
                2 => {
                    json!({ "type": "toolCall", "id": id, "name": "bash", "arguments": { "command": command } })
                }
                _ => {
                    json!({ "type": "toolCall", "id": id, "name": "read", "arguments": { "path": "src/tide.rs" } })
                }
            };
            json!({ "role": "assistant", "content": [{ "type": "thinking", "thinking": numbers.words(40) }, call] })
        }
        turn => {
            let (name, output) = match turn {
                3 => ("bash", numbers.printed(80 * weight)),
                _ => ("read", numbers.code(120 * weight)),
            };
            json!({ "role": "toolResult", "toolCallId": id, "toolName": name, "content": text(output) })
        }
    }
}
