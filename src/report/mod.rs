//! What the commands print, as data with a stable JSON form.

mod branches;
mod context;
mod secrets;
mod tree;

pub use branches::{BranchReport, BranchesReport, BranchesWithin, branches};
pub use context::{ContextReport, MessageReport, ModelReport, context};
pub use secrets::{FoundSecret, SecretPlace, SecretsReport, secrets};
pub use tree::{RowReport, SubSessionReport, TreeReport, tree};
