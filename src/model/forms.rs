//! Forms record a provider's own ways of writing: they have no meaning in another format.

use super::{
    Assistant, Block, CallStart, ChatError, Content, End, Event, Message, Metadata, Outcome, Request, Response, Start,
    Tool,
};
use crate::run::Leaves;

/// What has metadata with forms.
pub trait Formed {
    /// Leaves behind what only the format, or the provider, of the source understands.
    fn leave(&mut self, leaves: Leaves);
}

impl Formed for Metadata {
    fn leave(&mut self, leaves: Leaves) {
        Metadata::leave(self, leaves);
    }
}

impl Formed for ChatError {
    fn leave(&mut self, leaves: Leaves) {
        self.metadata.leave(leaves);
    }
}

impl Formed for Request {
    fn leave(&mut self, leaves: Leaves) {
        self.metadata.leave(leaves);
        for tool in self.tools.iter_mut().flatten() {
            match tool {
                Tool::Definition(definition) => definition.metadata.leave(leaves),
                Tool::Native(native) => native.metadata.leave(leaves),
            }
        }
        for message in &mut self.messages {
            match message {
                Message::System(prose) | Message::User(prose) => {
                    prose.metadata.leave(leaves);
                    in_content(&mut prose.content, leaves);
                }
                Message::Assistant(assistant) => in_assistant(assistant, leaves),
                Message::Tool(result) => {
                    result.metadata.leave(leaves);
                    if let Outcome::Multimodal { blocks, .. } = &mut result.outcome {
                        in_blocks(blocks, leaves);
                    }
                }
            }
        }
    }
}

impl Formed for Response {
    fn leave(&mut self, leaves: Leaves) {
        self.metadata.leave(leaves);
        if let Some(usage) = &mut self.usage {
            usage.metadata.leave(leaves);
        }
        if let Some(error) = &mut self.error {
            error.metadata.leave(leaves);
        }
        in_assistant(&mut self.message, leaves);
    }
}

impl Formed for Event {
    fn leave(&mut self, leaves: Leaves) {
        match self {
            Event::Start(Start { metadata, .. })
            | Event::TextDelta { metadata, .. }
            | Event::RefusalDelta { metadata, .. }
            | Event::ReasoningDelta { metadata, .. }
            | Event::CallStart(CallStart { metadata, .. })
            | Event::Finish(End { metadata, .. })
            | Event::State { metadata, .. } => metadata.leave(leaves),
            Event::ReasoningEnd { reasoning, .. } => reasoning.metadata.leave(leaves),
            Event::CallEnd { call, .. } => call.metadata.leave(leaves),
            Event::Block { value, .. } => value.metadata_mut().leave(leaves),
            Event::Usage(usage) => usage.metadata.leave(leaves),
            Event::Native(native) => native.metadata.leave(leaves),
            Event::Error(error) => error.metadata.leave(leaves),
            Event::CallDelta { .. } => {}
        }
    }
}

fn in_assistant(assistant: &mut Assistant, leaves: Leaves) {
    assistant.metadata.leave(leaves);
    in_content(&mut assistant.content, leaves);
    for call in &mut assistant.calls {
        call.metadata.leave(leaves);
    }
}

fn in_content(content: &mut Content, leaves: Leaves) {
    if let Content::Blocks(blocks) = content {
        in_blocks(blocks, leaves);
    }
}

fn in_blocks(blocks: &mut [Block], leaves: Leaves) {
    for block in blocks {
        block.metadata_mut().leave(leaves);
    }
}
