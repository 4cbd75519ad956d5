//! The simple commands of a shell script: what ran, distinguished from what is merely quoted, echoed or
//! written into a file.
//!
//! No shell is imitated: words are taken as written but for their quotes. What stands in `$(…)`, in
//! backquotes or in a here-document is part of a word and runs nothing here.

/// How a command is tied to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;`, a new line, `&`, the end.
    Then,
}

/// One simple command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Simple<'s> {
    /// Its words without their quotes, redirections left out.
    pub(crate) words: Vec<String>,
    /// As written, from its first word to its last.
    pub(crate) text: &'s str,
    /// Where that begins in the script.
    pub(crate) start: usize,
    /// Where its output is redirected to (`> file`), without quotes.
    pub(crate) writes: Vec<String>,
    /// The here-document that it reads, where the shell replaces nothing in it.
    pub(crate) document: Option<&'s str>,
    /// How the next one follows.
    pub(crate) next: Join,
    /// It runs beside what follows: nobody waits for its status.
    pub(crate) in_background: bool,
    /// How many subshells, `( … )`, end between the command before and this one.
    pub(crate) left: usize,
    /// How many begin there after that.
    pub(crate) entered: usize,
}

impl<'s> Simple<'s> {
    /// A command that is a whole script, whose words came one by one.
    pub(crate) fn alone(words: Vec<String>, text: &'s str) -> Simple<'s> {
        Simple {
            words,
            text,
            start: 0,
            writes: Vec::new(),
            document: None,
            next: Join::Then,
            in_background: false,
            left: 0,
            entered: 0,
        }
    }
}

/// What surrounds a place in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// `"…"`
    Double,
    /// `$(…)`, `<(…)`, `${…}`: up to this byte.
    Nested(u8),
    Back,
}

/// The simple commands of a script in their order, in linear time.
pub(crate) fn commands(script: &str) -> Vec<Simple<'_>> {
    let mut reader = Reader {
        script,
        bytes: script.as_bytes(),
        at: 0,
        documents: Vec::new(),
        done: Vec::new(),
        words: Vec::new(),
        span: None,
        writes: Vec::new(),
        redirected: None,
        left: 0,
        entered: 0,
    };
    reader.read();
    reader.done
}

/// A here-document that begins after the line at hand.
struct Document {
    /// Its last line.
    end: String,
    /// The command that reads it, by its number; `None` for one within a word.
    of: Option<usize>,
    is_quoted: bool,
}

