//! What the commands print, as data with a stable JSON form.

mod context;
mod secrets;
mod tree;

pub use context::{ContextReport, MessageReport, ModelReport, context};
pub use secrets::{FoundSecret, SecretPlace, SecretsReport, secrets};
pub use tree::{RowReport, SubSessionReport, TreeReport, tree};
