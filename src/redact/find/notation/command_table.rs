//! Which programs take a secret as an argument, and where.
//!
//! One row a program or one of its commands: words that must be among the first arguments, then where the secret
//! stands (`Take`). Rows are as each program's manual has its options. A new program is a new row and a line in the
//! tests; options whose names promise a secret need none.

use std::sync::LazyLock;

/// Where among its arguments a program takes a secret.
#[derive(Debug, Clone, Copy)]
pub(super) enum Take {
    /// In the argument behind this option.
    Next(&'static str),
    /// In this option, right behind its letters.
    Joined(&'static str),
    /// Either way.
    Option(&'static str),
    /// Behind the user's name and this sign, in the argument behind the option or joined to it.
    Login(&'static str, u8),
    /// In an argument that begins so, perhaps behind an option.
    Prefix(&'static str),
    /// Behind the user's name and this sign, in an argument that is no option.
    Split(u8),
    /// The argument of this number that is no option; the program's words count.
    Position(usize),
    /// The last argument, which is no option.
    Last,
    /// What stands behind each `=` of `NAME=value`.
    Pairs,
    /// What `<<<` hands over.
    Input,
    /// The pairs of cookies in the argument behind this option.
    Cookies(&'static str),
    /// Behind the user's name in `user:password@host`, in the argument behind the option.
    Proxy(&'static str),
}

impl Take {
    /// Whether it is about arguments that are no options.
    pub(super) fn is_of_plain(self) -> bool {
        self.is_placed() || matches!(self, Take::Split(_) | Take::Pairs)
    }

    /// Whether it depends on how many arguments stand before or behind.
    pub(super) fn is_placed(self) -> bool {
        matches!(self, Take::Position(_) | Take::Last)
    }

    /// How an argument begins that this may be about; empty where quotes may stand before.
    pub(super) fn first_letters(self) -> &'static [u8] {
        match self {
            Take::Next(option)
            | Take::Joined(option)
            | Take::Option(option)
            | Take::Login(option, _)
            | Take::Cookies(option)
            | Take::Proxy(option) => &option.as_bytes()[..option.len().min(3)],
            _ => b"",
        }
    }
}

/// A program, or one of its commands. A space follows the name.
pub(super) struct Command {
    pub(super) program: &'static str,
    /// Words of which one must be among the first arguments; none for any.
    pub(super) words: &'static [&'static str],
    pub(super) takes: &'static [Take],
}

/// The rows by the first letter of their programs.
static BY_LETTER: LazyLock<[Vec<&Command>; 26]> = LazyLock::new(|| {
    let mut by_letter = [const { Vec::new() }; 26];
    for row in COMMANDS {
        let slot = usize::from(row.program.as_bytes()[0].wrapping_sub(b'a'));
        by_letter[slot % 26].push(row);
    }
    by_letter
});

/// The rows of a program.
pub(super) fn rows_of(program: &[u8]) -> impl Iterator<Item = &'static Command> {
    let slot = usize::from(program.first().map_or(0, |first| first.wrapping_sub(b'a')));
    BY_LETTER[slot % 26].iter().copied().filter(move |row| row.program.as_bytes() == program)
}

const fn row(
    program: &'static str,
    words: &'static [&'static str],
    takes: &'static [Take],
) -> Command {
    Command { program, words, takes }
}

use Take::{
    Cookies, Input, Joined, Last, Login, Next, Option, Pairs, Position, Prefix, Proxy, Split,
};

/// What the programs are looked for by.
pub(super) const PROGRAMS: [&str; COMMANDS.len()] = {
    let mut names = [""; COMMANDS.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = COMMANDS[at].program;
        at += 1;
    }
    names
};

/// Options whose names promise a secret (`--password x`) are found without a row.
#[rustfmt::skip]
pub(super) const COMMANDS: &[Command] = &[
    // Databases
    row("mysql ", &[], &[Joined("-p")]),
    row("mysqldump ", &[], &[Joined("-p")]),
    row("mysqladmin ", &[], &[Joined("-p")]),
    row("mysqlimport ", &[], &[Joined("-p")]),
    row("mariadb ", &[], &[Joined("-p")]),
    row("mariadb-dump ", &[], &[Joined("-p")]),
    row("mariadb-admin ", &[], &[Joined("-p")]),
    row("mongo ", &[], &[Next("-p")]),
    row("mongosh ", &[], &[Next("-p")]),
    row("mongodump ", &[], &[Next("-p")]),
    row("mongorestore ", &[], &[Next("-p")]),
    row("mongoexport ", &[], &[Next("-p")]),
    row("mongoimport ", &[], &[Next("-p")]),
    row("redis-cli ", &[], &[Next("-a"), Next("--pass")]),
    row("sqlcmd ", &[], &[Option("-P")]),
    row("bcp ", &[], &[Option("-P")]),
    row("isql ", &[], &[Option("-P")]),
    row("tsql ", &[], &[Option("-P")]),
    row("sqlplus ", &[], &[Split(b'/')]),
    row("snowsql ", &[], &[Next("-p")]),
    row("cqlsh ", &[], &[Next("-p")]),
    row("influx ", &[], &[Next("-password")]),
    row("rabbitmqctl ", &["add_user", "change_password"], &[Position(2)]),

    row("vault ", &["unseal"], &[Position(2)]),

    // Remote machines
    row("sshpass ", &[], &[Option("-p")]),
    row("ldapsearch ", &[], &[Option("-w")]),
    row("ldapadd ", &[], &[Option("-w")]),
    row("ldapmodify ", &[], &[Option("-w")]),
    row("ldapdelete ", &[], &[Option("-w")]),
    row("ldappasswd ", &[], &[Option("-w"), Option("-s"), Option("-a")]),
    row("ldapwhoami ", &[], &[Option("-w")]),
    row("smbclient ", &[], &[Login("-U", b'%')]),
    row("rpcclient ", &[], &[Login("-U", b'%')]),
    row("smbmap ", &[], &[Next("-p")]),
    row("net ", &["use", "user"], &[Position(2), Position(3), Position(4)]),
    row("net.exe ", &["use", "user"], &[Position(2), Position(3), Position(4)]),
    row("cmdkey ", &[], &[Prefix("/pass:")]),
    row("xfreerdp ", &[], &[Prefix("/p:")]),
    row("xfreerdp3 ", &[], &[Prefix("/p:")]),
    row("ipmitool ", &[], &[Next("-P")]),
    row("snmpwalk ", &[], &[Next("-c"), Next("-A"), Next("-X")]),
    row("snmpbulkwalk ", &[], &[Next("-c"), Next("-A"), Next("-X")]),
    row("snmpget ", &[], &[Next("-c"), Next("-A"), Next("-X")]),
    row("snmpset ", &[], &[Next("-c"), Next("-A"), Next("-X")]),
    row("evil-winrm ", &[], &[Next("-p")]),
    row("crackmapexec ", &[], &[Next("-p")]),
    row("netexec ", &[], &[Next("-p")]),
    row("nxc ", &[], &[Next("-p")]),
    row("hydra ", &[], &[Next("-p")]),
    row("psexec ", &[], &[Next("-p")]),
    row("lftp ", &[], &[Login("-u", b','), Login("--user", b',')]),
    row("ncftpput ", &[], &[Next("-p")]),
    row("nmcli ", &["wifi", "con", "connection"], &[Next("password"), Next("wifi-sec.psk"), Next("802-11-wireless-security.psk")]),
    row("iwconfig ", &[], &[Prefix("s:")]),
    row("wpa_passphrase ", &[], &[Position(1)]),

    // Requests
    row("curl ", &[], &[Login("-u", b':'), Login("-su", b':'), Login("-sSu", b':'), Login("-ksu", b':'), Login("-ku", b':'),
        Login("--user", b':'), Login("-U", b':'), Login("--proxy-user", b':'), Proxy("-x"), Proxy("--proxy"), Cookies("-b")]),
    row("http ", &[], &[Login("-a", b':'), Login("--auth", b':')]),
    row("https ", &[], &[Login("-a", b':'), Login("--auth", b':')]),
    row("xh ", &[], &[Login("-a", b':'), Login("--auth", b':')]),

    // Registries, clouds, services
    row("docker ", &["login"], &[Option("-p")]),
    row("podman ", &["login"], &[Option("-p")]),
    row("nerdctl ", &["login"], &[Option("-p")]),
    row("buildah ", &["login"], &[Option("-p")]),
    row("skopeo ", &["login"], &[Option("-p")]),
    row("helm ", &["login"], &[Option("-p")]),
    row("oc ", &["login"], &[Next("-p")]),
    row("az ", &["login"], &[Next("-p")]),
    row("az ", &["secret"], &[Next("--value")]),
    row("cf ", &["login", "auth"], &[Next("-p")]),
    row("twine ", &["upload"], &[Option("-p")]),
    row("cargo ", &["login"], &[Position(1)]),
    row("vault ", &["login"], &[Position(1)]),
    row("vault ", &["put", "write", "patch"], &[Pairs]),
    row("bao ", &["put", "write", "patch"], &[Pairs]),
    row("kubectl ", &["secret"], &[Prefix("--from-literal="), Next("--from-literal")]),
    row("oc ", &["secret"], &[Prefix("--from-literal="), Next("--from-literal")]),
    row("gh ", &["secret"], &[Option("-b"), Next("--body"), Prefix("--body=")]),
    row("gh ", &["auth"], &[Input]),
    row("doppler ", &["set"], &[Pairs]),
    row("railway ", &["set"], &[Pairs]),
    row("vercel ", &["env"], &[Input]),
    row("wrangler ", &["secret"], &[Input]),
    row("aws ", &["put-parameter"], &[Next("--value")]),
    row("heroku ", &["config:set", "config:add"], &[Pairs]),
    row("fly ", &["set", "import"], &[Pairs]),
    row("flyctl ", &["set", "import"], &[Pairs]),
    row("pulumi ", &["--secret"], &[Last]),
    row("doctl ", &["auth"], &[Next("-t")]),
    row("netlify ", &[], &[Next("--auth")]),
    row("mc ", &["alias"], &[Last]),
    row("rclone ", &["obscure"], &[Position(1)]),
    row("security ", &["add-generic-password", "add-internet-password"], &[Next("-w")]),
    row("security ", &["unlock-keychain", "create-keychain", "set-keychain-password"], &[Next("-p")]),
    row("ansible-vault ", &["encrypt_string"], &[Position(1)]),

    // Archives and keys
    row("zip ", &[], &[Option("-P")]),
    row("unzip ", &[], &[Option("-P")]),
    row("7z ", &[], &[Joined("-p")]),
    row("7za ", &[], &[Joined("-p")]),
    row("7zz ", &[], &[Joined("-p")]),
    row("7zr ", &[], &[Joined("-p")]),
    row("rar ", &[], &[Joined("-p"), Joined("-hp")]),
    row("unrar ", &[], &[Joined("-p")]),
    row("openssl ", &[], &[Prefix("pass:"), Next("-k"), Next("-K")]),
    row("ssh-keygen ", &[], &[Option("-N"), Option("-P")]),
    row("keytool ", &[], &[Next("-storepass"), Next("-keypass")]),
    row("jarsigner ", &[], &[Next("-storepass"), Next("-keypass")]),

    // Accounts
    row("sudo ", &["-S", "-kS", "-Sk", "-S,"], &[Input]),
    row("htpasswd ", &[], &[Last]),
    row("usermod ", &[], &[Next("-p")]),
    row("useradd ", &[], &[Next("-p")]),
];
