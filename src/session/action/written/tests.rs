use super::*;
use crate::session::action::Action;

fn told(script: &str) -> Vec<String> {
    let one = |one: MaybeWritten| match one {
        MaybeWritten::File(path) | MaybeWritten::Glob(path) => path,
        MaybeWritten::New(path) => format!("{path}+"),
        MaybeWritten::Tree(path) => format!("{path}/"),
        MaybeWritten::Any([]) => "*".to_owned(),
        MaybeWritten::Any(extensions) => format!("*.{}", extensions[0]),
    };
    of_script(script, "").into_iter().map(one).collect()
}

#[test]
fn each_row_has_a_command_that_writes() {
    for (script, files) in [
        ("echo x > a.txt", "a.txt"),
        ("echo x >> a.txt 2>&1", "a.txt"),
        ("make | tee log.txt", "log.txt"),
        ("tee -a a b < c", "a b"),
        ("sed -i 's/a/b/' a.rs b.rs", "a.rs b.rs"),
        ("sed -i.bak -e 's/a/b/' -e 's/c/d/' a.rs", "a.rs"),
        ("sed -Ei '' 's/a/b/' a.rs", "a.rs"),
        ("gsed --in-place=.bak s/a/b/ a", "a"),
        ("perl -pi -e 's/a/b/' a.pl", "a.pl"),
        ("perl -i -pe 's/a/b/' a.pl", "a.pl"),
        ("rm -f a b", "a/ b/"),
        ("unlink a", "a/"),
        ("git rm a", "a/"),
        ("truncate -s0 a", "a"),
        ("dd if=a of=b", "b"),
        ("patch -p1 < a.diff", "*"),
        ("git checkout main", "*"),
        ("git checkout HEAD -- a.rs", "a.rs/"),
        ("git checkout -- a.rs b.rs", "a.rs/ b.rs/"),
        ("git switch main", "*"),
        ("git restore a.rs", "*"),
        ("git restore --staged --worktree .", "*"),
        ("git apply a.patch", "*"),
        ("git am a.mbox", "*"),
        ("git stash", "*"),
        ("git stash pop", "*"),
        ("git reset --hard HEAD~1", "*"),
        ("git clean -fd", "*"),
        ("git revert HEAD", "*"),
        ("git cherry-pick abc", "*"),
        ("git merge main", "*"),
        ("git rebase main", "*"),
        ("git pull", "*"),
        ("npx prettier --write src", "*.js"),
        ("prettier -w a.ts", "a.ts"),
        ("eslint . --fix", "*.js"),
        ("npx biome check --write .", "*.js"),
        ("deno fmt", "*.js"),
        ("rustfmt a.rs", "a.rs"),
        ("cargo fmt --all", "*.rs"),
        ("cargo fix --allow-dirty", "*.rs"),
        ("cargo clippy --fix", "*.rs"),
        ("cargo add serde", "Cargo.toml Cargo.lock"),
        ("cargo remove serde", "Cargo.toml Cargo.lock"),
        ("cargo update", "Cargo.lock"),
        ("gofmt -w a.go", "a.go"),
        ("gofmt -s -w .", "*.go"),
        ("goimports -w a.go", "a.go"),
        ("gofumpt -w .", "*.go"),
        ("go fmt ./...", "*.go"),
        ("go generate ./...", "*"),
        ("go get x", "go.mod go.sum"),
        ("go mod tidy", "go.mod go.sum"),
        ("golangci-lint run --fix", "*.go"),
        ("black .", "*.py"),
        ("python -m black a.py", "a.py"),
        ("isort a.py", "a.py"),
        ("uv run ruff format", "*.py"),
        ("ruff check --fix .", "*.py"),
        ("autopep8 -i a.py", "a.py"),
        ("yapf -i a.py", "a.py"),
        ("clang-format -i a.cpp", "a.cpp"),
        ("shfmt -w a.sh", "a.sh"),
        ("stylua .", "*.lua"),
        ("terraform fmt", "*.tf"),
        ("dart format lib", "*.dart"),
        ("swiftformat .", "*.swift"),
        ("rubocop -A", "*.rb"),
        ("mix format", "*.ex"),
        ("zig fmt src", "*.zig"),
        ("npm install left-pad", "package.json package-lock.json"),
        ("npm i", "package-lock.json"),
        ("npm i -D x", "package.json package-lock.json"),
        ("npm uninstall x", "package.json package-lock.json"),
        ("npm version patch", "package.json package-lock.json"),
        ("npm init -y", "package.json package-lock.json"),
        ("pnpm add x", "package.json pnpm-lock.yaml"),
        ("yarn add x", "package.json yarn.lock"),
        ("bun add x", "package.json bun.lock"),
        ("poetry add x", "pyproject.toml poetry.lock"),
        ("uv add x", "pyproject.toml uv.lock"),
        ("npm run format", "*.js"),
        ("yarn lint:fix", "*.js"),
        ("make fmt", "*"),
        ("find . -name '*.rs' -exec sed -i s/a/b/ {} +", "*"),
        ("find . -name '*.orig' -delete", "*"),
        ("grep -l x . | xargs sed -i s/a/b/", "*"),
        ("cd w; sed -i s/a/b/ src/*.rs", "w/src/*.rs"),
        ("cd w && A=1 sudo sed -i s/a/b/ a.rs", "w/a.rs"),
        ("cd w; cat > /abs/a <<'EOF'\nrm b\nEOF\nrm c", "/abs/a w/c/"),
        ("bash -lc 'rm a'", "a/"),
        ("if true; then rm a; fi", "a/"),
    ] {
        assert_eq!(told(script).join(" "), files, "{script}");
    }
}

