use proptest::prelude::*;

use super::*;
use crate::render::highlight::class::BLANK;

/// The colored tokens of a code: class and text, blanks left out.
fn colored(language: &str, code: &str) -> String {
    let mut lexers = Lexers::default();
    let lexer = lexers.of(language).unwrap();
    let mut from = 0;
    let mut said = Vec::new();
    for token in lexers.tokens(&lexer, code) {
        let text = &code[from..token.end];
        if let Some(class) = token.class.filter(|_| token.class != BLANK) {
            said.push(format!("{class}:{text}"));
        }
        from = token.end;
    }
    assert_eq!(from, code.len(), "read to its end");
    said.join(" ")
}

#[test]
fn programs_show_their_words_strings_and_comments() {
    for (language, code, expected) in [
        ("rust", "fn run<'a>(x: &'a str) -> u8 { 'x' }", "k:fn f:run k:'a k:'a k:str k:u8 s:'x'"),
        ("rust", "#[test]\nlet s = r#\"a\"b\"#; // c", "m:#[test] k:let s:r#\"a\"b\"# c:// c"),
        (
            "rust",
            "println!(\"{x}\\n\") /* a /* b */ c */ 1.5e-3",
            "f:println! s:\"{x} n:\\n s:\" c:/* a /* b */ c */ n:1.5e-3",
        ),
        ("rust", "0..10 x.0 self.run(Some(1))", "n:0 n:10 n:0 k:self f:run n:Some n:1"),
        ("ts", "const a = /[/]x/g, b = 1 / 2 / c;", "k:const s:/[/]x/g n:1 n:2"),
        ("ts", "`a ${b ? `c` : {d: 1}} e` + x.class", "s:`a  s:`c` n:1 s: e`"),
        (
            "ts",
            "@Input() class A extends B { get(): string }",
            "m:@Input k:class t:A k:extends t:B k:get t:string",
        ),
        (
            "python",
            "@a.b\ndef f(x): # c\n  return f'{x}' + \"\"\"a\n\"b\" \"\"\"",
            "m:@a.b k:def f:f c:# c k:return s:f'{x}' s:\"\"\"a\n\"b\" \"\"\"",
        ),
        ("go", "func (r *T) Do(a int) error { s := `a\\` }", "k:func f:Do t:int t:error s:`a\\`"),
        (
            "c",
            "#include <stdio.h>\nint main(void) { return 0x1F; }",
            "k:#include t:int f:main t:void k:return n:0x1F",
        ),
        ("bat", "Rem hello there\nremove rem.txt", "c:Rem hello there"),
        ("sql", "SELECT a, 'it''s' FROM t -- c", "k:SELECT s:'it''s' k:FROM c:-- c"),
        ("json", "{\"a\\\"b\": [\"c\", -1.5, true]}", "a:\"a\\\"b\" s:\"c\" n:1.5 n:true"),
        ("lisp", "(defun f (x) (car x)) ; c", "k:defun f:x f:car c:; c"),
        ("php", "$a = $b['k'] ?? null; // c", "s:'k' n:null c:// c"),
    ] {
        assert_eq!(colored(language, code), expected, "{code}");
    }
}

#[test]
fn command_lines_show_commands_and_what_joins_them() {
    for (code, expected) in [
        ("cd src && grep -n \"a b\" x | wc -l # c", "f:cd o:&& f:grep s:\"a b\" o:| f:wc c:# c"),
        ("FOO=1 BAR=\"x\" make all 2>&1 > out.txt", "a:FOO o:= a:BAR o:= s:\"x\" f:make o:>& o:>"),
        ("if [ -f a ]; then echo hi; fi", "k:if f:[ o:; k:then f:echo o:; k:fi"),
        ("cat <<'EOF' > x\nfn $a\nEOF\nls", "f:cat o:<< s:'EOF' o:> s:fn $a\n o:EOF f:ls"),
        ("echo $(date) a#b", "f:echo f:date"),
        ("echo $((1 << 4)) $'it\\'s' x\nls", "f:echo s:$'it n:\\' s:s' f:ls"),
        ("sudo apt-get \\\n install x", "k:sudo f:apt-get"),
    ] {
        assert_eq!(colored("bash", code), expected, "{code}");
    }
}

