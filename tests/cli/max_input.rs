//! How much is read, and what is not worth reading to its end.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use snapbox::str;

use crate::support::folder::Folder;

const SESSION: &str = "first-steps.jsonl";

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Almost 2 GiB of zeros: several packs one after the other are one.
fn packed_zeros() -> Vec<u8> {
    packed(&vec![0; 16 << 20]).repeat(127)
}

fn write(folder: &Folder, name: &str, bytes: &[u8]) {
    std::fs::write(folder.path(name), bytes).unwrap();
}

#[test]
fn a_session_above_the_limit_is_refused_by_every_command() {
    let folder = Folder::with_example(SESSION);
    folder.run(&[SESSION]).success();
    write(&folder, "packed.jsonl.gz", &packed(folder.read(SESSION).as_bytes()));
    let size = folder.read(SESSION).len().to_string();
    let less = (folder.read(SESSION).len() - 1).to_string();
    for args in [
        vec![SESSION, "-o", "out.html"],
        vec!["packed.jsonl.gz", "-o", "out.html"],
        vec!["tree", SESSION],
        vec!["tree", "packed.jsonl.gz"],
        vec!["context", SESSION],
        vec!["branches", SESSION],
        vec!["stats", SESSION],
        vec!["secrets", SESSION],
        vec!["compare", SESSION, "x", "y"],
        vec!["label", SESSION, "x"],
        vec!["branch", SESSION, "x"],
        vec!["migrate", SESSION],
    ] {
        let file = args.iter().find(|arg| arg.contains(".jsonl")).unwrap();
        let limited = [&args[..], &["--max-input", &less]].concat();
        let stderr = folder.run(&limited).code(1).get_output().stderr.clone();
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(
            stderr.starts_with(&format!("error: failed to read `{file}`: it is larger than "))
                && stderr.ends_with("\nhelp: raise the limit with `--max-input SIZE`\n"),
            "{limited:?}: {stderr}"
        );
        let enough = [&args[..], &["--max-input", &size]].concat();
        let stderr = folder.run(&enough).get_output().stderr.clone();
        assert!(!String::from_utf8(stderr).unwrap().contains("larger than"), "{enough:?}");
    }
    let piped = folder.command(&["tree", "-", "--max-input", &less]).stdin(folder.read(SESSION));
    piped.assert().code(1).stderr_eq(str![[r#"
error: failed to read standard input: it is larger than [..]
help: raise the limit with `--max-input SIZE`

"#]]);
    let page = (folder.read("first-steps.html").len() - 1).to_string();
    folder.run(&["extract", "first-steps.html", "-o", "back", "--max-input", &page]).code(1);
    assert!(!folder.path("back").exists());
}

/// Unpacked and read to its end, this would take gigabytes and minutes.
#[test]
fn a_pack_that_bursts_is_refused_early() {
    let folder = Folder::new();
    write(&folder, "zeros.jsonl.gz", &packed_zeros());
    folder.run(&["tree", "zeros.jsonl.gz"]).code(1).stderr_eq(str![[r#"
error: failed to read `zeros.jsonl.gz`: no session entries found: the first 4.2 MB contain no `{`
help: supported formats: [..]

"#]]);
    let header = packed(b"{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n");
    let bytes = [header, packed_zeros()].concat();
    write(&folder, "burst.jsonl.gz", &bytes);
    for (args, stdin) in [(["tree", "burst.jsonl.gz"], Vec::new()), (["tree", "-"], bytes)] {
        let run = folder.command(&args).stdin(stdin).assert().code(1);
        run.stderr_eq(str![[r#"
error: failed to read [..]: it decompresses to more than 100 times its size
help: if you trust the file, set a limit with `--max-input SIZE`

"#]]);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::process::{Command, Stdio};

    use snapbox::cmd::cargo_bin;

    use super::*;

    /// Runs a line of shell with the command as `$0`; gives its standard error, and the most memory
    /// that one of its processes took, in MB.
    fn shell(folder: &Folder, line: &str) -> (String, u64) {
        let output = Command::new("bash")
            .current_dir(folder.path(""))
            // Memory that the limit would not let it have is not taken from the machine either.
            .args(["-c", &format!("ulimit -v 6000000; {line}")])
            .arg(cargo_bin!("leafpress"))
            .stdout(Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success(), "{line}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let (told, kilobytes) = stderr.trim_end().rsplit_once('\n').unwrap();
        (told.to_owned(), kilobytes.parse::<u64>().unwrap() / 1000)
    }

    #[test]
    fn devices_and_streams_that_never_end_take_no_memory() {
        let folder = Folder::with_example(SESSION);
        write(&folder, "zeros.jsonl.gz", &packed_zeros());
        let time = "command time -f %M timeout 60";
        for (line, said) in [
            (format!("{time} \"$0\" tree /dev/zero"), "it is a device"),
            (format!("{time} \"$0\" secrets /dev/urandom"), "it is a device"),
            (format!("{time} \"$0\" extract /dev/zero -o x"), "it is a device"),
            (format!("{time} \"$0\" label /dev/zero x"), "it is a device"),
            (format!("{time} \"$0\" branch /dev/zero x"), "it is a device"),
            (format!("{time} \"$0\" tree - </dev/zero"), "it is a device"),
            (format!("cat /dev/zero | {time} \"$0\" tree -"), "contain no `{`"),
            (format!("cat /dev/urandom | {time} \"$0\" tree -"), "are not text"),
            (format!("cat /dev/urandom | {time} \"$0\" extract - -o x"), "not a leafpress page"),
            (format!("yes | {time} \"$0\" tree -"), "contain no `{`"),
            (format!("yes '{{\"a\":1}}' | {time} \"$0\" tree -"), "unknown session format"),
            (
                format!(
                    "yes '{{\"type\":\"session\",\"id\":\"s\"}}' | {time} \"$0\" tree - --max-input 50MB"
                ),
                "larger than 50.0 MB",
            ),
            (
                format!("mkfifo pipe; cat /dev/zero >pipe & {time} \"$0\" tree pipe"),
                "contain no `{`",
            ),
            (format!("{time} \"$0\" tree zeros.jsonl.gz"), "contain no `{`"),
            (format!("{time} \"$0\" {SESSION} --theme /dev/zero"), "it is a device"),
            (format!("{time} \"$0\" secrets {SESSION} --redact-rules /dev/zero"), "it is a device"),
        ] {
            let (told, megabytes) = shell(&folder, &line);
            assert!(told.contains(said), "{line}: {told}");
            assert!(megabytes < 300, "{line}: {megabytes} MB");
        }
    }
}
