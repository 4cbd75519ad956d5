//! What the commands print, as data with a stable JSON form.

mod branches;
mod compare;
mod context;
mod did;
mod over_time;
#[cfg(feature = "cli")]
mod page_secrets;
#[cfg(feature = "redact")]
mod secrets;
mod stats;
mod tree;

pub use branches::{BranchReport, BranchesReport, BranchesWithin, branches};
pub use compare::{CompareReport, FileReport, OnlyReport, SideReport, compare};
pub use context::{ContextReport, MessageReport, ModelReport, context};
pub use did::{FailureReport, LandmarkReport};
pub use over_time::{CallReport, OverTimeReport, context_over_time};
#[cfg(feature = "cli")]
pub(crate) use page_secrets::page_secrets;
#[cfg(feature = "redact")]
pub use secrets::{FoundSecret, SecretPlace, SecretsReport, secrets};
pub use stats::{
    BranchStats, Figures, ModelFigures, StatsReport, SubSessionStats, ToolFigures, UsageReport,
    stats,
};
pub use tree::{RowReport, SubSessionReport, TreeReport, tree};