#[test]
fn files_that_are_moved_and_copied_go_to_a_name_or_into_a_folder() {
    for (script, files) in [
        ("mv a b", "a/ b/"),
        ("mv x/a .", "x/a/ a/"),
        ("mv x/a y/b dir/", "x/a/ y/b/ dir/a/ dir/b/"),
        ("mv a b dir", "a/ b/ dir/a/ dir/b/"),
        ("git mv a lib/", "a/ lib/a/"),
        ("cp x/a ..", "../a/"),
        ("cp a b dir", "dir/a/ dir/b/"),
        ("cp -r x/. dir", "dir/"),
        ("cp -r x dir/", "dir/x/"),
        ("git mv a b", "a/ b/"),
        ("cp -r a b", "b/"),
        ("cp -r a b.app", "b.app/"),
        ("cp a.rs b.rs", "b.rs/ b.rs"),
        ("cp a v1.2", "v1.2/"),
        ("mv a.rs b.rs lib/", "a.rs/ b.rs/ lib/a.rs/ lib/a.rs lib/b.rs/ lib/b.rs"),
        ("cp *.rs lib/", "lib/*.rs"),
        ("install -m 644 a b", "b/"),
    ] {
        assert_eq!(told(script).join(" "), files, "{script}");
    }
}

#[test]
fn programs_that_make_files_have_options_with_values() {
    for (script, files) in [
        ("truncate -s 0 a b", "a b"),
        ("truncate --size 0 --no-create a", "a"),
        ("touch -d yesterday a b", "a+ b+"),
        ("ln -s a b", "b/"),
        ("ln -sf ../x/a.rs", "a.rs/"),
        ("curl -sSLo a.json https://x.org/y", "a.json"),
        ("curl https://x.org --output=a.json", "a.json"),
        ("curl -O https://x.org/y/a.tgz?z=1", "a.tgz"),
        ("wget -qO a.html https://x.org", "a.html"),
        ("wget https://x.org/y/a.tgz", "a.tgz"),
        ("wget -P lib https://x.org/y/a.tgz", "lib/a.tgz"),
    ] {
        assert_eq!(told(script).join(" "), files, "{script}");
    }
}

