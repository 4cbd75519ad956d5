//! The table of what is a secret: one row a kind.
//!
//! A row's literals are looked for first, in one pass over the text and without
//! regard to case; only where one stands is the row's pattern tried, from the
//! literal's first letter on. A literal tells little by itself, so patterns ask
//! for the length that the provider documents, and the entropy floor refuses
//! what a person typed as an example.

use super::names::LITERALS as NAMES;
use super::notation::Notation;

/// How a row reads what stands at one of its literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// The pattern matches from the literal on; its first group, or all of it, is the value.
    Token,
    /// The pattern may begin up to so many bytes before the literal and must reach over it.
    Around(usize),
    /// A name and the value that belongs to it (`notation/`).
    Assignment,
    /// Like [`Reading::Token`], and the value must be base64 of `user:password`.
    Login,
    /// `user:password` behind `-u`, in a command that fetches.
    CommandLogin,
    /// The pairs of a cookie header.
    Cookies,
    /// The body of a private key, line by line (`key_block.rs`).
    KeyBlock,
    /// A word that tells where a secret stands (`notation/`).
    Notation(Notation),
    /// Nothing of its own: found while looking through base64 runs.
    Runs,
}

/// One row.
pub(super) struct Rule {
    /// As it stands in marks and reports.
    pub(super) name: &'static str,
    /// What must be there, whatever its case.
    pub(super) literals: &'static [&'static str],
    /// Matched byte by byte, so `\w` is ASCII.
    pub(super) pattern: &'static str,
    /// The least bits per byte of a value.
    pub(super) entropy: f32,
    pub(super) reading: Reading,
}

const fn token(
    name: &'static str,
    literals: &'static [&'static str],
    pattern: &'static str,
    entropy: f32,
) -> Rule {
    Rule { name, literals, pattern, entropy, reading: Reading::Token }
}

