//! Writes items (WIRE §2.3–§2.5).

use super::items::{self, Level};
use super::messages::CALL_ID;
use super::outputs::OutputSchemas;
use super::parts::Holder;
use super::reasoning;
use super::write_parts::{write_output_part, write_part};
use super::write_results::{Answered, write_result};
use crate::dialect::shared::{arguments, freeform, openai_items};
use crate::fit::native;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Prose, Reasoning};
use crate::run::{At, Result, Run, SystemRole, WarningCode, Writing};
use crate::value::{Keyed, Value, Word};
use std::borrow::Cow;

/// Writes the items of a request. `schemas` are the output schemas of its tools.
pub fn write_list(run: &mut Run, messages: &[&Message], schemas: &OutputSchemas) -> Result<()> {
    let mut answered = Keyed::default();
    run.store.begin_array();
    for message in messages {
        match message {
            Message::System(prose) => write_prose(run, prose, Word::system),
            Message::User(prose) => write_prose(run, prose, Word::user),
            Message::Assistant(assistant) => {
                for call in assistant.calls() {
                    let is_freeform = freeform::input(run, call).is_some();
                    let gives = schemas.of_call(run, call).filter(|_| !is_freeform);
                    answered.insert(run.store.text(call.id).as_bytes(), Answered { is_freeform, gives });
                }
                Items::of_request().write(run, assistant)?;
            }
            Message::Tool(result) => {
                let answered = answered.get(run.store.text(result.id).as_bytes()).copied();
                write_result(run, result, answered)?;
            }
        }
    }
    run.store.end_array();
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) {
    let Prose { at, content, metadata } = prose;
    let role = match run.options.system_role {
        _ if role == Word::user => Word::user,
        _ if metadata.family_field(Word::role).is_some_and(|role| run.store.word(role) == Word::developer) => {
            Word::developer
        }
        SystemRole::Developer => Word::developer,
        SystemRole::System => Word::system,
    };
    match content {
        Content::Text(text, _) => {
            let mut object = begin_prose(run, role, metadata);
            object.put(run, Word::content, *text);
            end_item(run, object, metadata, *at);
        }
        Content::Blocks(blocks) => {
            let mut rest = Some(metadata);
            let mut parts: Vec<&Block> = Vec::new();
            for block in blocks {
                match block {
                    Block::Native(native) if items::place(run, native) == Some(Level::Item) => {
                        if !parts.is_empty() || rest.is_some() {
                            write_prose_parts(run, &std::mem::take(&mut parts), role, &mut rest, *at);
                        }
                        native::put(run, native);
                    }
                    block => parts.push(block),
                }
            }
            if !parts.is_empty() || blocks.is_empty() {
                write_prose_parts(run, &parts, role, &mut rest, *at);
            }
        }
    }
}

/// Writes a user or system message. The first of several gets the fields of the message.
fn write_prose_parts(run: &mut Run, parts: &[&Block], role: Word, rest: &mut Option<&Metadata>, at: At) {
    let none = Metadata::default();
    let metadata = rest.take().unwrap_or(&none);
    let mut object = begin_prose(run, role, metadata);
    object.each(run, Word::content, parts, |run, part| write_part(run, part, Holder::Message));
    end_item(run, object, metadata, at);
}

