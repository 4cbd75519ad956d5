//! The tables of languages.
//!
//! Each differs from `BASE`, or from one that is alike, in what it states. Another language is another table, and its
//! names in the list of languages.

use super::script::{Quote, Script};

const DOUBLE: Quote = Quote { open: "\"", close: "\"", escapes: true, lines: false };
const SINGLE: Quote = Quote { open: "'", close: "'", escapes: true, lines: false };
/// Without escapes, over lines.
const RAW: Quote = Quote { open: "`", close: "`", escapes: false, lines: true };
const TRIPLE: Quote = Quote { open: "\"\"\"", close: "\"\"\"", escapes: true, lines: true };
const TRIPLE_SINGLE: Quote = Quote { open: "'''", close: "'''", escapes: true, lines: true };
const LONG: Quote = Quote { lines: true, ..DOUBLE };
const LONG_SINGLE: Quote = Quote { lines: true, ..SINGLE };

/// What a language has unless its table says otherwise.
const BASE: Script = Script {
    keywords: "",
    constants: "true false null",
    types: "",
    line: &[],
    block: &[],
    nested: false,
    quotes: &[DOUBLE, SINGLE],
    word: &[],
    sigils: &[],
    annotation: None,
    camel_types: false,
    calls: true,
    head_calls: false,
    keys: false,
    ignore_case: false,
    directives: false,
    patterns: false,
    templates: false,
    rust: false,
    prefixes: false,
};

/// As in C: `//` and `/* */`.
const SLASHES: Script = Script { line: &["//"], block: &[("/*", "*/")], camel_types: true, ..BASE };
const HASH: Script = Script { line: &["#"], ..BASE };

pub(super) static RUST: Script = Script {
    keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let loop match \
               mod move mut pub ref return self Self static struct super trait type union unsafe use where while \
               bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
    constants: "true false None Some Ok Err",
    nested: true,
    quotes: &[LONG],
    rust: true,
    ..SLASHES
};

pub(super) static JAVASCRIPT: Script = Script {
    keywords: "abstract as asserts async await break case catch class const continue debugger declare default \
               delete do else enum export extends finally for from function get if implements import in infer \
               instanceof interface is keyof let namespace new of package private protected public readonly \
               return satisfies set static super switch this throw try type typeof unique using var void while \
               with yield",
    constants: "true false null undefined NaN Infinity",
    types: "any bigint boolean never number object string symbol unknown",
    sigils: b"$",
    word: b"$",
    annotation: Some(b'@'),
    patterns: true,
    templates: true,
    ..SLASHES
};

pub(super) static PYTHON: Script = Script {
    keywords: "and as assert async await break case class continue def del elif else except finally for from \
               global if import in is lambda match nonlocal not or pass raise return self cls try while with yield",
    constants: "True False None Ellipsis NotImplemented __name__ __file__",
    types: "bool bytes dict float frozenset int list object set str tuple type",
    quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    annotation: Some(b'@'),
    camel_types: true,
    prefixes: true,
    ..HASH
};

pub(super) static GO: Script = Script {
    keywords: "break case chan const continue default defer else fallthrough for func go goto if import interface \
               map package range return select struct switch type var",
    constants: "true false nil iota",
    types: "any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune \
            string uint uint16 uint32 uint64 uint8 uintptr",
    quotes: &[DOUBLE, RAW, SINGLE],
    ..SLASHES
};

pub(super) static C: Script = Script {
    keywords: "alignas alignof asm auto break case catch class concept const const_cast consteval constexpr \
               continue co_await co_return co_yield decltype default delete do dynamic_cast else enum explicit \
               export extern final for friend goto if inline mutable namespace new noexcept operator override \
               private protected public register reinterpret_cast requires restrict return sizeof static \
               static_assert static_cast struct switch template this throw try typedef typeid typename union using \
               virtual volatile while in out uniform varying precision layout fn let var @interface @implementation \
               @end @property @protocol @selector @class @import",
    constants: "true false NULL nullptr nil YES NO",
    types: "bool char char16_t char32_t char8_t double float int int16_t int32_t int64_t int8_t long ptrdiff_t short \
            signed size_t ssize_t uint16_t uint32_t uint64_t uint8_t uintptr_t unsigned void wchar_t vec2 vec3 vec4 \
            mat2 mat3 mat4 id",
    sigils: b"@",
    directives: true,
    ..SLASHES
};

