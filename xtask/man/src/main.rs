//! Writes the man pages of the command, one for each of its commands, to the directory given.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use leafpress::cli::Cli;

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: man DIR");
        return ExitCode::from(2);
    };
    let written = fs::create_dir_all(&folder)
        .and_then(|()| clap_mangen::generate_to(Cli::definition(), &folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: failed to write to `{}`: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}