fn begin_prose(run: &mut Run, role: Word, metadata: &Metadata) -> Writing {
    let mut object = run.begin();
    object.option(run, Word::r#type, metadata.form(Word::r#type));
    object.word(run, Word::role, role);
    object
}

fn end_item(run: &mut Run, mut object: Writing, metadata: &Metadata, at: At) {
    put_item(run, &mut object, metadata, at);
    object.end(run, metadata, at);
}

/// Writes the id of an item, if OpenAI issued it, and its status at the start of the item (Q70).
fn put_own_id(run: &mut Run, object: &mut Writing, metadata: &Metadata) {
    let Some(item) = metadata.own_field(Word::item) else { return };
    let id = items::own_id(run, metadata);
    object.option(run, Word::id, id);
    if id.is_some() {
        let status = run.member(item, Word::status);
        object.option(run, Word::status, status);
    }
}

/// Writes the original fields of an item at its end; its id only if OpenAI issued it.
pub fn put_item(run: &mut Run, object: &mut Writing, metadata: &Metadata, at: At) {
    let Some(item) = metadata.own_field(Word::item) else { return };
    let is_made = items::own_id(run, metadata).is_none() && run.member(item, Word::id).is_some();
    if is_made {
        let at = run.family_at(at);
        let at = run.down(at, Word::item);
        run.warn(WarningCode::StateDropped, at, "this id was generated: OpenAI did not issue it");
        object.skip(run, Word::id);
        object.skip(run, Word::status);
    }
    object.add_nested(run, metadata, Word::item);
    object.skip(run, Word::item);
}

/// Writes the items of a response, or of the assistant's turn in a request. In responses, every item has an id and a status (Q178).
pub struct Items {
    /// The seed of ids, for the items of a response.
    answer: Option<String>,
    /// The last block of the current item.
    last: usize,
    /// The status of the last item, which may be incomplete.
    last_status: Word,
    count: usize,
    /// Number of items so far.
    written: usize,
}

impl Items {
    pub fn of_request() -> Items {
        Items { answer: None, last: 0, last_status: Word::completed, count: 0, written: 0 }
    }

    /// `answer`: the response's id. `is_whole`: whether the response is complete.
    pub fn of_answer(answer: String, is_whole: bool) -> Items {
        let last_status = if is_whole { Word::completed } else { Word::incomplete };
        Items { answer: Some(answer), last: 0, last_status, count: 0, written: 0 }
    }

    pub fn write(mut self, run: &mut Run, assistant: &Assistant) -> Result<()> {
        let Assistant { at, content, calls, metadata } = assistant;
        run.warn_metadata(metadata, *at);
        match content {
            Content::Text(text, text_at) => {
                let block = Block::Text { at: *text_at, text: *text, metadata: Metadata::default() };
                self.count = calls.len() + 1;
                if !run.store.is_empty(*text) || calls.is_empty() {
                    self.message(run, &[&block])?;
                }
            }
            Content::Blocks(blocks) => {
                self.count = blocks.len() + calls.len();
                self.blocks(run, blocks)?;
            }
        }
        for (index, call) in calls.iter().enumerate() {
            self.last = self.count - calls.len() + index;
            self.call(run, call)?;
        }
        if self.written == 0 && self.answer.is_none() {
            self.nothing(run);
        }
        Ok(())
    }

    /// Writes an assistant turn without content: the API rejects an input without items.
    fn nothing(&self, run: &mut Run) {
        let mut object = run.begin();
        object.word(run, Word::role, Word::assistant);
        object.text(run, Word::content, "");
        object.close(run);
    }

    fn blocks(&mut self, run: &mut Run, blocks: &[Block]) -> Result<()> {
        let mut parts: Vec<&Block> = Vec::new();
        let mut index = 0;
        while let Some(block) = blocks.get(index) {
            let at = index;
            let rest = blocks.get(index..).unwrap_or_default();
            index += 1;
            if is_part(run, block) {
                if starts_message(block) {
                    self.flush(run, &mut parts)?;
                }
                self.last = at;
                parts.push(block);
                continue;
            }
            self.flush(run, &mut parts)?;
            match block {
                Block::Native(native) => {
                    self.written += 1;
                    native::put(run, native);
                }
                Block::Reasoning(_) => {
                    let item = reasoning::item(rest);
                    index += item.len().saturating_sub(1);
                    self.last = at;
                    self.reasoning(run, &item);
                }
                Block::Call(call) => {
                    self.last = at;
                    self.call(run, call)?;
                }
                Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. } | Block::Media(_) => {}
            }
        }
        self.flush(run, &mut parts)
    }

    fn flush(&mut self, run: &mut Run, parts: &mut Vec<&Block>) -> Result<()> {
        if !parts.is_empty() {
            self.message(run, parts)?;
            parts.clear();
        }
        Ok(())
    }

    /// Writes a message: as an output item if it has an id, otherwise in the form that requires none.
    fn message(&mut self, run: &mut Run, parts: &[&Block]) -> Result<()> {
        let Some(first) = parts.first() else { return Ok(()) };
        let metadata = first.metadata();
        let is_item = self.answer.is_some() || items::own_id(run, metadata).is_some();
        let mut object = run.begin();
        match metadata.form(Word::message) {
            Some(form) if run.store.word(form) == Word::omitted => {}
            Some(form) => object.put(run, Word::r#type, form),
            None if is_item => object.word(run, Word::r#type, Word::message),
            None => {}
        }
        self.put_identity(run, &mut object, metadata, "msg");
        object.word(run, Word::role, Word::assistant);
        let shape = metadata.form(Word::content).map(|form| run.store.word(form));
        let is_array = is_item && shape != Some(Word::text)
            || shape == Some(Word::parts)
            || parts.iter().any(|part| needs_array(part));
        if is_array {
            object.each(run, Word::content, parts, |run, part| write_output_part(run, part));
        } else {
            let text = joined(run, parts)?;
            object.put(run, Word::content, text);
        }
        put_item(run, &mut object, metadata, first.at());
        object.close(run);
        Ok(())
    }

    fn reasoning(&mut self, run: &mut Run, item: &[&Reasoning]) {
        let Some(first) = item.first() else { return };
        let mut object = run.begin();
        object.word(run, Word::r#type, Word::reasoning);
        self.put_identity(run, &mut object, &first.metadata, "rs");
        reasoning::write(run, &mut object, item);
        put_item(run, &mut object, &first.metadata, first.at);
        object.skip(run, Word::item);
        object.skip(run, Word::status);
        object.end(run, &first.metadata, first.at);
        for part in item.iter().skip(1) {
            run.warn_metadata(&part.metadata, part.at);
        }
    }

    fn call(&mut self, run: &mut Run, call: &Call) -> Result<()> {
        let Call { at, id, name, arguments: _, metadata } = call;
        let mut object = run.begin();
        let input = freeform::input(run, call);
        let kind = if input.is_some() { Word::custom_tool_call } else { Word::function_call };
        object.word(run, Word::r#type, kind);
        self.put_identity(run, &mut object, metadata, if input.is_some() { "ctc" } else { "fc" });
        CALL_ID.put(run, &mut object, *id, metadata);
        object.put(run, Word::name, *name);
        let namespace = items::restored_namespace(metadata);
        object.option(run, Word::namespace, namespace);
        match input {
            Some(input) => object.put(run, Word::input, input),
            None => arguments::put_as_text(run, &mut object, Word::arguments, call)?,
        }
        put_item(run, &mut object, metadata, *at);
        object.refuse_rest(run, (metadata, *at), Word::custom, Word::input);
        for word in [Word::id, Word::arguments, Word::item] {
            // the fields of its own item are written above
            if word != Word::item || metadata.own_field(Word::item).is_none() {
                object.refuse(run, (metadata, *at), word);
            }
            object.skip(run, word);
        }
        let mut rest = Cow::Borrowed(metadata);
        if namespace.is_some() {
            rest.to_mut().retain_family(&mut |member| !items::is_restored(member));
        }
        object.end(run, &rest, *at);
        Ok(())
    }

    /// Writes the fields that identify an item. The items of a response get those that are required.
    fn put_identity(&mut self, run: &mut Run, object: &mut Writing, metadata: &Metadata, kind: &str) {
        put_own_id(run, object, metadata);
        // a stream numbers items in the same way
        let index = self.written;
        self.written += 1;
        let has_item = metadata.own_field(Word::item).is_some();
        let Some(answer) = self.answer.as_ref().filter(|_| !has_item) else { return };
        let id = run.store.string(&openai_items::made_id(kind, answer, index));
        object.put(run, Word::id, id);
        if kind == "msg" || kind == "fc" {
            let is_last = self.last + 1 >= self.count;
            object.word(run, Word::status, if is_last { self.last_status } else { Word::completed });
        }
    }
}

/// Whether a block can only be written as a part of an array.
fn needs_array(block: &Block) -> bool {
    matches!(block, Block::Native(_) | Block::Media(_))
}

/// Whether a block belongs to a message.
fn is_part(run: &mut Run, block: &Block) -> bool {
    match block {
        Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. } => true,
        Block::Native(native) => items::place(run, native) == Some(Level::Part),
        Block::Media(_) => true,
        Block::Reasoning(_) | Block::Call(_) => false,
    }
}

/// Whether a block starts a message of its own; others are added to the previous one.
fn starts_message(block: &Block) -> bool {
    let metadata = block.metadata();
    let says = metadata.family_field(Word::item).is_some() || metadata.form(Word::content).is_some();
    says && !metadata.continues() && !needs_array(block)
}

/// The concatenation of several texts (Q117). A refusal without an id can only be written as text.
fn joined(run: &mut Run, parts: &[&Block]) -> Result<Value> {
    let mut texts = Vec::new();
    for part in parts {
        let metadata = part.metadata();
        let mut rest = metadata.clone();
        if metadata.own_field(Word::item).is_some() {
            rest.set_family_field(Word::item, None);
        }
        run.warn_metadata(&rest, part.at());
        match part {
            Block::Text { text, .. } => texts.push(*text),
            Block::Refusal { at, text, .. } => {
                run.warn(WarningCode::RefusalAsText, *at, "a refusal requires the id of its message");
                texts.push(*text);
            }
            Block::Data { .. } | Block::Media(_) | Block::Reasoning(_) | Block::Native(_) | Block::Call(_) => {}
        }
    }
    Ok(match texts.as_slice() {
        [one] => *one,
        many => run.store.join(many),
    })
}