pub(super) static JAVA: Script = Script {
    keywords: "abstract actual as assert break by case catch class companion const continue crossinline data def \
               default defer do else enum expect extends extension external final finally for fun given if implements \
               implicit import in infix init inline inner instanceof interface internal is lateinit lazy match module \
               native new noinline object open operator out override package permits private protected public \
               record reified return sealed static strictfp super suspend switch synchronized tailrec this throw \
               throws trait transient try type typealias val var vararg volatile when where while with yield",
    constants: "true false null None Nil",
    types: "boolean byte char double float int long short void",
    quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    annotation: Some(b'@'),
    ..SLASHES
};

pub(super) static C_SHARP: Script = Script {
    keywords: "abstract as async await base break case catch checked class const continue default delegate do else \
               enum event explicit extern finally fixed for foreach get global goto if implicit in init interface \
               internal is let lock namespace new nameof not operator or out override params partial private \
               protected public readonly record ref required return sealed select set sizeof stackalloc static \
               struct switch this throw try typeof unchecked unsafe using value var virtual volatile when where \
               while with yield",
    types: "bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong \
            ushort void",
    quotes: &[
        TRIPLE,
        Quote { open: "@\"", close: "\"", escapes: false, lines: true },
        Quote { open: "$\"", ..DOUBLE },
        DOUBLE,
        SINGLE,
    ],
    directives: true,
    ..SLASHES
};

pub(super) static SWIFT: Script = Script {
    keywords: "actor any as associatedtype async await break case catch class continue convenience default defer \
               deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect \
               infix init inout internal is lazy let mutating nonisolated nonmutating open operator optional \
               override postfix prefix private protocol public repeat required rethrows return self Self set some \
               static struct subscript super switch throw throws try typealias unowned var weak where while",
    constants: "true false nil",
    nested: true,
    quotes: &[TRIPLE, DOUBLE],
    annotation: Some(b'@'),
    ..SLASHES
};

pub(super) static DART: Script = Script {
    keywords: "abstract as assert async await base break case catch class const continue covariant default deferred \
               do dynamic else enum export extends extension external factory final finally for Function get hide if \
               implements import in interface is late library mixin new of on operator part required rethrow return \
               sealed set show static super switch sync this throw try type typedef var void when while with yield",
    types: "bool double int num",
    quotes: &[TRIPLE, TRIPLE_SINGLE, DOUBLE, SINGLE],
    annotation: Some(b'@'),
    ..SLASHES
};

pub(super) static ZIG: Script = Script {
    keywords: "addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const \
               continue defer else enum errdefer error export extern fn for if inline linksection noalias noinline \
               nosuspend opaque or orelse packed pub resume return struct suspend switch test threadlocal try union \
               unreachable usingnamespace var volatile while",
    constants: "true false null undefined",
    types: "anyerror bool f16 f32 f64 i16 i32 i64 i8 isize noreturn type u16 u32 u64 u8 usize void",
    sigils: b"@",
    block: &[],
    ..SLASHES
};

pub(super) static SOLIDITY: Script = Script {
    keywords: "abstract as assembly break case catch constant constructor continue contract default delete do else \
               emit enum error event external fallback for function if immutable import indexed interface internal is \
               library mapping memory modifier new override payable pragma private public pure receive return \
               returns storage struct switch try type unchecked using view virtual while calldata",
    types: "address bool bytes bytes32 int int256 string uint uint128 uint256 uint64 uint8",
    ..SLASHES
};

pub(super) static PHP: Script = Script {
    keywords: "abstract and array as break callable case catch class clone const continue declare default do echo \
               else elseif empty enum extends final finally fn for foreach function global goto if implements include \
               include_once instanceof insteadof interface isset list match namespace new or print private protected \
               public readonly require require_once return self static switch throw trait try unset use var while \
               xor yield",
    constants: "true false null TRUE FALSE NULL",
    types: "bool float int iterable mixed never object string void",
    line: &["//", "# "],
    quotes: &[LONG, LONG_SINGLE],
    sigils: b"$",
    ..SLASHES
};

pub(super) static RUBY: Script = Script {
    keywords: "alias and attr_accessor attr_reader attr_writer begin break case class def defined? do else elsif end \
               ensure extend for if in include loop module next not or prepend private protected public raise redo \
               require require_relative rescue retry return self super then undef unless until when while yield",
    constants: "true false nil __FILE__",
    quotes: &[LONG, LONG_SINGLE, RAW],
    block: &[("=begin", "=end")],
    word: b"?!",
    sigils: b"@$",
    camel_types: true,
    ..HASH
};

pub(super) static LUA: Script = Script {
    keywords: "and break do else elseif end for function goto if in local not or repeat return then until while",
    constants: "true false nil",
    line: &["--"],
    block: &[("--[[", "]]")],
    quotes: &[DOUBLE, SINGLE, Quote { open: "[[", close: "]]", escapes: false, lines: true }],
    ..BASE
};

