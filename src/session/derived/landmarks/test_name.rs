//! Which names say that something runs tests: targets and scripts, and files that a shell or an interpreter runs.

/// What may stand before `test` in the name of a target: `unit-test`, but not `build-test`.
const KINDS: [&str; 14] = [
    "unit",
    "integration",
    "int",
    "functional",
    "e2e",
    "smoke",
    "acceptance",
    "regression",
    "system",
    "browser",
    "ui",
    "api",
    "all",
    "run",
];

/// A file whose name begins with one of these makes tests, changes them or is there for them.
const NOT_TESTS: [&str; 30] = [
    "add", "bench", "build", "clean", "convert", "count", "create", "debug", "download", "edit",
    "fake", "fix", "gen", "generate", "helper", "install", "list", "make", "mock", "move", "patch",
    "prepare", "rename", "seed", "serve", "server", "setup", "teardown", "update", "write",
];

/// Folders in a folder of tests whose files are no tests.
const NOT_TEST_FOLDERS: [&str; 10] = [
    "bin",
    "data",
    "fixture",
    "fixtures",
    "helpers",
    "lib",
    "node_modules",
    "support",
    "tools",
    "utils",
];

/// `test`, `tests`, `test:unit`, `test-ci`, `unit-tests`, `e2e`; not `testdata/x` and not `testing`.
pub(super) fn is_test(word: &str) -> bool {
    let kind = word.strip_suffix("tests").or_else(|| word.strip_suffix("test"));
    let is_kind =
        |kind: &str| kind.strip_suffix([':', '-', '_']).is_some_and(|kind| KINDS.contains(&kind));
    let begins = |start: &str| {
        word.strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_']))
    };
    begins("tests") || begins("test") || word == "e2e" || kind.is_some_and(is_kind)
}

/// Whether a path is that of a file of tests, by its name or by the folder that it is in.
pub(super) fn is_test_file(path: &str) -> bool {
    let mut names = path.rsplit(['/', '\\']).filter(|name| !matches!(*name, "" | "."));
    let file = names.next().unwrap_or_default();
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    let stem = stem.to_ascii_lowercase();
    let words: Vec<&str> = stem.split(['_', '-', '.']).collect();
    let (first, last) = (words[0], words[words.len() - 1]);
    if NOT_TESTS.contains(&first) || file.contains(['$', '*', '\n']) {
        return false;
    }
    let says_so = matches!(first, "test" | "tests" | "e2e" | "runtest" | "runtests")
        || matches!(last, "test" | "tests" | "e2e")
        || last == "spec" && words.len() > 1
        || extension == "t";
    // Of a folder further up nobody knows whether it is part of the project.
    let folders: Vec<&str> = names.take(2).collect();
    let is_test_folder = |folder: &str| matches!(folder, "test" | "tests" | "spec" | "__tests__");
    let is_in_tests = folders.iter().any(|folder| is_test_folder(folder))
        && !folders.iter().any(|folder| NOT_TEST_FOLDERS.contains(folder));
    says_so || is_in_tests
}

/// Whether a program is a file of tests. Without a folder in its name it is one of the system: `test -f x`. `/test` is a
/// command of an agent.
pub(super) fn is_test_program(program: &str) -> bool {
    let is_of_system = ["/bin/", "/usr/", "@"].iter().any(|start| program.starts_with(start));
    let has_folder = program.trim_start_matches('/').contains('/');
    has_folder && !is_of_system && is_test_file(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_that_tests_run() {
        for word in ["test", "tests", "test:unit", "test-ci", "unit-tests", "e2e", "run_test"] {
            assert!(is_test(word), "{word}");
        }
        for word in ["testdata/x", "testing", "latest", "build:test", "e2e-report"] {
            assert!(!is_test(word), "{word}");
        }
    }

    #[test]
    fn the_name_or_the_folder_of_a_file_says_that_it_is_a_test() {
        for path in [
            "test_x.py",
            "x_test.py",
            "foo.test.js",
            "a/foo.spec.ts",
            "run-tests.sh",
            "runTests.js",
            "tests/run",
            "spec/unit/a.rb",
            "a/__tests__/b.js",
            "t/basic.t",
            "test.sh",
            "./test",
            "/home/ana/quay/tests/a.py",
            "tests/fixtures/test_x.py",
        ] {
            assert!(is_test_file(path), "{path}");
        }
        for path in [
            "a.py",
            "latest.sh",
            "spec.py",
            "fix_tests.py",
            "tests/setup.sh",
            "tests/fixtures/a.py",
            "/home/tests/quay/src/a.py",
            "tests/$name.sh",
            "",
        ] {
            assert!(!is_test_file(path), "{path}");
        }
        assert!(is_test_program("./tests/run"));
        assert!(!is_test_program("test") && !is_test_program("/usr/bin/test"));
        assert!(!is_test_program("/test-command"));
    }
}
