//! The scripts of a page that have an id, found wherever they stand.
//!
//! No parser of HTML: in a page of ours every `<script` begins an element, since texts are escaped.
//! Attributes may come in any order, case and quotes, as tools that tidy pages leave them.

/// An element `script` with an id.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Script<'a> {
    pub(super) id: &'a [u8],
    /// Its text, without blanks around it.
    pub(super) text: &'a [u8],
}

/// The format in which the page says that its data is; empty where it says none.
pub(super) fn format(page: &[u8]) -> &[u8] {
    let mut tags = Scripts::of(page);
    let format = tags.skip_past(b"html").and_then(|_| tags.attribute(b"data-format"));
    format.unwrap_or_default()
}

/// Goes through the scripts in one pass.
pub(super) struct Scripts<'a> {
    rest: &'a [u8],
}

impl<'a> Scripts<'a> {
    pub(super) fn of(page: &'a [u8]) -> Self {
        Scripts { rest: page }
    }

    /// Goes behind the next of these beginnings of a tag.
    fn skip_past(&mut self, name: &[u8]) -> Option<&'a [u8]> {
        let all = self.rest;
        for at in memchr::memchr_iter(b'<', all) {
            let behind = at + 1 + name.len();
            let found = all.get(at + 1..behind)?.eq_ignore_ascii_case(name);
            let ends = all.get(behind).is_none_or(|byte| b" \t\r\n\x0c/>".contains(byte));
            if found && ends {
                self.rest = &all[behind..];
                return Some(&all[..at]);
            }
        }
        None
    }

    /// Reads attributes up to the tag's end and gives one of them, empty if it is not there; `None` for a
    /// tag without an end.
    fn attribute(&mut self, wanted: &[u8]) -> Option<&'a [u8]> {
        let mut found: &[u8] = b"";
        loop {
            self.rest = after(self.rest, |byte| byte.is_ascii_whitespace() || byte == b'/');
            if let Some(rest) = self.rest.strip_prefix(b">") {
                self.rest = rest;
                return Some(found);
            }
            let name = self.until(|byte| byte.is_ascii_whitespace() || b"=>/".contains(&byte))?;
            self.rest = self.rest.trim_ascii_start();
            let value = match self.rest.strip_prefix(b"=") {
                Some(rest) => {
                    self.rest = rest.trim_ascii_start();
                    self.value()?
                }
                None => b"",
            };
            if found.is_empty() && name.eq_ignore_ascii_case(wanted) {
                found = value;
            }
            if name.is_empty() && value.is_empty() {
                // Nothing that an attribute begins with.
                self.rest = self.rest.get(1..)?;
            }
        }
    }

    fn value(&mut self) -> Option<&'a [u8]> {
        let quote = *self.rest.first()?;
        if quote != b'"' && quote != b'\'' {
            return self.until(|byte| byte.is_ascii_whitespace() || byte == b'>');
        }
        self.rest = &self.rest[1..];
        let value = self.until(|byte| byte == quote)?;
        self.rest = &self.rest[1..];
        Some(value)
    }

    /// What is before the first such byte; `None` if there is none.
    fn until(&mut self, is_end: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let at = self.rest.iter().position(|byte| is_end(*byte))?;
        let (before, rest) = self.rest.split_at(at);
        self.rest = rest;
        Some(before)
    }
}

/// What is left behind the first bytes of a kind.
fn after(bytes: &[u8], skipped: impl Fn(u8) -> bool) -> &[u8] {
    let at = bytes.iter().position(|byte| !skipped(*byte)).unwrap_or(bytes.len());
    &bytes[at..]
}

impl<'a> Iterator for Scripts<'a> {
    type Item = Script<'a>;

    fn next(&mut self) -> Option<Script<'a>> {
        loop {
            self.skip_past(b"script")?;
            let id = self.attribute(b"id")?;
            let text = self.skip_past(b"/script")?.trim_ascii();
            if !id.is_empty() {
                return Some(Script { id, text });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<(String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Scripts::of(page.as_bytes()).map(|script| (text(script.id), text(script.text))).collect()
    }

    #[test]
    fn scripts_are_found_however_they_are_written() {
        let page = "<p>&lt;script id=\"no\"&gt;<scripted id=x>a</scripted><script>var a = 1 < 2</script>\
            <SCRIPT\n TYPE='text/plain' data-id=\"no\"  ID = 'one' async> 1 </Script ><script id=two>2</script>\
            <script id=\"three\" id=\"four\"/>3 <b></b></script>";
        let own = |id: &str, text: &str| (id.to_owned(), text.to_owned());
        assert_eq!(found(page), [own("one", "1"), own("two", "2"), own("three", "3 <b></b>")]);
    }

    #[test]
    fn whatever_breaks_off_ends() {
        let page = "<script id=\"one\">1</script><script = =\"' id='two'>2</script>";
        for end in 0..page.len() {
            assert!(found(&page[..end]).len() <= 2);
        }
        assert!(found("<script").is_empty() && found("<script id=\"a").is_empty());
        assert!(found("<script id=a>text").is_empty(), "its end is missing");
    }
}
