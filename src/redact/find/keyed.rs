//! Keys that only their surroundings tell: `fastly_key = "…"`, `agora key: …`, `?key=…`.
//!
//! `key` alone names many things, so the value must be random beyond doubt. Beside a
//! provider's name less will do: many give out plain hex, UUIDs or numbers.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::redact::bytes::{ALPHANUMERIC, Bytes, begins_in_any_case};
use crate::redact::judge::names::MAX_NAME;
use crate::redact::judge::plausible::{self, entropy};

use super::notation;

/// What a name must end with.
pub(crate) const WORDS: &[&str] = &["key", "token", "secret", "secret_id", "secretid"];

/// Shortest value that is recognized by its letters alone, in bytes.
const MIN_RANDOM: usize = 20;

/// Shortest value beside a provider's name, in bytes.
const MIN_FORMED: usize = 14;

/// Longest value, in bytes.
const MAX_VALUE: usize = 4000;

/// How far before a name its provider may stand, in bytes.
const NEAR: usize = 64;

/// Providers whose keys look like hashes, UUIDs or numbers. Words that mean other things
/// as well are left out.
#[rustfmt::skip]
pub(super) const PROVIDERS: &[&str] = &[
    "abuseipdb", "abyssale", "accuweather", "adafruit", "adobe", "adzuna", "agora", "airbrake", "airship", "airtable",
    "aiven", "alchemy", "algolia", "alibaba", "alienvault", "amadeus", "amplitude", "anthropic", "apify", "appcues",
    "appfollow", "artifactory", "asana", "assemblyai", "atlassian", "auth0", "aviationstack", "axonaut", "bannerbear",
    "baremetrics", "beamer", "bitbucket", "bitfinex", "bitly", "bitmex", "bittrex", "braintree", "brandfetch",
    "browserstack", "bscscan", "bugsnag", "buildkite", "buttercms", "calendarific", "calendly", "chartmogul", "circleci",
    "clarifai", "clearbit", "clickhelp", "clicksend", "clockify", "clockwork", "cloudflare", "cloudsmith", "codacy",
    "codeclimate", "codecov", "codemagic", "cohere", "coinapi", "coinbase", "coinlayer", "coinlib", "confluence",
    "confluent", "contentful", "convertkit", "couchbase", "coveralls", "crowdin", "cryptocompare", "currencylayer",
    "customerio", "databricks", "datadog", "deepai", "deepgram", "deepseek", "delighted", "detectlanguage", "diffbot",
    "digitalocean", "discord", "disqus", "docparser", "docusign", "doppler", "dotmailer", "droneci", "dropbox", "dwolla",
    "dynatrace", "edamam", "edenai", "elevenlabs", "etherscan", "ethplorer", "eventbrite", "exchangerate", "facebook",
    "fastly", "figma", "finage", "finicity", "finnhub", "fixer", "flickr", "flutterwave", "foursquare", "freshbooks",
    "freshdesk", "fullstory", "geckoboard", "geoapify", "geocodio", "getresponse", "gitter", "glassnode", "gocardless",
    "godaddy", "grafana", "graphhopper", "gumroad", "happyscribe", "heroku", "honeycomb", "hubspot", "hunter.io",
    "hypertrack", "infura", "intercom", "intrinio", "ipapi", "ipgeolocation", "ipinfo", "ipstack", "instamojo", "jfrog", "jira", "jotform",
    "jumpcloud", "kickbox", "klaviyo", "kraken", "kucoin", "launchdarkly", "lemlist", "linkedin", "linked_in", "linode", "locationiq",
    "loggly", "logz.io", "lokalise", "mailboxlayer", "mailchimp", "mailerlite", "mailgun", "mailjet", "mailmodo",
    "mandrill", "mapbox", "mapquest", "marketstack", "mattermost", "maxmind", "mediastack", "meraki", "messagebird", "message_bird",
    "mistral", "mixpanel", "mockaroo", "monkeylearn", "moralis", "netlify", "newrelic", "new_relic", "newsapi", "nexmo",
    "ngrok", "notion", "numverify", "nutritionix", "nylas", "nytimes", "okta", "onesignal", "opencage", "openweather",
    "opsgenie", "optimizely", "pagerduty", "pandadoc", "pastebin", "paymongo", "paypal", "paystack", "pendo", "pepipost",
    "pinata", "pipedream", "pipedrive", "pivotaltracker", "pixabay", "plaid", "plivo", "podio", "poloniex", "polygon",
    "positionstack", "posthog", "postmark", "privateai", "prodpad", "pubnub", "pusher", "pushbullet", "pushover", "rapidapi",
    "rawg", "razorpay", "rebrandly", "replicate", "ringcentral", "rocketreach", "rollbar", "salesforce", "saucelabs",
    "scaleway", "scraperapi", "scrapingbee", "securitytrails", "sendbird", "sendgrid", "sendinblue", "sentry", "serpapi",
    "serpstack", "shodan", "shopify", "shutterstock", "signalwire", "slack", "smartsheet", "smartystreets", "snipcart",
    "snyk", "sonar", "sourcegraph", "splunk", "spoonacular", "spotify", "squarespace", "statuscake", "statuspage",
    "storyblok", "strava", "streak", "stytch", "sumologic", "supabase", "surveysparrow", "tatum", "taxjar", "teamwork",
    "telegram", "telnyx", "textmagic", "thousandeyes", "ticketmaster", "tiingo", "todoist", "tomtom", "travis", "trello",
    "twilio", "twitch", "twitter", "typeform", "unsplash", "uploadcare", "uptimerobot", "urlscan", "userstack", "virustotal",
    "visualcrossing", "vonage", "vultr", "walkscore", "wakatime", "weatherbit", "weatherstack", "webflow", "wistia", "wrike",
    "yandex", "yelp", "zendesk", "zenscrape", "zenserp", "zeplin", "zerobounce", "zerotier", "zoho", "zulip",
];

