//! Which language people mean by the word on a fence or by a file's name.
//! Nothing is guessed from the code itself.

#[cfg(feature = "highlight")]
use std::sync::LazyLock;

#[cfg(feature = "highlight")]
use syntect::parsing::{SyntaxReference, SyntaxSet};

#[cfg(feature = "highlight")]
pub(crate) static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// The grammar of this name, as [`known`] gives it.
#[cfg(feature = "highlight")]
pub(crate) fn syntax(name: &str) -> Option<&'static SyntaxReference> {
    SYNTAXES.find_syntax_by_token(name)
}

/// The name that a fence's word or a file's ending has for lexers and grammars; `None` is plain text.
pub(crate) fn known(language: &str) -> Option<String> {
    let language = language.trim().to_ascii_lowercase();
    token(&language).map(str::to_owned)
}

/// The name by which the grammars know what people write.
fn token(language: &str) -> Option<&str> {
    Some(match language {
        "" | "text" | "txt" | "plain" | "plaintext" | "none" | "output" | "ascii" => return None,
        "console" | "shell" | "shell-session" | "shellsession" | "sh-session" | "terminal"
        | "shellscript" | "ksh" | "dash" | "env" | "dotenv" => "bash",
        "ps" | "pwsh" | "posh" => "powershell",
        "bat" | "batch" | "dosbatch" | "cmd" => "bat",
        "node" | "javascriptreact" | "mjs" | "cjs" => "js",
        "typescriptreact" | "mtsx" => "tsx",
        "py3" | "python3" | "python2" | "ipython" | "pycon" | "py-repl" | "starlark" => "python",
        "golang" => "go",
        "rustlang" => "rust",
        "gomod" => "go.mod",
        "csharp" => "c#",
        // The grammars disagree about these endings; this is what they mean most often.
        "h" => "c",
        "fs" | "fsharp" => "fsx",
        "cuda" | "cu" | "cuh" | "metal" => "c++",
        "objc" | "objectivec" | "objective-c" => "m",
        "objcpp" | "objectivec++" => "mm",
        "jsonl" | "json5" | "jsonc" | "ndjson" | "geojson" | "webmanifest" | "har" => "json",
        "docker" | "containerfile" => "dockerfile",
        "patch" | "udiff" => "diff",
        "markdown" | "mdx" | "mdc" | "qmd" | "rmd" => "md",
        "conf" | "config" | "systemd" | "service" | "editorconfig" => "ini",
        "lock" => "toml",
        "terraform" => "tf",
        "postgres" | "postgresql" | "psql" | "mysql" | "sqlite" | "plsql" | "tsql" => "sql",
        "elisp" | "emacs-lisp" | "scheme" | "common-lisp" => "lisp",
        "viml" | "vimscript" => "vim",
        "htmlx" | "htmx" | "ejs" | "handlebars" | "hbs" | "mustache" | "liquid" | "astro" => "html",
        "xsl" | "plist" | "csproj" | "pom" => "xml",
        "assembly" | "x86asm" => "asm",
        "fortran" => "f90",
        "octave" => "matlab",
        "gdscript" => "gd",
        "hlsl" => "glsl",
        "just" | "justfile" => "makefile",
        other => other,
    })
}

/// The language of a file, recognized by its name.
pub(crate) fn of_path(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.to_ascii_lowercase().as_str() {
        "dockerfile" | "containerfile" => "dockerfile",
        "makefile" | "gnumakefile" | "makefile.am" | "makefile.in" | "justfile" => "makefile",
        "cmakelists.txt" => "cmake",
        "rakefile" | "gemfile" | "vagrantfile" | "podfile" | "fastfile" | "brewfile" => "ruby",
        "jenkinsfile" => "groovy",
        "cargo.lock" | "poetry.lock" | "uv.lock" | "pipfile" => "toml",
        "pipfile.lock" | "composer.lock" | "flake.lock" | "deno.lock" | ".babelrc"
        | ".eslintrc" | ".prettierrc" => "json",
        "go.mod" | "go.work" => "gomod",
        "pkgbuild" | ".profile" | ".envrc" => "bash",
        ".gitconfig" | ".gitmodules" => "ini",
        ".gitignore" | ".dockerignore" | ".npmignore" | ".eslintignore" => "gitignore",
        name if name.starts_with("dockerfile.") => "dockerfile",
        name if name.starts_with(".env.") => "env",
        name if name.starts_with('.') && name.ends_with("rc") && name.len() > 4 => "bash",
        _ => name.rsplit_once('.').map_or("", |(_, ending)| ending),
    }
}

