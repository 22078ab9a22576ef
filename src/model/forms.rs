//! Forms record a provider's own ways of writing: they have no meaning in another format.

use super::{
    Assistant, Block, CallStart, ChatError, Content, End, Event, Message, Metadata, Outcome, Request, Response, Start,
    Tool,
};

/// What has metadata with forms.
pub trait Formed {
    /// Drops the forms of the source, and marks its fields as those of another format.
    fn leave_format(&mut self);
}

impl Formed for Metadata {
    fn leave_format(&mut self) {
        Metadata::leave_format(self);
    }
}

impl Formed for ChatError {
    fn leave_format(&mut self) {
        self.metadata.leave_format();
    }
}

impl Formed for Request {
    fn leave_format(&mut self) {
        self.metadata.leave_format();
        for tool in self.tools.iter_mut().flatten() {
            match tool {
                Tool::Definition(definition) => definition.metadata.leave_format(),
                Tool::Native(native) => native.metadata.leave_format(),
            }
        }
        for message in &mut self.messages {
            match message {
                Message::System(prose) | Message::User(prose) => {
                    prose.metadata.leave_format();
                    in_content(&mut prose.content);
                }
                Message::Assistant(assistant) => in_assistant(assistant),
                Message::Tool(result) => {
                    result.metadata.leave_format();
                    if let Outcome::Multimodal { blocks, .. } = &mut result.outcome {
                        in_blocks(blocks);
                    }
                }
            }
        }
    }
}

impl Formed for Response {
    fn leave_format(&mut self) {
        self.metadata.leave_format();
        if let Some(usage) = &mut self.usage {
            usage.metadata.leave_format();
        }
        if let Some(error) = &mut self.error {
            error.metadata.leave_format();
        }
        in_assistant(&mut self.message);
    }
}

impl Formed for Event {
    fn leave_format(&mut self) {
        match self {
            Event::Start(Start { metadata, .. })
            | Event::TextDelta { metadata, .. }
            | Event::RefusalDelta { metadata, .. }
            | Event::ReasoningDelta { metadata, .. }
            | Event::CallStart(CallStart { metadata, .. })
            | Event::Finish(End { metadata, .. })
            | Event::State { metadata, .. } => metadata.leave_format(),
            Event::ReasoningEnd { reasoning, .. } => reasoning.metadata.leave_format(),
            Event::CallEnd { call, .. } => call.metadata.leave_format(),
            Event::Block { value, .. } => value.metadata_mut().leave_format(),
            Event::Usage(usage) => usage.metadata.leave_format(),
            Event::Native(native) => native.metadata.leave_format(),
            Event::Error(error) => error.metadata.leave_format(),
            Event::CallDelta { .. } => {}
        }
    }
}

fn in_assistant(assistant: &mut Assistant) {
    assistant.metadata.leave_format();
    in_content(&mut assistant.content);
    for call in &mut assistant.calls {
        call.metadata.leave_format();
    }
}

fn in_content(content: &mut Content) {
    if let Content::Blocks(blocks) = content {
        in_blocks(blocks);
    }
}

fn in_blocks(blocks: &mut [Block]) {
    for block in blocks {
        block.metadata_mut().leave_format();
    }
}
