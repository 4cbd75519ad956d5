//! Drivers and browsers as processes, which end with the test in whatever way it ends.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use tempfile::TempDir;

/// A program in a process group of its own. The shell waits until nobody holds the other end of its input: when
/// the value is dropped, and also when the tests are killed. Then all of the group ends.
const SHELL: &str = r#"
    trap : HUP INT TERM
    "$@" </dev/null &
    read -r _
    kill -KILL 0
"#;

#[derive(Debug)]
pub(super) struct Group {
    shell: Child,
    input: Option<ChildStdin>,
}

impl Group {
    /// Starts a program with an empty home.
    pub(super) fn start(
        program: &Path,
        arguments: &[impl AsRef<OsStr>],
        home: &TempDir,
        display: Option<&str>,
        stdout: Stdio,
    ) -> Group {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SHELL, "sh"]).arg(program).args(arguments);
        command.env("HOME", home.path()).env("TMPDIR", home.path()).env("LC_ALL", "C.UTF-8");
        for unwanted in [
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "XDG_RUNTIME_DIR",
        ] {
            command.env_remove(unwanted);
        }
        if let Some(display) = display {
            command.env("DISPLAY", display);
        }
        command.process_group(0).stdin(Stdio::piped()).stdout(stdout).stderr(Stdio::null());
        let mut shell = command.spawn().expect("there is a shell");
        let input = shell.stdin.take();
        Group { shell, input }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        drop(self.input.take());
        // It kills itself: how it ended says nothing.
        let _ = self.shell.wait();
    }
}

/// An X server, and the name of its display.
#[derive(Debug)]
pub(super) struct Screen {
    _group: Group,
    pub(super) display: String,
}

impl Screen {
    pub(super) fn start(program: &Path, home: &TempDir) -> Screen {
        // It chooses a number that is free, and says which.
        let arguments = ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
        let mut group = Group::start(program, &arguments, home, None, Stdio::piped());
        let stdout = group.shell.stdout.take().expect("it was piped");
        let mut number = String::new();
        BufReader::new(stdout).read_line(&mut number).expect("the X server says its number");
        assert!(!number.is_empty(), "the X server does not start");
        Screen { _group: group, display: format!(":{}", number.trim()) }
    }
}

/// A port that is free now. Another process may take it before the driver does: the driver then does not start.
pub(super) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("it has an address").port()
}
