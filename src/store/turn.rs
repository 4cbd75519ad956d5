//! A turn of the agent: the prompt, and what the model gets.

use serde_json::{Value, json};

use crate::session::convert::SentMessage;

use super::events::{AgentStart, AgentStarted};
use super::{Events, NewEntry, SessionStore, StoreError};
use crate::session::time::now;

impl SessionStore {
    /// Begins a turn: writes the prompt, then the messages that listeners add to it
    /// ([`Events::before_agent_start`]).
    ///
    /// # Errors
    /// Those of writing; what was written before stays.
    pub fn start_turn(
        &mut self,
        start: &AgentStart,
        events: &mut dyn Events,
    ) -> Result<AgentStarted, StoreError> {
        let mut content = vec![json!({"type": "text", "text": start.prompt})];
        content.extend(start.images.iter().cloned());
        let message = json!({"role": "user", "content": Value::Array(content), "timestamp": now()});
        let prompt_id = self.append_message(&message)?;
        let changes = events.before_agent_start(self, start);
        let messages = changes.messages.iter();
        let message_ids = messages.map(|entry| self.append(entry)).collect::<Result<_, _>>()?;
        let system_prompt = changes.system_prompt.unwrap_or_else(|| start.system_prompt.clone());
        Ok(AgentStarted { prompt_id, message_ids, system_prompt })
    }

    /// The messages for one call of the model, as listeners leave them ([`Events::context`]).
    /// Nothing is stored. [`SentMessage::for_model_of`] words them for the provider.
    pub fn messages_for_call<'s>(&'s self, events: &mut dyn Events) -> Vec<SentMessage<'s>> {
        let context = self.context();
        let messages = context.iter().flat_map(|context| &context.messages);
        let seen = messages.filter_map(|message| self.read_message(message)).collect();
        events.context(self, seen)
    }

    /// Flue's `session.shell`: a command that a program ran, as the exchange that the model would
    /// have had. Gives the ids of the prompt, the call and the result.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`]. Entries before the one that failed stay.
    pub fn append_shell(
        &mut self,
        command: &str,
        output: &str,
        is_error: bool,
    ) -> Result<[String; 3], StoreError> {
        let model = self.context().and_then(|context| context.model);
        let (provider, id) =
            model.as_ref().map_or(("shell", "shell"), |model| (&*model.provider, &*model.id));
        let nothing = json!({"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0,
            "totalTokens": 0,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}});
        let call_id = format!("shell-{}", self.len());
        let call = json!({"type": "toolCall", "id": call_id, "name": "bash",
            "arguments": {"command": command}});
        let time = now();
        let text = |text: &str| json!([{"type": "text", "text": text}]);
        let messages = [
            json!({"role": "user", "content": text(command), "timestamp": time}),
            json!({"role": "assistant", "content": [call], "api": "shell", "provider": provider,
                "model": id, "usage": nothing, "stopReason": "toolUse", "timestamp": time}),
            json!({"role": "toolResult", "toolCallId": call_id, "toolName": "bash",
                "content": text(output), "isError": is_error, "timestamp": time}),
        ];
        let [prompt, call, result] = messages.map(|message| NewEntry::message(&message));
        Ok([self.append(&prompt?)?, self.append(&call?)?, self.append(&result?)?])
    }
}