struct Reader<'s> {
    script: &'s str,
    bytes: &'s [u8],
    at: usize,
    /// The here-documents that begin after this line.
    documents: Vec<Document>,
    done: Vec<Simple<'s>>,
    words: Vec<String>,
    /// Where the words of the command at hand begin and end.
    span: Option<(usize, usize)>,
    /// Where the output of the command at hand is redirected to.
    writes: Vec<String>,
    /// The next word is where something is redirected to; whether that is written.
    redirected: Option<bool>,
    /// Subshells that ended since the last command, and those that began.
    left: usize,
    entered: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let next = self.bytes.get(self.at + 1).copied();
            match byte {
                b'\n' => {
                    self.end(Join::Then, false);
                    self.at += 1;
                    self.skip_documents();
                }
                b'\\' if next == Some(b'\n') => self.at += 2,
                _ if byte.is_ascii_whitespace() => self.at += 1,
                b'#' => self.at = self.line_end(),
                b'&' if next == Some(b'&') => self.operator(Join::And, 2),
                b'&' if next == Some(b'>') => self.redirect(),
                b'&' => {
                    self.end(Join::Then, true);
                    self.at += 1;
                }
                b'|' if next == Some(b'|') => self.operator(Join::Or, 2),
                b'|' => self.operator(Join::Pipe, if next == Some(b'&') { 2 } else { 1 }),
                b';' => self.operator(Join::Then, 1),
                b')' => {
                    self.operator(Join::Then, 1);
                    match self.entered {
                        0 => self.left += 1,
                        _ => self.entered -= 1,
                    }
                }
                b'(' => {
                    self.entered += 1;
                    self.at += 1;
                }
                b'<' | b'>' if next != Some(b'(') => self.redirect(),
                _ => self.word(),
            }
        }
        self.end(Join::Then, false);
    }

    fn operator(&mut self, join: Join, len: usize) {
        self.end(join, false);
        self.at += len;
    }

    /// Ends the command at hand. An operator without one, as behind `)`, says how the last goes on.
    fn end(&mut self, next: Join, in_background: bool) {
        let words = std::mem::take(&mut self.words);
        let writes = std::mem::take(&mut self.writes);
        self.redirected = None;
        if let Some((start, end)) = self.span.take().filter(|_| !words.is_empty()) {
            let text = self.script.get(start..end).unwrap_or_default();
            let (left, entered) =
                (std::mem::take(&mut self.left), std::mem::take(&mut self.entered));
            self.done.push(Simple {
                words,
                text,
                start,
                writes,
                document: None,
                next,
                in_background,
                left,
                entered,
            });
        } else if let Some(last) = self.done.last_mut().filter(|last| last.next == Join::Then) {
            last.next = next;
            last.in_background |= in_background;
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.bytes[self.at..];
        self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
    }

    /// `<`, `>`, `>>`, `2>&1`, `<<EOF`, `<<< word`: its target is no word of the command.
    fn redirect(&mut self) {
        let rest = &self.bytes[self.at..];
        let mut is_written = false;
        if rest.starts_with(b"<<<") {
            self.at += 3;
        } else if rest.starts_with(b"<<") {
            self.at += 2;
            return self.document(Some(self.done.len()));
        } else {
            let is_sign = |byte: &&u8| matches!(**byte, b'<' | b'>' | b'&' | b'|');
            let len = rest.iter().take_while(is_sign).count().min(3);
            // `2>&1` names no file.
            is_written = rest[..len].contains(&b'>') && rest[len - 1] != b'&';
            self.at += len;
        }
        self.redirected = Some(is_written);
    }

    /// Notes the word that ends a here-document.
    fn document(&mut self, of: Option<usize>) {
        let strips_tabs = self.bytes.get(self.at) == Some(&b'-');
        if strips_tabs {
            self.at += 1;
        }
        while self.bytes.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
            self.at += 1;
        }
        let start = self.at;
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b";&|<>()\"'".contains(byte);
        let quote = self.bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let from = start + usize::from(quote.is_some());
        let rest = &self.bytes[from.min(self.bytes.len())..];
        let len = match quote {
            Some(quote) => memchr::memchr(quote, rest),
            None => rest.iter().position(ends),
        };
        let end = from + len.unwrap_or(rest.len());
        let word = self.script.get(from..end).unwrap_or_default();
        self.at = end + usize::from(quote.is_some());
        if !word.is_empty() {
            self.documents.push(Document {
                end: word.replace('\\', ""),
                of: of.filter(|_| !strips_tabs),
                is_quoted: quote.is_some() || word.starts_with('\\'),
            });
        }
    }

    /// Passes over the here-documents that begin on this line.
    fn skip_documents(&mut self) {
        for document in std::mem::take(&mut self.documents) {
            let start = self.at;
            while self.at < self.bytes.len() {
                let (begin, end) = (self.at, self.line_end());
                let line = self.script.get(begin..end).unwrap_or_default();
                self.at = (end + 1).min(self.bytes.len());
                if line.trim_matches(['\t', ' ', '\r']) == document.end {
                    let text = self.script.get(start..begin);
                    let is_literal =
                        |text: &&str| document.is_quoted || !text.contains(['$', '`', '\\']);
                    let command = document.of.and_then(|of| self.done.get_mut(of));
                    if let Some(command) = command.filter(|_| line == document.end) {
                        command.document = text.filter(is_literal);
                    }
                    break;
                }
            }
        }
    }

    /// One word, whatever is quoted and nested in it.
    fn word(&mut self) {
        let start = self.at;
        let mut word = Vec::new();
        let mut within: Vec<Within> = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at) {
            let top = within.last().copied();
            let next = self.bytes.get(self.at + 1).copied();
            let is_end = top.is_none()
                && (byte.is_ascii_whitespace() || b";|)<>(".contains(&byte) || byte == b'&');
            let opens_list = matches!(byte, b'<' | b'>' | b'$') && next == Some(b'(');
            if is_end && !opens_list {
                // `2>&1`: the number belongs to the sign.
                if matches!(byte, b'<' | b'>') && word.iter().all(u8::is_ascii_digit) {
                    return;
                }
                break;
            }
            match (byte, top) {
                (b'\\', _) if next.is_some() => {
                    word.extend(next.filter(|next| *next != b'\n'));
                    self.at += 2;
                    continue;
                }
                (b'\'', None | Some(Within::Nested(_) | Within::Back)) => {
                    let rest = &self.bytes[self.at + 1..];
                    let len = memchr::memchr(b'\'', rest).unwrap_or(rest.len());
                    word.extend_from_slice(&rest[..len]);
                    self.at += len + 2;
                    continue;
                }
                (b'"', Some(Within::Double)) | (b'`', Some(Within::Back)) => drop(within.pop()),
                (_, Some(Within::Nested(end))) if byte == end => drop(within.pop()),
                (b'"', _) => within.push(Within::Double),
                (b'`', _) => within.push(Within::Back),
                (b'(', Some(Within::Nested(b')'))) => within.push(Within::Nested(b')')),
                (b'$', _) if matches!(next, Some(b'(' | b'{')) => {
                    let end = if next == Some(b'(') { b')' } else { b'}' };
                    within.push(Within::Nested(end));
                    word.push(byte);
                    self.at += 1;
                }
                (b'<' | b'>', None) if opens_list => {
                    within.push(Within::Nested(b')'));
                    self.at += 1;
                }
                (b'<', Some(Within::Nested(b')') | Within::Back))
                    if next == Some(b'<') && self.bytes.get(self.at + 2) != Some(&b'<') =>
                {
                    self.at += 2;
                    self.document(None);
                    continue;
                }
                (b'\n', Some(Within::Nested(_) | Within::Back)) if !self.documents.is_empty() => {
                    self.at += 1;
                    self.skip_documents();
                    continue;
                }
                _ => word.push(byte),
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        if let Some(is_written) = self.redirected.take() {
            let target = || String::from_utf8_lossy(&word).into_owned();
            self.writes.extend(is_written.then(target));
            return;
        }
        let begin = self.span.map_or(start, |(begin, _)| begin);
        self.span = Some((begin, self.at));
        self.words.push(String::from_utf8_lossy(&word).into_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(script: &str) -> Vec<String> {
        let sign = |join| match join {
            Join::And => " &&",
            Join::Or => " ||",
            Join::Pipe => " |",
            Join::Then => "",
        };
        let line = |simple: &Simple<'_>| {
            let background = if simple.in_background { " &" } else { "" };
            format!("{}{}{background}", simple.words.join(" "), sign(simple.next))
        };
        commands(script).iter().map(line).collect()
    }

    #[test]
    fn what_runs_is_told_from_what_is_quoted() {
        for (script, expected) in [
            ("cargo test", &["cargo test"][..]),
            (
                "cd /a\\ b && A=1 cargo test 2>&1 | tail -3",
                &["cd /a b &&", "A=1 cargo test |", "tail -3"],
            ),
            ("echo 'git commit' \"git push; x\"", &["echo git commit git push; x"]),
            ("a; b & c\nd # git push\ne", &["a", "b &", "c", "d", "e"]),
            ("(cd x; a) | b", &["cd x", "a |", "b"]),
            ("a || b", &["a ||", "b"]),
            ("a >out 2>/dev/null &>all <in b", &["a b"]),
            ("cat > x.sh <<'EOF'\ngit commit\nEOF\nb", &["cat", "b"]),
            ("cat <<-A <<B\n1\n\tA\ngit push\nB\nc", &["cat", "c"]),
            (
                "git commit -m \"$(cat <<'EOF'\nDon't (stop\n\nEOF\n)\" && git push",
                &["git commit -m $cat  &&", "git push"],
            ),
            ("x=$(git commit -m 'a)b') y", &["x=$git commit -m a)b y"]),
            ("diff <(a b) `c ; d` \"`e \"f\"`\"", &["diff a b c ; d e f"]),
            ("a \\\n  b", &["a b"]),
            ("a \"open", &["a open"]),
            ("cat <<EOF\nnever ends", &["cat"]),
            ("echo é ❯ $((1+2)) ${a:-b c}", &["echo é ❯ $1+2 $a:-b c"]),
            ("", &[]),
        ] {
            let told = told(script);
            assert_eq!(told.len(), expected.len(), "{script}: {told:?}");
            for (told, expected) in told.iter().zip(expected) {
                let plain = |text: &str| text.replace([')', '}'], "");
                assert_eq!(plain(told), plain(expected), "{script}");
            }
        }
    }

    #[test]
    fn what_is_written_is_told_from_other_redirections() {
        let script =
            "a > x.txt 2>&1 | b >>'y z' </in 2>/dev/null; c &>all <<< w; cat <<E >doc\n> no\nE\n";
        let writes: Vec<_> = commands(script).into_iter().map(|simple| simple.writes).collect();
        assert_eq!(writes, [vec!["x.txt"], vec!["y z", "/dev/null"], vec!["all"], vec!["doc"]]);
    }

    #[test]
    fn a_here_document_is_kept_where_the_shell_takes_it_as_it_is() {
        let document = |script: &str| commands(script)[0].document.map(str::to_owned);
        assert_eq!(document("cat <<'EOF' > a\n$x\n\nEOF\n").as_deref(), Some("$x\n\n"));
        assert_eq!(document("cat > a <<\\EOF && b\n`x`\nEOF").as_deref(), Some("`x`\n"));
        assert_eq!(document("cat <<EOF\nx\nEOF").as_deref(), Some("x\n"));
        assert_eq!(document("cat <<'EOF'\nEOF").as_deref(), Some(""));
        for script in [
            "cat <<EOF\n$x\nEOF",
            "cat <<EOF\na\\\nb\nEOF",
            "cat <<-'EOF'\n\tx\nEOF",
            "cat <<'EOF'\nx\n EOF\n",
            "cat <<'EOF'\nx\n",
            "cat $(cat <<'EOF'\nx\nEOF\n)",
            "cat",
        ] {
            assert_eq!(document(script), None, "{script}");
        }
    }

    #[test]
    fn subshells_begin_and_end_between_commands() {
        let script = "a; (b; (c); d) | e; (f) && (g) () h $(i)";
        let told: Vec<_> = commands(script)
            .iter()
            .map(|simple| format!("{} -{} +{}", simple.words[0], simple.left, simple.entered))
            .collect();
        assert_eq!(
            told,
            [
                "a -0 +0", "b -0 +1", "c -0 +1", "d -1 +0", "e -1 +0", "f -0 +1", "g -1 +1",
                "h -1 +0"
            ]
        );
    }

    #[test]
    fn text_is_what_was_written() {
        let script = "cd x && VAR=1 go test './a b' 2>&1 | tail";
        let texts: Vec<_> = commands(script).into_iter().map(|simple| simple.text).collect();
        assert_eq!(texts, ["cd x", "VAR=1 go test './a b'", "tail"]);
    }
}
