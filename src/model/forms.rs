//! Forms are a provider's own ways of writing: they mean nothing in another's format.

use super::{Assistant, Block, Content, Event, Message, Outcome, Request, Response, Tool};

impl Request {
    /// Forgets how the source wrote things.
    pub fn forget_forms(&mut self) {
        self.metadata.forget_forms();
        for tool in self.tools.iter_mut().flatten() {
            match tool {
                Tool::Definition(definition) => definition.metadata.forget_forms(),
                Tool::Native(native) => native.metadata.forget_forms(),
            }
        }
        for message in &mut self.messages {
            match message {
                Message::System(prose) | Message::User(prose) => {
                    prose.metadata.forget_forms();
                    in_content(&mut prose.content);
                }
                Message::Assistant(assistant) => in_assistant(assistant),
                Message::Tool(result) => {
                    result.metadata.forget_forms();
                    if let Outcome::Multimodal { blocks, .. } = &mut result.outcome {
                        in_blocks(blocks);
                    }
                }
            }
        }
    }
}

impl Response {
    /// Forgets how the source wrote things.
    pub fn forget_forms(&mut self) {
        self.metadata.forget_forms();
        if let Some(usage) = &mut self.usage {
            usage.metadata.forget_forms();
        }
        in_assistant(&mut self.message);
    }
}

impl Event {
    /// Forgets how the source wrote things.
    pub fn forget_forms(&mut self) {
        match self {
            Event::Start { metadata, .. }
            | Event::TextDelta { metadata, .. }
            | Event::RefusalDelta { metadata, .. }
            | Event::ReasoningDelta { metadata, .. }
            | Event::ReasoningEnd { metadata, .. }
            | Event::CallStart { metadata, .. }
            | Event::Finish { metadata, .. }
            | Event::State { metadata, .. } => metadata.forget_forms(),
            Event::CallEnd { call, .. } => call.metadata.forget_forms(),
            Event::Block { value, .. } => value.metadata_mut().forget_forms(),
            Event::Usage(usage) => usage.metadata.forget_forms(),
            Event::Native(native) => native.metadata.forget_forms(),
            Event::CallDelta { .. } | Event::Error(_) => {}
        }
    }
}

fn in_assistant(assistant: &mut Assistant) {
    assistant.metadata.forget_forms();
    in_content(&mut assistant.content);
    for call in &mut assistant.calls {
        call.metadata.forget_forms();
    }
}

fn in_content(content: &mut Content) {
    if let Content::Blocks(blocks) = content {
        in_blocks(blocks);
    }
}

fn in_blocks(blocks: &mut [Block]) {
    for block in blocks {
        block.metadata_mut().forget_forms();
    }
}
