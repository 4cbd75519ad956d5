//! The `leafpress` command, built as the tests are: cargo names the programs of a package to its own tests alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    leafpress::cli::main()
}
