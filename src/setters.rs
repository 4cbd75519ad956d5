//! The one way in which options are made: a default, and setters that take it and give it back.

/// Setters of public fields: `field: argument => value,`.
macro_rules! setters {
    ($($field:ident: $argument:ty => $value:expr,)*) => {$(
        #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
        #[must_use]
        pub fn $field(mut self, $field: $argument) -> Self {
            self.$field = $value;
            self
        }
    )*};
}

pub(crate) use setters;
