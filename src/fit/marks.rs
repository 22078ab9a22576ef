//! Marks of what may be cached, which a request in Anthropic's or Bedrock's format has, for targets of other formats: each other, servers that accept
//! Anthropic's marks, and OpenAI's models with marks of their own. Elsewhere they are dropped as bookkeeping.

use crate::model::{Assistant, Block, Content, Message, Metadata, Outcome, Prose, Request, Tool, ToolResult};
use crate::run::{At, Key, Made, Run, WarningCode};
use crate::value::{Value, Word};

/// How the target marks what may be cached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// As Anthropic does, at everything.
    CacheControl,
    /// The same at servers of other formats, at texts and tools.
    Adopted,
    /// As Bedrock does: a block behind what may be cached, which is a field of that here (WIRE §5.9). Within results there is none.
    CachePoint,
    /// OpenAI's `prompt_cache_breakpoint`, at texts and media (WIRE §1.3).
    Breakpoint,
}

/// Keeps the marks of another provider's format in the target's way, if it has one.
pub fn keep(run: &mut Run, request: &mut Request) {
    let Some(marks) = marks_of_target(run, request) else { return drop_lists(run, request) };
    let in_tools = marks != Marks::CachePoint || request.settings.facts.cache_marks_in_tools != Some(false);
    if marks != Marks::Breakpoint && in_tools {
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

/// Makes a string of a marked text that is alone in its list. A client writes a string as soon as the mark has moved on, so the target, which caches
/// what begins with the same bytes, gets a string from the start.
fn drop_lists(run: &mut Run, request: &mut Request) {
    let is_from_openai = run.route.is_from_provider() && run.route.has_openai_fields();
    if is_from_openai || run.route.stays() || run.route.to.format().layout.is_none() {
        return;
    }
    for message in &mut request.messages {
        if let Message::System(prose) | Message::User(prose) = message
            && let Content::Blocks(blocks) = &mut prose.content
            && let [Block::Text { at, text, metadata }] = blocks.as_mut_slice()
            && take(run, (&mut metadata.clone(), *at), false).is_some()
        {
            run.warn_metadata(metadata, *at);
            prose.content = Content::Text(*text, *at);
        }
    }
}

fn marks_of_target(run: &Run, request: &Request) -> Option<Marks> {
    if run.route.has_target_facts() {
        return (run.route.target_facts().cache_marks == Some(true)).then_some(Marks::Adopted);
    }
    let format = run.route.to.format();
    match format.cache_mark {
        _ if run.route.stays() => {}
        Some(Word::cachePoint) => {
            return (request.settings.facts.cache_marks != Some(false)).then_some(Marks::CachePoint);
        }
        Some(_) => return Some(Marks::CacheControl),
        None => {}
    }
    let has_breakpoints = format.layout.is_some() && request.settings.facts.cache_marks == Some(true);
    (has_breakpoints && !run.route.stays_with_provider()).then_some(Marks::Breakpoint)
}

impl Marks {
    fn keep_in(self, run: &mut Run, message: &mut Message) {
        if let Message::System(prose) | Message::User(prose) = message
            && let Content::Text(text, at) = prose.content
        {
            let mut metadata = Metadata::default();
            if let Some(mark) = self.take(run, &mut prose.metadata, prose.at) {
                self.make(run, &mut metadata, mark);
                prose.content = Content::Blocks(vec![Block::Text { at, text, metadata }]);
            }
        }
        let blocks = match message {
            Message::System(Prose { content: Content::Blocks(blocks), .. })
            | Message::User(Prose { content: Content::Blocks(blocks), .. }) => blocks,
            Message::Assistant(Assistant { content, calls, .. }) => {
                if self.is_everywhere() {
                    calls.iter_mut().for_each(|call| self.keep(run, &mut call.metadata, call.at));
                }
                let Content::Blocks(blocks) = content else { return };
                blocks
            }
            Message::Tool(result) => return self.keep_in_result(run, result),
            Message::System(_) | Message::User(_) => return,
        };
        blocks.iter_mut().for_each(|block| self.keep_at(run, block));
    }

    fn keep_in_result(self, run: &mut Run, result: &mut ToolResult) {
        if self.is_everywhere() {
            self.keep(run, &mut result.metadata, result.at);
        }
        let Outcome::Multimodal { blocks, .. } = &mut result.outcome else { return };
        if self != Marks::CachePoint {
            return blocks.iter_mut().for_each(|block| self.keep_at(run, block));
        }
        for block in blocks {
            if result.metadata.made().iter().any(|(key, _)| *key == Word::cachePoint) {
                return;
            }
            let at = block.at();
            if let Some(mark) = self.take(run, block.metadata_mut(), at) {
                self.make(run, &mut result.metadata, mark);
            }
        }
    }

    /// Whether marks may be at everything that has metadata.
    fn is_everywhere(self) -> bool {
        matches!(self, Marks::CacheControl | Marks::CachePoint)
    }

    fn keep_at(self, run: &mut Run, block: &mut Block) {
        let has_marks = match block {
            Block::Text { .. } => true,
            Block::Media(_) => self != Marks::Adopted,
            Block::Call(_) => self.is_everywhere(),
            Block::Refusal { .. } | Block::Data { .. } | Block::Reasoning(_) | Block::Native(_) => false,
        };
        if has_marks {
            let at = block.at();
            self.keep(run, block.metadata_mut(), at);
        }
    }

    fn keep(self, run: &mut Run, metadata: &mut Metadata, at: At) {
        if let Some(mark) = self.take(run, metadata, at) {
            self.make(run, metadata, mark);
        }
    }

    /// The mark of another format, unless there is one of the target's.
    fn take(self, run: &mut Run, metadata: &mut Metadata, at: At) -> Option<Mark> {
        let own = match self {
            Marks::CacheControl | Marks::Adopted => Word::cache_control,
            Marks::CachePoint => Word::cachePoint,
            Marks::Breakpoint => Word::prompt_cache_breakpoint,
        };
        let mark = take(run, (metadata, at), self == Marks::CachePoint)?;
        metadata.own_field(own).is_none().then_some(mark)
    }

    fn make(self, run: &mut Run, metadata: &mut Metadata, Mark { key, value: mark, at }: Mark) {
        if key == Word::cache_control && matches!(self, Marks::CacheControl | Marks::Adopted) {
            return metadata.make(Word::cache_control, Made::Given(mark));
        }
        for field in run.members(mark).into_iter().filter(|field| !matches!(field.word, Word::r#type | Word::ttl)) {
            let at = run.down_key(at, Key::from(field));
            run.warn(WarningCode::FieldDropped, at, "the target's mark for the cache has no such field");
        }
        if self != Marks::Breakpoint {
            let ttl = run.member(mark, Word::ttl);
            let is_point = self == Marks::CachePoint;
            let made = run.build_object(|run, object| {
                object.word(run, Word::r#type, if is_point { Word::default } else { Word::ephemeral });
                object.option(run, Word::ttl, ttl);
            });
            let key = if is_point { Word::cachePoint } else { Word::cache_control };
            return metadata.make(key, Made::Given(made));
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

/// A mark, the key that its format has it under, and its place.
#[derive(Clone, Copy)]
struct Mark {
    key: Word,
    value: Value,
    at: At,
}

const KEYS: [Word; 2] = [Word::cache_control, Word::cachePoint];

/// Takes the mark of another provider's format at `at`, also if the request was in the canonical format before. `borrowed`: also those that clients of
/// OpenAI's formats borrow from Anthropic's.
fn take(run: &mut Run, (metadata, at): (&mut Metadata, At), borrowed: bool) -> Option<Mark> {
    if metadata.is_empty() {
        return None;
    }
    KEYS.into_iter().find_map(|key| {
        let (value, at) = run.take_foreign((metadata, at), (key, borrowed), |_, _| true)?;
        Some(Mark { key, value, at })
    })
}