pub(super) static PERL: Script = Script {
    keywords: "and cmp do else elsif eq for foreach ge gt if last le local lt my ne next no not or our package print \
               redo require return say sub unless until use while x xor",
    constants: "undef",
    sigils: b"$@%",
    quotes: &[LONG, LONG_SINGLE],
    ..HASH
};

pub(super) static ELIXIR: Script = Script {
    keywords: "after alias and case catch cond def defexception defguard defimpl defmacro defmodule defp defprotocol \
               defstruct do else end fn for if import in not or quote raise receive require rescue reraise super \
               throw try unless unquote use when with",
    constants: "true false nil",
    quotes: &[TRIPLE, LONG, SINGLE],
    annotation: Some(b'@'),
    word: b"?!",
    camel_types: true,
    ..HASH
};

pub(super) static ERLANG: Script = Script {
    keywords: "after and andalso begin case catch div end fun if not of or orelse receive rem try when xor",
    constants: "true false undefined ok error",
    line: &["%"],
    ..BASE
};

pub(super) static HASKELL: Script = Script {
    keywords: "case class data default deriving do else family forall foreign if import in infix infixl infixr \
               instance let module newtype of qualified then type where",
    constants: "True False Nothing",
    line: &["--"],
    block: &[("{-", "-}")],
    nested: true,
    quotes: &[DOUBLE],
    word: b"'",
    camel_types: true,
    ..BASE
};

pub(super) static ML: Script = Script {
    keywords: "abstract and as assert async begin class constraint default do done downto elif else end exception \
               external finally for fun function functor if in include inherit inline interface internal lazy let \
               match member method module mutable namespace new object of open or override private public rec return \
               sig static struct task then to try type use val virtual when while with yield",
    constants: "true false None Some Ok Error null",
    types: "bool char float int list option string unit",
    line: &["//"],
    block: &[("(*", "*)")],
    nested: true,
    quotes: &[TRIPLE, LONG],
    word: b"'",
    camel_types: true,
    ..BASE
};

pub(super) static LISP: Script = Script {
    keywords: "and case cond declare def defclass defconst defcustom defface definline define define-syntax \
               defmacro defmethod defmodule defmulti defn defn- defparameter defprotocol defrecord defsubst deftest \
               defun defvar do dolist dotimes fn for if if-let interactive lambda let let* letrec loop ns or progn \
               provide quote recur require save-excursion set! setf setq throw try unless use-package when when-let",
    constants: "t nil true false",
    line: &[";"],
    block: &[("#|", "|#")],
    quotes: &[LONG],
    word: b"-*+!?<>=/.&",
    calls: false,
    head_calls: true,
    ..BASE
};

pub(super) static R: Script = Script {
    keywords: "break else for function if in next repeat return while",
    constants: "TRUE FALSE NULL NA NaN Inf T F",
    word: b".",
    quotes: &[LONG, LONG_SINGLE],
    ..HASH
};

pub(super) static JULIA: Script = Script {
    keywords: "abstract baremodule begin break catch const continue do else elseif end export finally for function \
               global if import in isa let local macro module mutable primitive quote return struct try type using \
               where while",
    constants: "true false nothing missing",
    block: &[("#=", "=#")],
    nested: true,
    quotes: &[TRIPLE, LONG],
    annotation: Some(b'@'),
    word: b"!",
    camel_types: true,
    ..HASH
};

pub(super) static NIX: Script = Script {
    keywords: "assert else if import in inherit let or rec then with",
    block: &[("/*", "*/")],
    quotes: &[LONG, Quote { open: "''", close: "''", escapes: false, lines: true }],
    word: b"-'",
    calls: false,
    ..HASH
};

pub(super) static GD: Script = Script {
    keywords: "and as await break class class_name const continue elif else enum extends for func if in is match not \
               or pass preload return self setget signal static super var void while",
    types: "bool float int String Vector2 Vector3 Node",
    annotation: Some(b'@'),
    camel_types: true,
    ..HASH
};

