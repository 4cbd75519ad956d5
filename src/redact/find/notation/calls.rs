//! Calls that take a login: what they are, not what the value is named, tells.

use std::ops::Range;

use super::code::argument;
use super::value::{skip_blank, string};

/// Functions and the number of the argument that is a password.
#[rustfmt::skip]
pub(super) const CALLS: &[(&str, usize)] = &[
    ("PasswordAuthentication(", 1), ("UsernamePasswordCredentials(", 1), ("UsernamePasswordAuthenticationToken(", 1),
    ("NetworkCredential(", 1), ("HTTPBasicAuth(", 1), ("HTTPDigestAuth(", 1), ("HTTPProxyAuth(", 1),
    ("BasicAWSCredentials(", 1), ("AwsBasicCredentials.create(", 1), ("SetBasicAuth(", 1), ("basic_auth(", 1),
    ("basicAuth(", 1), ("BasicAuth(", 1), ("Credentials.basic(", 1), ("PlainAuth(", 2), (".login(", 1), (".auth(", 1),
    ("auth=(", 1), ("auth: (", 1), ("mysqli_connect(", 2), ("new mysqli(", 2), ("mysql_connect(", 2), ("new PDO(", 2),
    ("PDO(", 2), ("ldap_bind(", 2), ("ftp_login(", 2), ("imap_open(", 2), ("ssh2_auth_password(", 2),
    ("getConnection(", 2), ("DBI->connect(", 2), ("WiFi.begin(", 1), ("simple_bind_s(", 1), ("credentials(", 1), ("credentials = (", 1), ("creds = (", 1), ("auth = (", 1), ("create_user(", 2),
    ("create_superuser(", 2), ("bcrypt.hash(", 0), ("bcrypt.hashSync(", 0), ("bcrypt.compare(", 0), ("hashpw(", 0),
    ("hash_password(", 0), ("check_password(", 0), ("hashPassword(", 0), ("password_hash(", 0), ("password_verify(", 0),
    ("PlainCredentials(", 1), ("AuthProvider(", 1),
];

/// Functions and the number of the argument that is a key: of signatures and ciphers.
#[rustfmt::skip]
pub(super) const KEYED: &[(&str, usize)] = &[
    ("jwt.sign(", 1), ("jwt.verify(", 1), ("jwt.encode(", 1), ("jwt.decode(", 1), ("createHmac(", 1), ("hmac.new(", 0),
    ("Fernet(", 0), ("createCipheriv(", 1), ("hash_hmac(", 2), ("SecretKeySpec(", 0), ("createSecretKey(", 0),
    ("cookieParser(", 0), ("client.login(", 0), ("bot.login(", 0), ("bot.run(", 0), ("client.run(", 0), ("WebClient(", 0),
    ("TelegramBot(", 0), ("Stripe(", 0), ("CryptoJS.AES.encrypt(", 1), ("CryptoJS.AES.decrypt(", 1),
];

const fn names<const N: usize>(table: &[(&'static str, usize)]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = table[at].0;
        at += 1;
    }
    names
}

/// What the calls are looked for by.
pub(super) const LOGINS: [&str; CALLS.len()] = names(CALLS);
pub(super) const SIGNERS: [&str; KEYED.len()] = names(KEYED);

/// The secret among the arguments of the call whose name ends at `literal.end`.
pub(super) fn value(
    text: &[u8],
    literal: &Range<usize>,
    table: &[(&str, usize)],
) -> Option<Range<usize>> {
    let own = &text[literal.clone()];
    let &(_, number) = table.iter().find(|(name, _)| name.as_bytes() == own)?;
    let mut at = literal.end;
    for _ in 0..number {
        at = behind_comma(text, at)?;
    }
    argument(text, skip_blank(text, at))
}

/// Behind the argument that begins at `at`.
fn behind_comma(text: &[u8], at: usize) -> Option<usize> {
    let mut at = skip_blank(text, at);
    let mut depth = 0;
    let far = text.len().min(at + 300);
    while at < far {
        match text[at] {
            b'"' | b'\'' | b'`' => at = string(text, at)?.end,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return None,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => return Some(at + 1),
            b';' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}
