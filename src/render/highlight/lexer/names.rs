//! Which names are read in which way. A language that has none here is left to its grammar.

use super::languages::{
    ASSEMBLY, AWK, BATCH, C, C_SHARP, CMAKE, DART, ELIXIR, ERLANG, GD, GO, HASKELL, JAVA,
    JAVASCRIPT, JSON, JULIA, LISP, LUA, ML, NGINX, NIX, OTHER, PERL, PHP, POWERSHELL, PYTHON, R,
    RUBY, RUST, SCHEMA, SOLIDITY, SQL, SWIFT, TERRAFORM, ZIG,
};
use super::{Lexers, Way};

/// A name of each way of reading.
#[cfg(test)]
pub(super) const NAMES: [&str; 46] = [
    "rust",
    "javascript",
    "python",
    "go",
    "c",
    "java",
    "c#",
    "swift",
    "dart",
    "zig",
    "sol",
    "php",
    "ruby",
    "lua",
    "perl",
    "elixir",
    "erlang",
    "haskell",
    "fsx",
    "lisp",
    "r",
    "julia",
    "nix",
    "gd",
    "sql",
    "json",
    "proto",
    "tf",
    "cmake",
    "powershell",
    "bat",
    "asm",
    "awk",
    "nginx",
    "bash",
    "html",
    "css",
    "yaml",
    "toml",
    "makefile",
    "dockerfile",
    "md",
    "diff",
    "latex",
    "csv",
    Lexers::OTHER,
];

/// How the language of this name is read.
pub(super) fn way(name: &str) -> Option<Way> {
    Some(match name {
        "rust" | "rs" => Way::Script(&RUST),
        "javascript" | "js" | "jsx" | "typescript" | "ts" | "tsx" | "mts" | "cts" => {
            Way::Script(&JAVASCRIPT)
        }
        "python" | "py" | "pyi" | "pyw" | "sage" => Way::Script(&PYTHON),
        "go" => Way::Script(&GO),
        "c" | "c++" | "cpp" | "cc" | "cxx" | "hpp" | "hh" | "hxx" | "m" | "mm" | "glsl"
        | "wgsl" | "ino" | "vert" | "frag" => Way::Script(&C),
        "java" | "groovy" | "gradle" | "scala" | "sc" | "kotlin" | "kt" | "kts" => {
            Way::Script(&JAVA)
        }
        "c#" | "cs" | "csx" => Way::Script(&C_SHARP),
        "swift" => Way::Script(&SWIFT),
        "dart" => Way::Script(&DART),
        "zig" => Way::Script(&ZIG),
        "sol" | "solidity" => Way::Script(&SOLIDITY),
        "php" => Way::Script(&PHP),
        "ruby" | "rb" | "gemspec" | "rake" => Way::Script(&RUBY),
        "lua" => Way::Script(&LUA),
        "perl" | "pl" | "pm" => Way::Script(&PERL),
        "elixir" | "ex" | "exs" => Way::Script(&ELIXIR),
        "erlang" | "erl" | "hrl" => Way::Script(&ERLANG),
        "haskell" | "hs" => Way::Script(&HASKELL),
        "fsx" | "ocaml" | "ml" | "mli" | "sml" => Way::Script(&ML),
        "lisp" | "clojure" | "clj" | "cljs" | "cljc" | "el" | "scm" | "rkt" | "cl" => {
            Way::Script(&LISP)
        }
        "r" => Way::Script(&R),
        "julia" | "jl" => Way::Script(&JULIA),
        "nix" => Way::Script(&NIX),
        "gd" => Way::Script(&GD),
        "sql" | "ddl" | "dml" => Way::Script(&SQL),
        "json" => Way::Script(&JSON),
        "proto" | "protobuf" | "graphql" | "gql" | "thrift" => Way::Script(&SCHEMA),
        "tf" | "hcl" | "tfvars" => Way::Script(&TERRAFORM),
        "cmake" => Way::Script(&CMAKE),
        "powershell" | "ps1" | "psm1" | "psd1" => Way::Script(&POWERSHELL),
        "bat" => Way::Script(&BATCH),
        "asm" | "s" | "nasm" => Way::Script(&ASSEMBLY),
        "awk" => Way::Script(&AWK),
        "nginx" => Way::Script(&NGINX),
        "bash" | "sh" | "zsh" | "fish" => Way::Shell,
        "html" | "htm" | "xhtml" | "xml" | "svg" | "vue" | "svelte" | "xsd" | "rss" => Way::Markup,
        "css" | "scss" | "less" | "sass" => Way::Style,
        "yaml" | "yml" => Way::Yaml,
        "toml" | "ini" | "cfg" | "properties" | "go.mod" => Way::Sections,
        "makefile" | "make" | "mk" => Way::Makefile,
        "dockerfile" => Way::Dockerfile,
        "md" => Way::Markdown,
        "diff" => Way::Diff,
        "latex" | "tex" | "sty" | "bib" => Way::Latex,
        Lexers::OTHER => Way::Script(&OTHER),
        "gitignore" => Way::Sections,
        "csv" | "tsv" | "log" => Way::Columns,
        _ => return None,
    })
}
