//! Marks of what may be cached, which a request in Anthropic's format has, for targets of other formats: servers that accept Anthropic's marks, and
//! OpenAI's models with marks of their own. Elsewhere they are dropped as bookkeeping.

use crate::model::{Assistant, Block, Content, Message, Metadata, Outcome, Prose, Request, Tool, ToolResult};
use crate::run::{At, Key, Made, Member, Provider, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// How the target marks what may be cached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// As Anthropic does, at texts and tools.
    CacheControl,
    /// OpenAI's `prompt_cache_breakpoint`, at texts and media (WIRE §1.3).
    Breakpoint,
}

/// Keeps the marks of another provider's format in the target's way, if it has one.
pub fn keep(run: &mut Run, request: &mut Request) {
    let Some(marks) = marks_of_target(run, request) else { return };
    if marks == Marks::CacheControl {
        for tool in request.tools.iter_mut().flatten() {
            if let Tool::Definition(definition) = tool {
                marks.keep(run, &mut definition.metadata, definition.at);
            }
        }
    }
    for message in &mut request.messages {
        marks.keep_in(run, message);
    }
}

fn marks_of_target(run: &Run, request: &Request) -> Option<Marks> {
    if run.route.has_target_facts() {
        return (run.route.target_facts().cache_marks == Some(true)).then_some(Marks::CacheControl);
    }
    let format = run.route.to.format();
    let has_breakpoints = format.layout.is_some() && request.settings.facts.cache_marks == Some(true);
    (has_breakpoints && !run.route.stays_with_provider()).then_some(Marks::Breakpoint)
}

impl Marks {
    fn keep_in(self, run: &mut Run, message: &mut Message) {
        if let Message::System(prose) | Message::User(prose) = message
            && let Content::Text(text, at) = prose.content
        {
            let mut metadata = Metadata::default();
            if let Some(mark) = take(run, &mut prose.metadata) {
                self.make(run, &mut metadata, (mark, prose.at));
                prose.content = Content::Blocks(vec![Block::Text { at, text, metadata }]);
            }
        }
        let blocks = match message {
            Message::System(Prose { content: Content::Blocks(blocks), .. })
            | Message::User(Prose { content: Content::Blocks(blocks), .. })
            | Message::Assistant(Assistant { content: Content::Blocks(blocks), .. })
            | Message::Tool(ToolResult { outcome: Outcome::Multimodal { blocks, .. }, .. }) => blocks,
            Message::System(_) | Message::User(_) | Message::Assistant(_) | Message::Tool(_) => return,
        };
        for block in blocks {
            match block {
                Block::Text { metadata, at, .. } => self.keep(run, metadata, *at),
                Block::Media(media) if self == Marks::Breakpoint => self.keep(run, &mut media.metadata, media.at),
                _ => {}
            }
        }
    }

    fn keep(self, run: &mut Run, metadata: &mut Metadata, at: At) {
        if let Some(mark) = take(run, metadata) {
            self.make(run, metadata, (mark, at));
        }
    }

    fn make(self, run: &mut Run, metadata: &mut Metadata, (mark, at): (Value, At)) {
        if self == Marks::CacheControl {
            return metadata.make(Word::cache_control, Made::Given(mark));
        }
        for field in run.members(mark).into_iter().filter(|field| !matches!(field.word, Word::r#type | Word::ttl)) {
            let at = run.down(at, Word::cache_control);
            let at = run.down_key(at, Key::from(field));
            run.warn(WarningCode::FieldDropped, at, "the target's mark for the cache has no such field");
        }
        // five minutes is less than the target's usual lifetime, an hour more
        let lasts = run.member(mark, Word::ttl).is_some_and(|ttl| run.store.word(ttl) == Word::one_hour);
        let breakpoint = run.build_object(|run, object| {
            object.word(run, Word::mode, Word::explicit);
            if lasts {
                object.word(run, Word::ttl, Word::twelve_hours);
            }
        });
        metadata.make(Word::prompt_cache_breakpoint, Made::Given(breakpoint));
    }
}

/// Takes the mark of another provider's format, also if the request was in the canonical format before.
fn take(run: &mut Run, metadata: &mut Metadata) -> Option<Value> {
    if let Some(mark) = metadata.take_left(Word::cache_control) {
        return Some(mark);
    }
    let is_providers = |member: &&mut Member| Provider::of(member.key.word()).is_some() && !member.has_openai_fields();
    for entry in metadata.others_mut().iter_mut().filter(is_providers) {
        if run.store.kind(entry.value) != Kind::Object {
            continue;
        }
        let Some(mark) = run.member(entry.value, Word::cache_control) else { continue };
        entry.value = run.without(entry.value, Word::cache_control);
        return Some(mark);
    }
    None
}
