//! One entry: its message and blocks, what they cost, and where agents differ.

pub mod attachments;
pub(crate) mod block;
pub(crate) mod by_person;
pub mod convert;
pub mod damage;
pub mod entry;
pub mod event;
pub(crate) mod format;
pub(crate) mod header;
pub(crate) mod image_type;
pub(crate) mod kind;
pub(crate) mod known;
pub mod message;
pub(crate) mod notice;
pub mod omitted;
pub mod prices;
pub(crate) mod queued_prompt;
mod serialize;
pub(crate) mod unknown;
pub mod usage;