/// The language of a fence's info string: its first word, without what tools
/// write around it (`{.rust}`, `language-rust`, `rust,ignore`, `ts:src/a.ts`,
/// `12:20:src/a.ts`, a file's name).
pub(crate) fn of_fence(info: &str) -> &str {
    let info = info.trim_start_matches(['{', ' ', '.']);
    let word = info.split([' ', '\t', ',', ';', '{', '}', '=']).next().unwrap_or_default();
    let word =
        ["language-", "lang-"].iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
    match word.split_once(':') {
        Some((lines, path)) if lines.bytes().all(|byte| byte.is_ascii_digit()) => of_path(path),
        Some((language, _)) => language,
        None if word.contains(['/', '.']) => of_path(word),
        None => word,
    }
}

/// Whether an info string says more than the language.
pub(crate) fn says_more(info: &str, language: &str) -> bool {
    let bare = info.trim_matches(['{', '}', '.', ' ', '\t']);
    let bare =
        ["language-", "lang-"].iter().find_map(|prefix| bare.strip_prefix(prefix)).unwrap_or(bare);
    bare != language
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(feature = "highlight")]
    fn the_names_people_write_are_known() {
        for name in "js jsx ts tsx mjs cjs mts cts javascript typescript node py python python3 rb ruby rs rust Rust \
            go golang kt kotlin c h cs csharp cc cpp c++ C++ cxx hpp objc mm sh bash zsh fish shell console \
            shell-session terminal ps1 powershell pwsh bat cmd json jsonl json5 jsonc ndjson yml yaml toml ini conf \
            env dockerfile Dockerfile makefile Makefile make cmake md markdown mdx html xml svg vue svelte css scss \
            less tf hcl proto protobuf graphql gql sql postgresql diff patch java scala swift dart php perl lua r \
            julia hs haskell ex elixir erl clj lisp elisp ocaml fs fsharp zig nix asm awk vim tex latex rst csv log \
            nginx gitignore lock groovy gradle cuda glsl hlsl wgsl sol haml j2 gd d f90 matlab gomod"
            .split_whitespace()
        {
            assert!(known(name).and_then(|name| syntax(&name)).is_some(), "{name}");
        }
        for name in ["", "text", "plain", "mermaid", "math", "no-such-language\"><b>", "<script>"] {
            assert!(known(name).and_then(|name| syntax(&name)).is_none(), "{name}");
        }
    }

    #[test]
    #[cfg(feature = "highlight")]
    fn a_word_means_one_language() {
        let of = |word: &str| Some(syntax(&known(word)?)?.name.as_str());
        assert_eq!(of("h"), Some("C"));
        assert_eq!(of("fs"), Some("F#"));
        assert_eq!(of("tsx"), Some("TypeScriptReact"));
        assert_eq!(of("sh"), Some("Bourne Again Shell (bash)"));
    }

    #[test]
    fn files_tell_their_language_by_name() {
        for (path, language) in [
            ("src/main.rs", "rs"),
            ("C:\\x\\a.TS", "TS"),
            ("a/Dockerfile", "dockerfile"),
            ("Dockerfile.dev", "dockerfile"),
            ("CMakeLists.txt", "cmake"),
            ("Cargo.lock", "toml"),
            ("~/.bashrc", "bash"),
            (".env.local", "env"),
            ("bin/go", ""),
            ("LICENSE", ""),
            ("", ""),
        ] {
            assert_eq!(of_path(path), language, "{path}");
        }
    }

    #[test]
    fn fences_tell_theirs_by_their_first_word() {
        for (info, language, more) in [
            ("rust", "rust", false),
            ("rust,ignore", "rust", true),
            ("{.rust}", "rust", false),
            ("{.rust .numberLines}", "rust", true),
            ("{r, echo=FALSE}", "r", true),
            ("language-c++", "c++", false),
            ("ts title=\"a.ts\"", "ts", true),
            ("ts:src/a.ts", "ts", true),
            ("12:20:src/a.py", "py", true),
            ("src/a.go", "go", true),
            ("", "", false),
        ] {
            assert_eq!(
                (of_fence(info), says_more(info, of_fence(info))),
                (language, more),
                "{info}"
            );
        }
    }
}
