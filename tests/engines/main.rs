//! The page in Chromium, Firefox and WebKit, one file a group of behaviors. `tests/README.md` says more.

/// One test an engine for each function that is given a browser: `chromium::name`, `firefox::name`, `webkit::name`.
macro_rules! in_each_engine {
    ($($test:ident),+ $(,)?) => {
        in_each_engine!(@ chromium Chromium $($test)+);
        in_each_engine!(@ firefox Firefox $($test)+);
        in_each_engine!(@ webkit WebKit $($test)+);
    };
    (@ $module:ident $engine:ident $($test:ident)+) => {
        mod $module {
            $(
                #[test]
                fn $test() {
                    crate::support::in_engine(crate::support::Engine::$engine, super::$test);
                }
            )+
        }
    };
}

mod archive;
mod branches;
mod changes;
mod console;
mod context;
mod copying;
mod corpus;
mod drawer;
mod levels;
mod links;
mod opening;
mod printing;
mod sealed;
mod searching;
mod support;
mod writing;
