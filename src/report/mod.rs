//! What the commands print, as data with a stable JSON form.

mod branches;
mod changes;
mod compare;
mod context;
mod did;
mod edits;
mod over_time;
#[cfg(feature = "cli")]
mod page_secrets;
mod secrets;
mod stats;
mod tree;

pub use crate::session::landmarks::{LandmarkKind, LandmarkOutcome};
pub use branches::{BranchReport, BranchesReport, BranchesWithin, branches};
pub use changes::{ChangesReport, EditReport, FileChangesReport, NetReport, changes, changes_of};
pub use compare::{CompareReport, FileReport, OnlyReport, SideReport, compare, newest_other};
pub use context::{ContextReport, MessageReport, ModelReport, context};
pub use did::{FailureReport, LandmarkReport, StopReport};
pub use edits::EditedFileReport;
#[cfg(feature = "catalog")]
pub(crate) use edits::Edits;
pub use over_time::{CallReport, OverTimeReport, context_over_time};
#[cfg(feature = "cli")]
pub(crate) use page_secrets::page_secrets;
pub use secrets::{FoundSecret, SecretPlace, SecretsReport, secrets};
#[cfg(feature = "catalog")]
pub(crate) use stats::figures;
#[cfg(feature = "cli")]
pub(crate) use stats::whole;
pub use stats::{
    BranchStats, Figures, ModelFigures, SinceReport, StatsReport, SubSessionStats, ToolFigures,
    UsageReport, stats, stats_since,
};
#[cfg(feature = "catalog")]
pub(crate) use tree::matches;
pub use tree::{RowReport, SubSessionReport, TreeReport, tree};