const fn read(name: &'static str, literals: &'static [&'static str], reading: Reading) -> Rule {
    Rule { name, literals, pattern: "", entropy: 0.0, reading }
}

const fn notation(notation: Notation) -> Rule {
    read("password", notation.literals(), Reading::Notation(notation))
}

/// All rows. Where two find the same value, the earlier one names it.
#[rustfmt::skip]
pub(super) const TABLE: &[Rule] = &[
    // Clouds
    token("aws-access-key", &["AKIA", "ASIA", "ABIA", "ACCA"], r"A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}", 2.8),
    token("aws-secret-key", &["AKIA", "ASIA"],
        r"A[KS]IA[A-Z2-7]{16}[^A-Za-z0-9/+]{1,12}(?:[\w.]{0,32}[^A-Za-z0-9/+]{1,8})?([A-Za-z0-9/+]{40})", 4.0),
    token("google-api-key", &["AIza"], r"AIza[\w-]{35}", 3.2),
    token("google-oauth-secret", &["GOCSPX-"], r"GOCSPX-[\w-]{28}", 3.2),
    token("google-oauth-token", &["ya29.", "1//0"], r"(?:ya29\.[\w-]{24,}|1//0[\w-]{38,})", 3.5),
    Rule { name: "azure-client-secret", literals: &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        pattern: r"[\w.~-]{3}[0-9]Q~[\w.~-]{31,34}", entropy: 3.5, reading: Reading::Around(3) },
    token("azure-storage-key", &["AccountKey="], r"AccountKey=([A-Za-z0-9+/]{86}==)", 4.0),
    token("azure-signature", &["&sig=", "?sig="], r"[&?]sig=([A-Za-z0-9+/%_-]{43,}=?)", 4.0),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], r"do[opr]_v1_[0-9a-f]{64}", 3.0),
    token("alibaba-access-key", &["LTAI"], r"LTAI[A-Za-z0-9]{20}", 3.2),
    token("databricks-token", &["dapi"], r"dapi[0-9a-f]{32}(?:-[0-9])?", 3.0),
    token("heroku-key", &["HRKU-"], r"HRKU-[\w-]{36,}", 3.0),
    token("fly-token", &["FlyV1 ", "fo1_"], r"(?:FlyV1 fm[12][a-z]?_[A-Za-z0-9+/=,_]{60,}|fo1_[\w-]{43})", 3.5),

    // Models
    token("anthropic-key", &["sk-ant-"], r"sk-ant-[\w-]{24,}", 3.2),
    token("openrouter-key", &["sk-or-"], r"sk-or-v[0-9]-[0-9a-f]{48,}", 3.0),
    token("openai-key", &["sk-"],
        r"sk-(?:(?:proj|svcacct|admin|None)-[\w-]{20,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})", 3.2),
    token("sk-key", &["sk-", "pk-lf-"], r"(?:sk-(?:lf-[0-9a-f-]{36}|[A-Za-z0-9]{24,}))", 3.2),
    token("huggingface-token", &["hf_", "api_org_"], r"(?:hf_|api_org_)[A-Za-z0-9]{30,}", 3.2),
    token("model-provider-key", &["gsk_", "pplx-", "r8_", "xai-", "tvly-", "nvapi-", "lsv2_", "fw_"],
        r"(?:gsk_[A-Za-z0-9]{48,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37}|xai-[A-Za-z0-9]{60,}|tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}|nvapi-[\w-]{60,}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|fw_[A-Za-z0-9]{22,24})", 3.2),

    // Code and packages
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        r"(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{36,255})", 3.0),
    token("gitlab-token", &["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-", "GR1348941"],
        r"(?:gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|oas|imt)-[\w.-]{20,}|GR1348941[\w-]{20,})", 3.0),
    token("atlassian-token", &["ATATT3", "ATCTT3", "ATBB"], r"(?:AT[AC]TT3[\w=-]{60,}|ATBB[A-Za-z0-9]{32})", 3.5),
    token("npm-token", &["npm_"], r"npm_[A-Za-z0-9]{36}", 3.2),
    token("pypi-token", &["pypi-AgE"], r"pypi-AgE[\w-]{50,}", 3.5),
    token("package-token", &["rubygems_", "oy2", "cio"],
        r"(?:rubygems_[0-9a-f]{48}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32})", 3.2),
    token("docker-token", &["dckr_"], r"dckr_[op]at_[\w-]{27,}", 3.2),
    token("vault-token", &["hvs.", "hvb.", "hvr."], r"hv[sbr]\.[\w-]{24,}", 3.2),
    Rule { name: "terraform-token", literals: &[".atlasv1."], pattern: r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}",
        entropy: 3.5, reading: Reading::Around(14) },
    token("observability-token", &["glsa_", "glc_", "sntrys_", "sntryu_", "NRAK-", "NRJS-", "phx_"],
        r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}|sntry[su]_[A-Za-z0-9+/=_-]{60,}|NR(?:AK|JS)-[A-Za-z0-9]{19,27}|phx_[A-Za-z0-9]{40,})", 3.2),
    token("database-token", &["pscale_", "sbp_", "sb_secret_", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa."],
        r"(?:pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}|sbp_[0-9a-f]{40}|sb_secret_[\w-]{22,}|dp\.(?:pt|ct|sa|st)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44})", 3.2),

    // Mail, chat, money, work
    token("slack-token", &["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-"],
        r"(?:xox[abceoprsd]-[\w%-]{18,}|xoxe\.xox[bp]-[0-9]-[\w-]{20,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{20,})", 3.0),
    token("webhook", &["hooks.slack.com/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,})|discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[\w-]{60,}))", 3.5),
    read("discord-token", &[], Reading::Runs),
    Rule { name: "telegram-token", literals: &[":AA"], pattern: r"(?:bot)?([0-9]{8,10}:AA[\w-]{32,33})", entropy: 3.5, reading: Reading::Around(13) },
    token("stripe-key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}=?)", 3.0),
    token("square-token", &["sq0", "EAAA"], r"(?:sq0[a-z]{3}-[\w-]{22,43}|EAAA[\w-]{60})", 3.2),
    token("shop-token", &["shpat_", "shpca_", "shppa_", "shpss_"], r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", 3.0),
    token("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"], r"SK[0-9a-f]{32}", 3.0),
    token("sendgrid-key", &["SG."], r"SG\.[\w-]{22}\.[\w-]{43}", 3.5),
    token("mail-key", &["key-", "xkeysib-"], r"(?:key-[0-9a-f]{32}|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16})", 3.0),
    Rule { name: "mail-key", literals: &["-us"], pattern: r"[0-9a-f]{32}-us[0-9]{1,2}", entropy: 3.0, reading: Reading::Around(32) },
    Rule { name: "push-key", literals: &[":APA91b"], pattern: r"[\w-]{11}:APA91b[\w-]{134}", entropy: 4.0, reading: Reading::Around(11) },
    token("work-tool-token", &["lin_api_", "lin_oauth_", "ntn_", "secret_", "PMAK-", "figd_", "shippo_"],
        r"(?:lin_(?:api|oauth)_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|figd_[\w-]{40,}|shippo_(?:live|test)_[0-9a-f]{40})", 3.2),
    token("vault-key", &["AGE-SECRET-KEY-1", "ops_eyJ", "A3-"],
        r"(?:AGE-SECRET-KEY-1[0-9A-Z]{58}|ops_eyJ[A-Za-z0-9+/_-]{200,}={0,3}|A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-?[A-Z0-9]{5}){4})", 3.2),

    // Forms that no provider owns
    read("private-key", &["PRIVATE KEY", "Private-Lines:"], Reading::KeyBlock),
    token("jwt", &["eyJ"], r"eyJ[\w-]{12,}\.eyJ[\w-]{12,}(?:\.[\w-]{16,})?", 3.5),
    token("url-password", &["://"],
        r"://[^\s:/?\#\x22'`<>\\@\[\](),;{}|]{0,80}:([^\s/\x22'`<>\\(),;{}|\[\]]{3,200})@[A-Za-z0-9\[]", 0.0),
    token("url-token", &["://"], r"://([A-Za-z0-9_-]{24,200})@", 3.2),
    read("login", &["basic ", "auth"], Reading::Login),
    token("bearer-token", &["bearer", "authorization"],
        r#"(?i:bearer|authorization)(?:\\*["'`])?(?:[ \t]|%20|\\*["'`]|[:=,(]){1,8}(?i:(?:bearer|token|apikey|api-key|bot|key)(?:[ \t]|%20)+)?([A-Za-z0-9._~+/=|:-]{12,})"#, 2.8),
    read("command-login", &["-u ", "--user"], Reading::CommandLogin),
    read("cookie", &["cookie"], Reading::Cookies),
    read("password", NAMES, Reading::Assignment),
    notation(Notation::Foreign),
    notation(Notation::Command),
    notation(Notation::Piped),
    notation(Notation::Login),
    notation(Notation::Signer),
    notation(Notation::Printing),
    notation(Notation::Manifest),
    notation(Notation::Pgpass),
    notation(Notation::Query),
    notation(Notation::Address),
    notation(Notation::Account),
    notation(Notation::SecureString),
];
