//! Facts that outlive the text they were read from.

use std::borrow::Cow;

use super::fact::{Boundary, EntryEffect, Fact};
use crate::session::model::message::Model;

impl Fact<'_> {
    /// The same with texts of its own.
    pub(crate) fn into_owned(self) -> Fact<'static> {
        let pair = |(family, tier)| (owned(family), owned(tier));
        Fact {
            message: self.message.map(EntryEffect::into_owned),
            thinking: self.thinking.map(owned),
            model: self.model.map(model),
            model_holds: self.model_holds,
            role_model: self.role_model.map(|named| Box::new((owned(named.0), model(named.1)))),
            mode: self.mode.map(owned),
            tiers: self.tiers.map(|tiers| tiers.into_iter().map(pair).collect()),
            boundary: self.boundary.map(|boundary| Box::new(boundary.into_owned())),
            edit: self.edit,
            note: self.note.map(|note| Box::new(note.into_owned())),
        }
    }
}

impl EntryEffect<'_> {
    fn into_owned(self) -> EntryEffect<'static> {
        let EntryEffect { role, calls, answers, .. } = self;
        EntryEffect {
            role: owned(role),
            calls: calls.into_iter().map(owned).collect(),
            answers: answers.map(owned),
            ..self
        }
    }
}

impl Boundary<'_> {
    fn into_owned(self) -> Boundary<'static> {
        let Boundary { lead, provider, .. } = self;
        Boundary {
            lead: lead.into_iter().map(EntryEffect::into_owned).collect(),
            provider: provider.map(owned),
            ..self
        }
    }
}

fn model(model: Model<'_>) -> Model<'static> {
    Model { provider: owned(model.provider), id: owned(model.id) }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
