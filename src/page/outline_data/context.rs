//! What the script folds into the context at a leaf.

use serde::Serialize;

use super::bits::context::{
    ASIDE, ASKS_AGAIN, CUTS, FAILED_TURN, HIDDEN, NEVER, PAIRED, PROMPT_MESSAGE, REPLACEABLE,
    RESET, SENT, SPEAKS, SYSTEM, THOUGHT,
};
use super::columns::{Column, Drawn, Number, Numbers, Table, number, numbered};
use crate::session::EntryIndex;
use crate::session::context::{EntryEffect, Facts};
use crate::session::invisible::marked;
use crate::session::message::Model;

#[derive(Serialize)]
pub(super) struct ContextData<'a> {
    roles: Vec<Drawn<'a>>,
    role: Vec<Number>,
    flags: Column<'a, u32>,
    thinking: Vec<(Number, Drawn<'a>)>,
    models: Vec<(Drawn<'a>, Drawn<'a>)>,
    model: Vec<(Number, usize)>,
    /// Entries whose model holds whatever answers below.
    chosen: Vec<Number>,
    /// The models of other roles.
    #[serde(rename = "roleModels")]
    role_models: Vec<(Number, (Drawn<'a>, usize))>,
    mode: Vec<(Number, Drawn<'a>)>,
    /// In words, one a family.
    tiers: Vec<(Number, Vec<String>)>,
    boundaries: Vec<BoundaryData<'a>>,
    edits: Vec<(Number, Number, u32)>,
    /// The role of each entry's notes, and whether they are sent.
    notes: Vec<(Number, (usize, u32))>,
    /// The calls of each turn and the call that each result answers, by small numbers for their ids.
    calls: Vec<(Number, Vec<usize>)>,
    answers: Vec<(Number, usize)>,
}

/// A boundary, its first kept entry, its lead messages, the entry after which the kept
/// ones begin, the provider it is for, its bits.
type BoundaryData<'a> = (Number, Number, Vec<LeadData>, Number, Option<Drawn<'a>>, u32);

/// The role of a lead message, its flags, its calls, and the call that it answers.
type LeadData = (usize, u32, Vec<usize>, Number);

pub(super) fn context_data<'a>(
    numbers: &Numbers<'_>,
    order: &'a [EntryIndex],
    facts: &'a Facts<'_>,
) -> ContextData<'a> {
    let mut roles = Table::default();
    let mut models = Table::default();
    let mut calls: Table<&'a str> = Table::default();
    let fact = |entry: &EntryIndex| facts.of(*entry);
    let role = |effect: &'a EntryEffect<'_>, roles: &mut Table<Drawn<'a>>| {
        roles.number(Drawn(effect.role.as_ref()))
    };
    ContextData {
        role: order
            .iter()
            .map(|entry| fact(entry).message.as_ref().map_or(-1, |m| number(role(m, &mut roles))))
            .collect(),
        flags: Column::new(order, |entry| facts.of(entry).message.as_ref().map_or(0, flags)),
        thinking: numbered(order.iter().map(|entry| fact(entry).thinking.as_deref().map(Drawn))),
        model: numbered(order.iter().map(|entry| {
            let Model { provider, id } = fact(entry).model.as_ref()?;
            Some(models.number((Drawn(provider), Drawn(id))))
        })),
        chosen: order
            .iter()
            .filter(|entry| fact(entry).model_holds)
            .map(|entry| numbers.of(*entry))
            .collect(),
        role_models: numbered(order.iter().map(|entry| {
            let (role, Model { provider, id }) = fact(entry).role_model.as_deref()?;
            Some((Drawn(role), models.number((Drawn(provider), Drawn(id)))))
        })),
        mode: numbered(order.iter().map(|entry| fact(entry).mode.as_deref().map(Drawn))),
        tiers: numbered(order.iter().map(|entry| {
            let tiers = fact(entry).tiers.as_ref()?.iter();
            Some(
                tiers
                    .map(|(family, tier)| marked(&format!("{family}:{tier}")).into_owned())
                    .collect(),
            )
        })),
        boundaries: order
            .iter()
            .filter_map(|entry| {
                let boundary = fact(entry).boundary.as_ref()?;
                let lead = boundary.lead.iter().map(|m| {
                    let ids = m.calls.iter().map(|id| calls.number(id)).collect();
                    let answers = m.answers.as_ref().map_or(-1, |id| number(calls.number(id)));
                    (role(m, &mut roles), flags(m), ids, answers)
                });
                let bit = |is_set, bit| if is_set { bit } else { 0 };
                Some((
                    numbers.of(*entry),
                    numbers.or_none(boundary.first_kept),
                    lead.collect(),
                    numbers.or_none(boundary.kept_after),
                    boundary.provider.as_deref().map(Drawn),
                    bit(boundary.asks_again, ASKS_AGAIN)
                        | bit(boundary.is_reset, RESET)
                        | bit(boundary.cuts, CUTS),
                ))
            })
            .collect(),
        edits: order
            .iter()
            .filter_map(|entry| {
                let edit = fact(entry).edit?;
                Some((numbers.of(*entry), numbers.or_none(edit.target), u32::from(!edit.omit)))
            })
            .collect(),
        notes: numbered(order.iter().map(|entry| {
            let note = fact(entry).note.as_ref()?;
            Some((role(note, &mut roles), u32::from(note.sent)))
        })),
        calls: numbered(order.iter().map(|entry| {
            let ids = &fact(entry).message.as_ref()?.calls;
            let ids: Vec<usize> = ids.iter().map(|id| calls.number(id.as_ref())).collect();
            (!ids.is_empty()).then_some(ids)
        })),
        answers: numbered(
            order
                .iter()
                .map(|entry| Some(calls.number(fact(entry).message.as_ref()?.answers.as_deref()?))),
        ),
        roles: roles.values,
        models: models.values,
    }
}

fn flags(message: &EntryEffect<'_>) -> u32 {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    bit(message.sent, SENT)
        | bit(message.hidden, HIDDEN)
        | bit(message.system, SYSTEM)
        | bit(message.replaceable, REPLACEABLE)
        | bit(message.never, NEVER)
        | bit(message.prompt, PROMPT_MESSAGE)
        | bit(message.failed, FAILED_TURN)
        | bit(message.thought, THOUGHT)
        | bit(message.speaks, SPEAKS)
        | bit(message.paired, PAIRED)
        | bit(message.aside, ASIDE)
}