/// Words that make a `key` before which they stand one of data, not of a lock.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "public", "publishable", "primary", "foreign", "cache", "sort", "partition", "object", "dict", "map", "row", "column",
    "hash", "idempotency", "idempotence", "index", "query", "lookup", "group", "routing", "dedup", "bucket", "path", "file",
    "registry", "translation", "i18n", "react", "render", "state", "store", "field", "property", "attribute",
    "search", "page", "next", "prev", "continuation", "cursor", "sync", "csrf", "xsrf", "nonce", "lock", "unique", "image",
    "photo", "blob", "artifact", "content", "integrity", "checksum", "digest", "etag", "test", "example", "sample", "mock",
    "fake", "dummy", "monkey", "turkey", "hotkey", "host", "known", "s3", "change", "transaction", "trace", "span",
];

static FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(PROVIDERS).ok());

static HARMLESS_FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(HARMLESS).ok());

/// What values are made of.
static VALUE: Bytes = ALPHANUMERIC.and(b"_-./+=~:|");

/// What types are made of.
static TYPE: Bytes = ALPHANUMERIC.and(b"_&'<>[]| ");

/// How the value is joined to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// `=`, `:`, `=>`, `:=` …
    Sign,
    /// `("NAME", "value")`, `name - 'value'`, `<name>value`
    Quoted,
    /// `a secret value`
    Space,
}

/// The value of the key of this name.
pub(crate) fn value(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let (join, at) = join(text, name)?;
    let range = read(text, at, join)?;
    let value = std::str::from_utf8(&text[range.clone()]).ok()?;
    (is_key(text, name, join, value) && !is_harmless(&text[name.clone()])).then_some(range)
}