#[test]
fn markup_styles_and_data_show_their_keys() {
    for (language, code, expected) in [
        (
            "html",
            "<!-- c --><a href=\"x\" on>&amp;</a>",
            "c:<!-- c --> a:a n:href s:\"x\" n:on n:&amp; a:a",
        ),
        ("html", "<script>let a = 1</script><b>", "a:script k:let n:1 a:script a:b"),
        (
            "css",
            "a.b:hover { color: #fff; margin: 0 1px } /* c */",
            "a:a.b a:hover a:color n:#fff a:margin n:0 n:1px c:/* c */",
        ),
        (
            "yaml",
            "a: 1 # c\nb:\n  - c: 'x'\n  - text here\nd: |\n  free: text\ne: true",
            "a:a o:: n:1 c:# c a:b o:: o:- a:c o:: s:'x' o:- s:text here a:d o:: o:| s:  free: text a:e o:: n:true",
        ),
        (
            "toml",
            "[a]\nb = [1, \"x\"] # c\nd = { e = true }",
            "m:[a] a:b o:= o:[ n:1 o:, s:\"x\" o:] c:# c a:d o:= o:{ a:e o:= n:true o:}",
        ),
        ("makefile", "A := 1\nall: b\n\tcargo build # c\n", "a:A o: := f:all o:: f:cargo c:# c"),
        ("dockerfile", "FROM a:1 AS b\nRUN x \\\n  && y\n", "k:FROM k:RUN f:x o:&& f:y"),
        ("diff", "--- a\n+++ b\n@@ 1\n-x\n+y\n z", "m:--- a\n+++ b\n@@ 1\n d:-x\n i:+y\n"),
        (
            "md",
            "# T\n- `a` **b** [c](d)\n```rust\nlet x;\n```\nend",
            "m:# T k:- s:`a` k:**b** f:[c](d) o:```rust k:let o:```",
        ),
    ] {
        assert_eq!(colored(language, code), expected, "{code}");
    }
}

thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts what is searched for a line's end.
pub(super) fn looked_at(bytes: usize) {
    LOOKED_AT.set(LOOKED_AT.get() + bytes);
}

#[test]
fn a_long_line_is_not_searched_for_its_end_again_and_again() {
    let parts = [
        "=/[",
        "\"",
        "'",
        "`${",
        "<a ",
        "<!--",
        "/*",
        "[x](",
        "**",
        "a{",
        "a:",
        "a, ",
        "<<E ",
        "\\",
        "- ",
        "@",
        "r#\"",
        "\"a\":\"b\",",
    ];
    for language in names::NAMES {
        for part in parts {
            let code = part.repeat(10_000 / part.len());
            LOOKED_AT.set(0);
            colored(language, &code);
            let looked_at = LOOKED_AT.get();
            assert!(looked_at <= 8 * code.len(), "{language} {part}: {looked_at}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read_to_its_end_in_whole_characters(
        text in "([a-z#'\"`/*<>{}()\\[\\]:;=\\\\|&$@%!~ \t\n\r\u{a0}é€𝄞-]|fn |<!--|\\*/|```|<<E|\"\"\"|\\$\\{){0,60}",
    ) {
        for language in names::NAMES {
            let mut lexers = Lexers::default();
            let lexer = lexers.of(language).unwrap();
            let tokens = lexers.tokens(&lexer, &text);
            prop_assert!(tokens.is_sorted_by(|a, b| a.end < b.end), "{language}");
            prop_assert!(tokens.iter().all(|token| text.is_char_boundary(token.end)), "{language}");
            prop_assert_eq!(tokens.last().map_or(0, |token| token.end), text.len());
        }
    }
}
