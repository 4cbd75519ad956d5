//! The numbers in the columns of the outline that the page's script knows by name.
//!
//! `cargo xtask assets` compiles this file too, and writes the same constants as modules
//! of the script. It must not use anything of the crate.

/// A constant for the script: name, value, what it means.
pub(crate) type Constant = (&'static str, u32, &'static str);

macro_rules! constants {
    ($(#[doc = $about:literal] $name:ident = $value:literal;)*) => {
        $(#[doc = $about] pub(crate) const $name: u32 = $value;)*

        /// All of them.
        #[allow(dead_code, reason = "for xtask")]
        pub(crate) const ALL: &[super::Constant] = &[$((stringify!($name), $name, $about)),*];
    };
}

/// In the columns `marks` and `roles`.
pub(crate) mod outline {
    constants! {
        /// In `marks`.
        PROMPT = 1;
        /// In `marks`: a commit, a push, a pull request, or a test run of which it is known how it ended.
        LANDMARK = 2;
        /// In `marks`: a response or a call that was stopped.
        STOPPED = 4096;
        /// In `marks`: a call, a response or a command that failed.
        FAILED = 4;
        /// In `marks`.
        COMPACTION = 8;
        /// In `marks`: one of several branches.
        FORK = 16;
        /// In `marks`: a response without text, shown only while it is the current leaf.
        WITHOUT_TEXT = 32;
        /// In `marks`.
        COMMIT = 64;
        /// In `marks`.
        PUSH = 128;
        /// In `marks`.
        PULL_REQUEST = 256;
        /// In `marks`: a test run.
        TEST_RUN = 512;
        /// In `marks`: something that is worth a look.
        NOTABLE = 1024;
        /// In `marks`: a test run that failed, whatever the call's exit status is.
        TESTS_FAILED = 2048;
        /// In `roles`: a response.
        RESPONSE = 1;
    }
}

/// In the facts that the script folds into the context at a leaf.
pub(crate) mod context {
    constants! {
        /// In `flags`: the conversion for the model lets it through.
        SENT = 1;
        /// In `flags`: not shown in the agent's terminal.
        HIDDEN = 2;
        /// In `flags`: a system message; a compaction replaces those before it.
        SYSTEM = 4;
        /// In `flags`: an edit may put other content in its place.
        REPLACEABLE = 8;
        /// In `flags`: the agent sends it to no model.
        NEVER = 16;
        /// In `flags`: a prompt; some compactions ask it again.
        PROMPT_MESSAGE = 32;
        /// In `flags`: a turn that failed.
        FAILED_TURN = 64;
        /// In `flags`: what an interrupted turn thought.
        THOUGHT = 128;
        /// In `flags`: a turn that says something without its calls.
        SPEAKS = 256;
        /// In `flags`: results stand directly behind their calls.
        PAIRED = 512;
        /// In `flags`: a reset that keeps a part keeps no such message of it.
        ASIDE = 1024;
        /// In the bits of a boundary: the last prompt before what is kept is asked again.
        ASKS_AGAIN = 1;
        /// In the bits of a boundary: the person cleared the history.
        RESET = 2;
        /// In the bits of a boundary: the agent reads nothing above the kept entries.
        CUTS = 4;
    }
}
