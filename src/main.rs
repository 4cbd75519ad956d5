//! The `leafpress` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    leafpress::cli::main()
}
