//! Sessions that a page's session continues, or that continue it.

use std::borrow::Cow;

use crate::session::invisible::marked;

/// Another session of the same family, for the page's head.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relative {
    /// Which of the two continues the other.
    pub relation: Relation,
    /// What it is called. It stands in the page as it is: nothing of it is redacted.
    pub title: String,
    /// The address of its page, such as `ID.html`; `None` where it has none. One with a scheme other than `http` and
    /// `https` is not linked.
    pub href: Option<String>,
}

/// How another session is related to the page's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relation {
    /// The page's session continues it, or was forked from it.
    Parent,
    /// It continues the page's session, or was forked from that.
    Child,
}

impl Relative {
    /// A session without a page.
    pub fn new(relation: Relation, title: impl Into<String>) -> Relative {
        Relative { relation, title: title.into(), href: None }
    }

    /// Links to the session's page.
    #[must_use]
    pub fn href(mut self, href: impl Into<String>) -> Relative {
        self.href = Some(href.into());
        self
    }

    /// The words ahead of the title.
    pub(super) fn words(&self) -> &'static str {
        match self.relation {
            Relation::Parent => "Continues",
            Relation::Child => "Continued in",
        }
    }

    /// The title as it is shown.
    pub(super) fn name(&self) -> Cow<'_, str> {
        let title = self.title.trim();
        marked(if title.is_empty() { "another session" } else { title })
    }

    /// The address, where a click on it does no more than open a page.
    pub(super) fn link(&self) -> Option<&str> {
        let href = self.href.as_deref()?;
        let is_of_web = ["http://", "https://"].iter().any(|scheme| href.starts_with(scheme));
        // Browsers ignore control characters and blanks ahead of a scheme, and line ends within one.
        let has_scheme = href.split(['/', '?', '#']).next().is_some_and(|part| part.contains(':'));
        (is_of_web || !has_scheme).then_some(href)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    fn page(family: Vec<Relative>) -> String {
        let file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n\
            {\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"Plant\"}}\n";
        let session = crate::read(file.as_bytes().to_vec()).unwrap();
        let mut page = Vec::new();
        crate::export(&session, &Options::new().family(family), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn the_head_names_the_sessions_that_go_before_and_on() {
        let family = vec![
            Relative::new(Relation::Parent, "Sow <b>").href("p\"1.html?archive"),
            Relative::new(Relation::Child, "Water"),
            Relative::new(Relation::Child, " ").href(" java\nscript:alert(1)"),
        ];
        let page = page(family);
        let head = page.split("<ul class=\"notes family\">").nth(1).unwrap();
        let head: Vec<&str> = head.split("</ul>").next().unwrap().trim().lines().collect();
        assert_eq!(
            head,
            [
                "<li>Continues <a href=\"p&#34;1.html?archive\">Sow &#60;b&#62;</a></li>",
                "<li>Continued in Water</li>",
                "<li>Continued in another session</li>",
            ]
        );
    }

    #[test]
    fn a_page_without_a_family_has_nothing_of_it() {
        let page = page(Vec::new());
        assert!(!page.contains("notes family"));
        assert!(page.contains("</div><details class=\"session-details\">"));
    }
}