/// Whether a value is random enough for its name.
fn is_key(text: &[u8], name: &Range<usize>, join: Join, value: &str) -> bool {
    if value.len() < MIN_FORMED {
        return false;
    }
    let own = &text[name.clone()];
    let ends = |part: &[u8], end: &str| {
        let from = part.len().checked_sub(end.len());
        from.is_some_and(|from| begins_in_any_case(&part[from..], end.as_bytes()))
    };
    let least = match value.len() {
        _ if ends(own, "token") || ends(own, "secret") => 1,
        ..32 => 3,
        _ => 4,
    };
    let is_random = || !is_hash(value) && is_random(value, least);
    // The name of a provider alone.
    let stem = own.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    if !WORDS.iter().any(|word| ends(&own[..stem], word)) {
        let is_hash = join == Join::Sign && value.len() >= 32 && is_hash(value) && is_formed(value);
        return is_hash || is_random();
    }
    let is_plain = own.eq_ignore_ascii_case(b"key") && join == Join::Space;
    is_formed(value) && (is_near_provider(text, name) || is_uuid(value) && ends(own, "id"))
        || !is_plain && is_random()
}

/// The name that ends with `word`, if a value may follow it.
pub(crate) fn name(text: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let digits = text[word.end..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let end = word.end + digits;
    if text.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let from = word.start.saturating_sub(MAX_NAME);
    let len = text[from..word.start].iter().rev().take_while(|byte| is_part(byte)).count();
    let mut start = word.start - len;
    // The letter of an escape is none of the name's.
    let is_escape = start > 0 && text[start - 1] == b'\\' && b"nrt".contains(&text[start]);
    if is_escape && start < word.start {
        start += 1;
    }
    Some(start..end).filter(|name| !notation::is_repeated(text, name))
}

/// Whether one of the name's words says that it is none of a secret.
fn is_harmless(name: &[u8]) -> bool {
    let parts = |at: usize| match (at.checked_sub(1).map(|at| name[at]), name.get(at)) {
        (Some(before), Some(behind)) => {
            !before.is_ascii_alphabetic()
                || !behind.is_ascii_alphabetic()
                || before.is_ascii_lowercase() && behind.is_ascii_uppercase()
                || name[at..].eq_ignore_ascii_case(b"key")
        }
        _ => true,
    };
    HARMLESS_FINDER.as_ref().is_some_and(|finder| {
        finder.find_overlapping_iter(name).any(|word| parts(word.start()) && parts(word.end()))
    })
}

/// What joins the value to its name, and where it begins.
fn join(text: &[u8], name: &Range<usize>) -> Option<(Join, usize)> {
    let spaces = |at: usize| {
        at + text[at..].iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    };
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
    let slashes = text[name.end..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let was_quoted = is_quote(text.get(name.end + slashes));
    let mut at = if was_quoted { name.end + slashes + 1 } else { name.end };
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    let behind = spaces(at);
    let rest = &text[behind..];
    if let Some(sign) = behind_type(rest).filter(|_| behind > at || rest.starts_with(b":")) {
        return Some((Join::Sign, spaces(behind + sign)));
    }
    let sign = rest.iter().take(4).take_while(|byte| b":=?.+>|".contains(byte)).count();
    if sign > 0 && rest[..sign].iter().any(|byte| b":=".contains(byte)) {
        // A path of names: `key::Value`.
        let is_path = rest.starts_with(b"::") && !rest[..sign].contains(&b'=');
        return (!is_path).then(|| (Join::Sign, spaces(behind + sign)));
    }
    if was_quoted && rest.starts_with(b",") || rest.starts_with(b"- ") && behind > at {
        return Some((Join::Quoted, spaces(behind + 1)));
    }
    let is_element = name.start > 0 && text[name.start - 1] == b'<';
    if is_element && rest.starts_with(b">") {
        let len = rest[1..].iter().take(80).take_while(|byte| byte.is_ascii_whitespace()).count();
        return Some((Join::Sign, behind + 1 + len));
    }
    (behind > at && !was_quoted).then_some((Join::Space, behind))
}

/// Where a type and the sign behind it end: `string = `, `: string = `.
fn behind_type(text: &[u8]) -> Option<usize> {
    let colon = usize::from(text.first() == Some(&b':'));
    let len = text[colon..].iter().take(32).take_while(|byte| TYPE.has(**byte)).count();
    let is_type = text[colon..colon + len].iter().any(u8::is_ascii_alphabetic);
    let is_assigned =
        text.get(colon + len) == Some(&b'=') && text.get(colon + len + 1) != Some(&b'=');
    (is_type && is_assigned).then_some(colon + len + 1)
}

/// The word at `at`, between quotes or not.
fn read(text: &[u8], at: usize, join: Join) -> Option<Range<usize>> {
    let slashes = text[at..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = text.get(at + slashes).copied().filter(|byte| b"\"'`".contains(byte));
    if quote.is_none() && (join == Join::Quoted || slashes > 0) {
        return None;
    }
    let mut start = at + quote.map_or(0, |_| slashes + 1);
    if quote.is_some() {
        start += usize::from(text.get(start) == Some(&b' '));
    }
    let len = text[start..].iter().take(MAX_VALUE).take_while(|byte| VALUE.has(**byte)).count();
    let mut end = start + len;
    while end > start && b".:|".contains(&text[end - 1]) {
        end -= 1;
    }
    // A call, an index or a template goes on.
    let ends = text.get(start + len).is_none_or(|byte| !b"([{$%@#*^!?".contains(byte));
    (ends && len < MAX_VALUE && end > start).then_some(start..end)
}

/// Letters and digits in an order that no person and no program gives them: at least
/// so often one follows the other.
fn is_random(value: &str, least: usize) -> bool {
    if value.len() < MIN_RANDOM {
        return false;
    }
    let changes = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair.iter().all(u8::is_ascii_alphanumeric))
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    changes >= least
        && entropy(value.as_bytes()) >= 3.3
        && !is_of_words(value)
        && plausible::can_be_secret(value)
}

/// Words with numbers, joined by signs: `step1_phase2-round3.json`.
fn is_of_words(value: &str) -> bool {
    let is_word = |part: &str| {
        let stem = part.trim_end_matches(|letter: char| letter.is_ascii_digit());
        stem.len() <= 14
            && (stem.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
                || stem.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    value.split(['-', '_', '.', ':', '/', '+', '=', '~', '|']).all(is_word)
        || value.contains('/') && value.contains('.')
        || value.ends_with("Key")
}

/// Hex or a UUID: of what, the value does not tell.
fn is_hash(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        || ["sha", "md5"].iter().any(|start| value.starts_with(start))
}

/// The forms that providers give to keys that could be something else anywhere else.
fn is_formed(value: &str) -> bool {
    let bytes = value.as_bytes();
    if !has_kinds(bytes, 6) {
        return false;
    }
    let is_number = value.len() >= MIN_FORMED && bytes.iter().all(u8::is_ascii_digit);
    let is_key = || {
        value.len() >= MIN_FORMED
            && bytes.iter().any(u8::is_ascii_digit)
            && bytes.iter().any(u8::is_ascii_alphabetic)
            && entropy(bytes) >= 2.7
            && !is_of_words(value)
            && plausible::can_be_secret(value)
    };
    is_number || is_uuid(value) || is_key()
}

/// Whether at least so many bytes differ.
fn has_kinds(bytes: &[u8], least: usize) -> bool {
    let mut seen = [false; 256];
    let mut count = 0;
    bytes.iter().any(|&byte| {
        count += usize::from(!std::mem::replace(&mut seen[usize::from(byte)], true));
        count >= least
    })
}

/// Of hex or not: some providers use all letters.
fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_alphanumeric(),
        })
}

/// Whether a provider is named in the name, or shortly before it.
fn is_near_provider(text: &[u8], name: &Range<usize>) -> bool {
    let near = &text[name.start.saturating_sub(NEAR)..name.end];
    FINDER.as_ref().is_some_and(|finder| finder.is_match(near))
}
