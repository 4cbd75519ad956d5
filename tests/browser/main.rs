//! The page in a real Chromium, one file a behavior. `tests/README.md` says more.

mod accessibility;
mod address;
mod after_clicks;
mod agreement;
mod big_sessions;
mod branch;
mod compare;
mod context_band;
mod context_view;
mod copy_code;
mod copy_link;
mod counts;
mod cut;
mod damaged;
mod download;
mod drawer;
#[path = "../conformance/families.rs"]
mod families;
mod filter;
mod fold_goldens;
mod folded_search;
mod folds;
mod forced_colors;
mod forks;
mod head;
mod heights;
mod hidden_messages;
mod history;
mod hit_walk;
mod hostile;
mod indentation;
mod invisible;
mod keyboard;
mod label_times;
mod landmarks;
mod leaves;
mod lightbox;
mod link_fragment;
mod link_off_path;
mod link_query;
mod link_unknown;
mod long_prompts;
mod long_tasks;
mod map;
mod marks;
mod moves;
mod no_script;
mod only_switch;
mod opening;
mod output_states;
mod overlay;
mod packs;
mod packs_damaged;
mod packs_large;
mod packs_reached;
mod phone;
mod printing;
mod query;
mod quiet_rows;
mod raw;
mod resizer;
mod screen_reader;
mod sealed;
mod search;
mod story;
mod subsessions;
mod support;
mod theme_file;
mod themes;
mod thinking;
mod two_tabs;
mod type_ahead;
mod virtual_list;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use support::{Driver, Test};

const BEHAVIORS: &[(&str, &[Test])] = &[
    ("opening", opening::TESTS),
    ("filter", filter::TESTS),
    ("search", search::TESTS),
    ("long_prompts", long_prompts::TESTS),
    ("story", story::TESTS),
    ("subsessions::ways", subsessions::ways::TESTS),
    ("subsessions::rows", subsessions::rows::TESTS),
    ("subsessions::entries", subsessions::entries::TESTS),
    ("branch", branch::TESTS),
    ("link_query", link_query::TESTS),
    ("link_fragment", link_fragment::TESTS),
    ("link_off_path", link_off_path::TESTS),
    ("link_unknown", link_unknown::TESTS),
    ("copy_link", copy_link::TESTS),
    ("drawer", drawer::TESTS),
    ("themes", themes::TESTS),
    ("no_script", no_script::TESTS),
    ("keyboard", keyboard::TESTS),
    ("virtual_list", virtual_list::TESTS),
    ("big_sessions", big_sessions::TESTS),
    ("agreement", agreement::TESTS),
    ("after_clicks", after_clicks::TESTS),
    ("hostile", hostile::TESTS),
    ("invisible", invisible::TESTS),
    ("damaged", damaged::TESTS),
    ("context_band", context_band::TESTS),
    ("context_view", context_view::TESTS),
    ("forks", forks::TESTS),
    ("leaves", leaves::TESTS),
    ("compare", compare::TESTS),
    ("moves", moves::TESTS),
    ("map", map::TESTS),
    ("overlay", overlay::TESTS),
    ("phone", phone::TESTS),
    ("printing", printing::TESTS),
    ("forced_colors", forced_colors::TESTS),
    ("accessibility", accessibility::TESTS),
    ("screen_reader", screen_reader::TESTS),
    ("long_tasks", long_tasks::TESTS),
    ("fold_goldens", fold_goldens::TESTS),
    ("folds", folds::TESTS),
    ("hit_walk", hit_walk::TESTS),
    ("marks", marks::TESTS),
    ("query", query::TESTS),
    ("two_tabs", two_tabs::TESTS),
    ("history", history::TESTS),
    ("address", address::TESTS),
    ("only_switch", only_switch::TESTS),
    ("theme_file", theme_file::TESTS),
    ("resizer", resizer::TESTS),
    ("landmarks", landmarks::TESTS),
    ("label_times", label_times::TESTS),
    ("counts", counts::TESTS),
    ("cut", cut::TESTS),
    ("type_ahead", type_ahead::TESTS),
    ("indentation", indentation::TESTS),
    ("output_states", output_states::TESTS),
    ("thinking", thinking::TESTS),
    ("head", head::TESTS),
    ("heights", heights::TESTS),
    ("hidden_messages", hidden_messages::TESTS),
    ("copy_code", copy_code::TESTS),
    ("lightbox", lightbox::TESTS),
    ("quiet_rows", quiet_rows::TESTS),
    ("raw", raw::TESTS),
    ("folded_search", folded_search::TESTS),
    ("packs", packs::TESTS),
    ("packs_reached", packs_reached::TESTS),
    ("packs_damaged", packs_damaged::TESTS),
    ("packs_large", packs_large::TESTS),
    ("sealed", sealed::TESTS),
    ("download", download::TESTS),
];

/// A test mostly waits for the next answer of the browser, not for a processor.
const TESTS_AT_ONCE: usize = 4;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TESTS_AT_ONCE);
    let trials = BEHAVIORS.iter().flat_map(|(behavior, tests)| {
        tests
            .iter()
            .map(move |&(name, test)| Trial::test(format!("{behavior}::{name}"), move || run(test)))
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    support::shut_down();
    conclusion.exit_code()
}

#[expect(clippy::unnecessary_wraps, reason = "what a trial is")]
fn run(test: fn(&Driver<'_>)) -> Result<(), libtest_mimic::Failed> {
    let browser = support::browser();
    let driver = Driver::new(&browser);
    test(&driver);
    driver.assert_clean();
    Ok(())
}
