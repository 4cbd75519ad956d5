//! What an agent keeps in files beside the session: pictures by their hash,
//! whole outputs by a number. A format hands them over; the core opens no file.

use std::collections::{BTreeMap, HashMap};

/// What begins the name of a blob.
const BLOB: &str = "blob:sha256:";

/// Files beside a session that its entries name, each with why it cannot be
/// shown where that is so.
#[derive(Debug, Default)]
pub struct Attachments {
    blobs: HashMap<String, Result<String, String>>,
    artifacts: BTreeMap<String, Result<Artifact, String>>,
}

/// The whole output of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Artifact {
    /// The file's name.
    pub name: String,
    /// What it holds.
    pub text: String,
}

impl Attachments {
    /// The hash in a blob's name: 64 lower-case hex digits, nothing else. What
    /// does not look so never gets near a file system.
    pub fn hash(reference: &str) -> Option<&str> {
        let hash = reference.strip_prefix(BLOB)?;
        let is_hash =
            hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        is_hash.then_some(hash)
    }

    /// Whether a text means to name a blob, rightly or not.
    pub fn is_blob_name(text: &str) -> bool {
        text.starts_with("blob:")
    }

    /// Puts a picture in as base64, or why it is not there.
    pub fn put_blob(&mut self, hash: String, data: Result<String, String>) {
        self.blobs.insert(hash, data);
    }

    /// Puts an output in, or why it is not there.
    pub fn put_artifact(&mut self, number: String, artifact: Result<Artifact, String>) {
        self.artifacts.insert(number, artifact);
    }

    /// Drops what nothing names any more.
    pub(crate) fn retain(&mut self, blob: impl Fn(&str) -> bool, artifact: impl Fn(&str) -> bool) {
        self.blobs.retain(|hash, _| blob(hash));
        self.artifacts.retain(|number, _| artifact(number));
    }

    /// The texts of the outputs, to be changed.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.artifacts.values_mut().filter_map(|found| Some(&mut found.as_mut().ok()?.text))
    }

    /// The base64 of a blob; what nobody looked for is not found.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn blob(&self, hash: &str) -> Result<&str, &str> {
        match self.blobs.get(hash) {
            Some(Ok(data)) => Ok(data),
            Some(Err(reason)) => Err(reason),
            None => Err("not found"),
        }
    }

    /// The output of this number.
    ///
    /// # Errors
    /// Why it cannot be shown.
    pub fn artifact(&self, number: &str) -> Result<&Artifact, &str> {
        match self.artifacts.get(number) {
            Some(artifact) => artifact.as_ref().map_err(String::as_str),
            None => Err("not found"),
        }
    }

    /// The outputs that are there.
    pub fn artifacts(&self) -> impl Iterator<Item = &Artifact> {
        self.artifacts.values().filter_map(|artifact| artifact.as_ref().ok())
    }

    /// How many pictures there are.
    pub fn pictures(&self) -> usize {
        self.blobs.values().filter(|blob| blob.is_ok()).count()
    }

    /// The numbers of the outputs that a text names (`artifact://3`), each once.
    pub fn artifacts_named(text: &str) -> Vec<&str> {
        const SCHEME: &str = "artifact://";
        let mut found = Vec::new();
        for (at, _) in text.match_indices(SCHEME) {
            let rest = &text[at + SCHEME.len()..];
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = &rest[..end];
            // Real ones count from 0; a longer one is somebody's own.
            if !number.is_empty() && number.len() <= 9 && !found.contains(&number) {
                found.push(number);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l11_only_64_lower_case_hex_digits_name_a_blob() {
        let hash = "0123456789abcdef".repeat(4);
        assert_eq!(Attachments::hash(&format!("blob:sha256:{hash}")), Some(hash.as_str()));
        let long = "a".repeat(65);
        for wrong in
            [&hash[1..], &hash.to_uppercase(), "../../etc/passwd", "/etc/passwd", "", &long]
        {
            assert_eq!(Attachments::hash(&format!("blob:sha256:{wrong}")), None, "{wrong}");
        }
        assert_eq!(Attachments::hash(&hash), None);
        assert_eq!(Attachments::hash(&format!("blob:sha256:{}", "é".repeat(32))), None);
    }

    #[test]
    fn artifacts_are_named_by_number() {
        let text =
            "see artifact://3, artifact://3 and artifact://12?x artifact://../a artifact://é";
        assert_eq!(Attachments::artifacts_named(text), ["3", "12"]);
        assert!(Attachments::artifacts_named("artifact://12345678901").is_empty());
    }
}