pub(super) static SQL: Script = Script {
    keywords: "add all alter analyze and as asc autoincrement begin between by case cascade check collate column \
               commit conflict constraint create cross database default deferrable delete desc distinct do drop each \
               else end except exists explain false fetch filter first for foreign from full function grant group \
               having if ilike in index inner insert intersect into is join key language last lateral left like limit \
               materialized natural not nothing nulls of offset on or order outer over partition pragma primary \
               procedure recursive references rename replace returning returns revoke right rollback row rows schema \
               select sequence set some start table temp temporary then to transaction trigger truncate union unique \
               update using vacuum values view when where window with",
    constants: "true false null",
    types: "bigint bigserial binary bit blob bool boolean bytea char date datetime decimal double float int integer \
            interval json jsonb money numeric real serial smallint text time timestamp timestamptz tinyint uuid \
            varbinary varchar",
    line: &["--"],
    block: &[("/*", "*/")],
    quotes: &[LONG, Quote { escapes: false, ..LONG_SINGLE }],
    ignore_case: true,
    ..BASE
};

pub(super) static JSON: Script =
    Script { line: &["//"], block: &[("/*", "*/")], keys: true, calls: false, ..BASE };

pub(super) static SCHEMA: Script = Script {
    keywords: "directive enum extend extends extensions fragment implements import input interface message mutation \
               on oneof option optional package public query repeated required reserved returns rpc scalar schema \
               service stream struct subscription syntax to type union",
    types: "bool bytes double fixed32 fixed64 float int32 int64 map sint32 sint64 string uint32 uint64 Boolean Float \
            ID Int String",
    line: &["//", "#"],
    quotes: &[TRIPLE, DOUBLE, SINGLE],
    annotation: Some(b'@'),
    ..SLASHES
};

pub(super) static TERRAFORM: Script = Script {
    keywords: "data dynamic else endfor endif for for_each if in locals module moved output provider resource \
               terraform variable",
    types: "any bool list map number object set string tuple",
    line: &["#", "//"],
    block: &[("/*", "*/")],
    word: b"-",
    ..BASE
};

pub(super) static CMAKE: Script = Script {
    keywords: "else elseif endforeach endfunction endif endmacro endwhile foreach function if include macro option \
               project return set while",
    constants: "ON OFF TRUE FALSE PUBLIC PRIVATE INTERFACE REQUIRED",
    block: &[("#[[", "]]")],
    quotes: &[LONG],
    ..HASH
};

pub(super) static POWERSHELL: Script = Script {
    keywords: "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for \
               foreach from function hidden if in param process return static switch throw trap try until using while",
    constants: "$true $false $null",
    block: &[("<#", "#>")],
    quotes: &[
        Quote { open: "@\"", close: "\"@", escapes: false, lines: true },
        Quote { open: "@'", close: "'@", escapes: false, lines: true },
        Quote { escapes: false, ..LONG },
        Quote { escapes: false, ..LONG_SINGLE },
    ],
    word: b"-",
    sigils: b"$",
    ignore_case: true,
    ..HASH
};

pub(super) static BATCH: Script = Script {
    keywords: "call cd copy del do echo else endlocal errorlevel exist exit for goto if in md mkdir move not off on \
               pause popd pushd ren rmdir set setlocal shift start type",
    line: &["::", "rem ", "REM ", "Rem ", "@rem ", "@REM "],
    quotes: &[Quote { escapes: false, ..DOUBLE }],
    ignore_case: true,
    calls: false,
    ..BASE
};

pub(super) static ASSEMBLY: Script = Script {
    keywords: "add and call cmp cmpl cmpq dec div idiv imul inc int ja jae jb jbe je jg jge jl jle jmp jne jnz jz lea \
               leaq leave mov movb movl movq mul neg nop not or pop popq push pushq ret retq sal sar section shl shr \
               sub subq syscall test xor xorl global extern db dw dd dq equ ldr str bl blr adrp",
    line: &[";", "//", "# "],
    block: &[("/*", "*/")],
    sigils: b"%.",
    ignore_case: true,
    calls: false,
    ..BASE
};

pub(super) static AWK: Script = Script {
    keywords: "BEGIN END break continue delete do else exit for function getline if in next print printf return while",
    constants: "FS NF NR OFS ORS RS FNR FILENAME",
    sigils: b"$",
    patterns: true,
    quotes: &[DOUBLE],
    ..HASH
};

pub(super) static NGINX: Script = Script {
    keywords: "events http if location server stream upstream listen server_name root return rewrite proxy_pass \
               include add_header ssl_certificate error_log access_log",
    constants: "on off",
    sigils: b"$",
    word: b"-",
    calls: false,
    ..HASH
};

pub(super) static OTHER: Script = Script { constants: "true false null nil", calls: false, ..HASH };

/// The words of command lines that are no commands.
pub(super) static SHELL_WORDS: Script = Script {
    keywords: "if then else elif fi for while until do done case esac in function select time sudo exec export local \
               declare readonly env command builtin eval xargs nohup set unset return source exit trap shift",
    constants: "",
    ..BASE
};
