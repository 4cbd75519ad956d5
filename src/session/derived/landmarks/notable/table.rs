//! The rules: one table, a row for each. Each has a line in `tests.rs` that it finds, and one that it leaves alone.

use crate::session::action::program::has_option;
use crate::session::derived::landmarks::event::Notable::{
    self, CredentialFile, DeletedFiles, DownloadedScript, ForcedPush, Sudo,
};

/// What a command of a row has to do, besides being run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Nothing.
    Runs,
    /// It names something that is neither temporary nor built.
    Deletes,
    /// It names a ref with a `+` before it.
    ForcesRef,
    /// It names a credential file.
    Names,
    /// The same, behind a pattern or a script.
    NamesBehindScript,
    /// A program that runs what it reads gets its output.
    FeedsShell,
}

/// One rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) what: Notable,
    pub(super) programs: &'static [&'static str],
    /// The words that follow the program.
    pub(super) words: &'static [&'static str],
    /// One of these options must be there; none is needed where there are none.
    pub(super) needs: &'static [&'static str],
    /// With one of these it does not do it.
    pub(super) not_with: &'static [&'static str],
    pub(super) when: When,
}

const fn rule(
    what: Notable,
    programs: &'static [&'static str],
    words: &'static [&'static str],
    when: When,
) -> Rule {
    Rule { what, programs, words, needs: &[], not_with: &[], when }
}

impl Rule {
    /// Whether the words behind a program are such that this rule is of them.
    pub(super) fn is_of(&self, program: &str, words: &[&str]) -> bool {
        self.programs.contains(&program)
            && words.starts_with(self.words)
            && (self.needs.is_empty() || self.needs.iter().any(|option| has_option(words, option)))
            && !self.not_with.iter().any(|option| has_option(words, option))
    }

    const fn needs(mut self, options: &'static [&'static str]) -> Rule {
        self.needs = options;
        self
    }

    const fn not_with(mut self, options: &'static [&'static str]) -> Rule {
        self.not_with = options;
        self
    }
}

const DRY: &[&str] = &["-n", "--dry-run"];

/// The table. What a command may write comes from the table of written files, and the names of credential files from
/// the list below.
pub(super) const RULES: &[Rule] = &[
    rule(DeletedFiles, &["rm", "unlink", "rimraf", "trash"], &[], When::Deletes),
    rule(DeletedFiles, &["shred"], &[], When::Deletes).needs(&["-u", "--remove"]),
    rule(DeletedFiles, &["Remove-Item"], &[], When::Deletes).not_with(&["-WhatIf"]),
    rule(DeletedFiles, &["git"], &["rm"], When::Deletes).not_with(&["-n", "--dry-run", "--cached"]),
    // `-X`: only what git ignores.
    rule(DeletedFiles, &["git"], &["clean"], When::Runs).needs(&["-f", "--force"]).not_with(&[
        "-n",
        "--dry-run",
        "-X",
    ]),
    rule(ForcedPush, &["git"], &["push"], When::Runs)
        .needs(&["-f", "--force", "--force-with-lease", "--mirror"])
        .not_with(DRY),
    rule(ForcedPush, &["git"], &["push"], When::ForcesRef).not_with(DRY),
    rule(Sudo, &["sudo"], &[], When::Runs),
    rule(DownloadedScript, &["curl", "wget", "irm", "iwr"], &[], When::FeedsShell),
    rule(
        CredentialFile,
        &[
            "cat",
            "head",
            "tail",
            "less",
            "more",
            "bat",
            "cut",
            "sort",
            "base64",
            "xxd",
            "strings",
            "source",
            ".",
            "cp",
            "mv",
            "rm",
            "scp",
            "rsync",
            "curl",
            "openssl",
            "chmod",
            "chown",
            "ssh",
            "ssh-add",
            "ssh-keygen",
            "vim",
            "vi",
            "nano",
            "code",
        ],
        &[],
        When::Names,
    ),
    rule(CredentialFile, &["git"], &["add"], When::Names),
    rule(
        CredentialFile,
        &["grep", "egrep", "rg", "sed", "awk", "jq", "yq", "perl"],
        &[],
        When::NamesBehindScript,
    ),
];

/// What runs a script that it reads from standard input.
pub(super) const INTERPRETERS: &[&str] = &[
    "bash", "sh", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "php",
    "iex",
];

/// With one of these an interpreter reads data, and the script is elsewhere.
pub(super) const OWN_SCRIPT: &[&str] = &["-c", "-e", "-m", "-p", "-r", "--eval", "--print"];

/// Names of files that hold credentials, or the ends of their paths. `*` stands for what is no slash.
pub(super) const CREDENTIAL_FILES: &[&str] = &[
    ".env",
    ".env.*",
    ".npmrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    ".vault-token",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "*.pem",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "credentials.json",
    "client_secret*.json",
    "service-account*.json",
    "secrets.json",
    "secrets.yaml",
    "secrets.yml",
    ".ssh/*",
    ".gnupg/*",
    ".aws/credentials",
    ".cargo/credentials*",
    ".codex/auth.json",
    ".docker/config.json",
    ".kube/config",
    "gh/hosts.yml",
    "gcloud/*credentials*",
    "etc/shadow",
];

/// Of these, what holds none.
pub(super) const PUBLIC_FILES: &[&str] =
    &["*.example", "*.sample", "*.template", "*.dist", "*.defaults", "*.pub", ".ssh/known_hosts*"];

/// Folders below which files are temporary. A folder that a variable names is found by the name.
pub(super) const TEMPORARY: &[&str] = &[
    "/tmp/",
    "/var/tmp/",
    "/var/folders/",
    "/private/tmp/",
    "/private/var/",
    "/dev/shm/",
    "/AppData/Local/Temp/",
];

/// Folders of a project that tools fill, and names of files that compilers write: what is deleted there is built again.
pub(super) const BUILT: &[&str] = &[
    "target",
    "build",
    "_build",
    "dist",
    "out",
    "obj",
    "node_modules",
    "coverage",
    "htmlcov",
    "tmp",
    "temp",
    "venv",
    ".venv",
    ".tox",
    ".eggs",
    ".cache",
    ".*_cache",
    ".*-cache",
    "__pycache__",
    ".next",
    ".nuxt",
    ".output",
    ".turbo",
    ".vite",
    ".svelte-kit",
    ".angular",
    ".expo",
    ".gradle",
    ".dart_tool",
    ".nyc_output",
    "DerivedData",
    "test-results",
    "playwright-report",
    "*.pyc",
    "*.o",
    "*.class",
    "*.tsbuildinfo",
    "*.egg-info",
];