#[test]
fn a_script_goes_from_folder_to_folder() {
    for (script, files) in [
        ("(cd sub && ls); rm a", "a/"),
        ("(cd sub && rm a) && rm b", "sub/a/ b/"),
        ("(cd a; (cd b; rm 1); rm 2); rm 3", "a/b/1/ a/2/ 3/"),
        ("(cd a); (rm b)", "b/"),
        ("cd a | rm b", "b/"),
        ("cd a & rm b", "b/"),
        ("cd a && cd - && rm b", "b/"),
        ("cd - && rm b", "*"),
        ("cd -- a && rm b", "a/b/"),
        ("cd -P a && rm b", "a/b/"),
        ("cd && rm b", "~/b/"),
        ("cd \"$X\" && rm b", "*"),
        ("cd $(pwd) && rm b; rm /c", "* /c/"),
        ("cd $HOME/x && rm b", "$HOME/x/b/"),
        ("pushd lib; rm a; popd; rm b", "lib/a/ b/"),
        ("pushd a; pushd b; popd; rm c; popd; popd; rm d", "a/c/ d/"),
        ("pushd; rm a", "*"),
        ("cd a; bash -c 'cd b; rm 1'; rm 2", "a/b/1/ a/2/"),
        ("f() { rm a; }; (", "a/"),
        ("case x in a) rm b;; esac; rm c", "b/ c/"),
    ] {
        assert_eq!(told(script).join(" "), files, "{script}");
    }
    let deep = format!("{}rm a; {}rm b", "(cd x; ".repeat(100), ")".repeat(100));
    assert_eq!(told(&deep), ["*", "b/"]);
    let long = format!("{}rm a", "cd x; ".repeat(10_000));
    assert_eq!(told(&long), ["*"]);
}

#[test]
fn words_of_a_shell_are_read_as_its_script() {
    let arguments = r#"{"command":["bash","-lc","cd w && rm a"],"workdir":"lib"}"#;
    let arguments = serde_json::from_str(arguments).unwrap();
    let action = Action::of("shell", &arguments);
    for (folder, path) in [("", "lib/w/a"), ("/x/", "/x/lib/w/a")] {
        let written = action.run().unwrap().maybe_written(folder);
        assert_eq!(written, [MaybeWritten::Tree(path.to_owned())]);
    }
}

#[test]
fn what_only_names_files_writes_none() {
    for script in [
        "cat a > /dev/null",
        "ls 2>&1",
        "sed -n 1,3p a.rs",
        "sed 's/-i/x/' a.rs",
        "echo 'rm a' \"> b\"",
        "# rm a",
        "cat <<'EOF'\nrm a\necho > b\nEOF",
        "git commit -m \"$(cat <<'EOF'\nrm a > b\nEOF\n)\"",
        "git status",
        "git checkout -b x",
        "git switch -c x",
        "git restore --staged a",
        "git apply --check a.patch",
        "git stash list",
        "git stash show -p",
        "git reset HEAD a",
        "git clean -n",
        "prettier --check .",
        "eslint .",
        "biome check .",
        "cargo fmt --check",
        "cargo fmt --all -- --check",
        "cargo clippy",
        "gofmt -l .",
        "black --check .",
        "ruff check .",
        "clang-format a.cpp",
        "npm install -g x",
        "npm test",
        "go mod download",
        "find . -name x",
        "grep x a | xargs wc",
        "perl -e 'print 1'",
        "rm $FILE",
        "curl https://x.org/a.json",
        "curl -o /dev/null https://x.org",
        "curl -o - https://x.org",
        "wget -qO- https://x.org/a",
        "wget --spider https://x.org/a",
        "wget https://x.org/",
        "echo x > \"$OUT\"",
        "",
    ] {
        assert_eq!(told(script), [""; 0], "{script}");
    }
}

#[test]
fn patterns_match_within_a_folder() {
    for (pattern, path, expected) in [
        ("/w/*.ts", "/w/a.ts", true),
        ("/w/*.ts", "/w/x/a.ts", false),
        ("/w/*/a?.ts", "/w/x/ab.ts", true),
        ("/w/*", "/w/", true),
        ("*a*b*", "xaxxbx", true),
        ("*a*b*", "xbxxax", false),
        ("", "", true),
        ("a", "", false),
    ] {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }
}
