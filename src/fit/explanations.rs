//! Why a response was refused, in words. Each format has its own place for it: OpenAI's a refusal in the message, Anthropic's `stop_details`, Google's
//! `finishMessage` (WIRE §10.4).

use crate::format::Explains;
use crate::model::{Block, Content, End, Event, Finish, Metadata, Response, Start};
use crate::run::{At, Key, Made, Member, Run, WarningCode};
use crate::value::text::unescaped;
use crate::value::{Kind, Value, Word};

/// Where the formats have an explanation, below the metadata of a response.
const PLACES: &[&[Word]] = &[
    &[Word::stop_details, Word::explanation],
    // without a sentence, the category states it
    &[Word::stop_details, Word::category],
    &[Word::finishMessage],
    &[Word::candidate, Word::finishMessage],
    &[Word::promptFeedback, Word::blockReasonMessage],
];

const NO_PLACE: &str = "the target has no place for why a response was refused";

/// Takes the explanation of a whole response to the target's place for it.
pub fn carry(run: &mut Run, response: &mut Response) {
    if !is_refused(response.finish) {
        return;
    }
    let place = run.route.to.format().explains;
    let taken = take(run, &mut response.metadata, response.at);
    if place == Explains::InMessage {
        if let Some((text, at)) = taken {
            let content = std::mem::replace(&mut response.message.content, Content::Blocks(Vec::new()));
            let mut blocks = content.into_blocks();
            blocks.push(Block::Refusal { at, text, metadata: Metadata::default() });
            response.message.content = Content::Blocks(blocks);
            // the provider refused, not the model in its message
            response.finish = Finish::ContentFilter;
        }
        return;
    }
    let text = taken.map(|(text, at)| {
        warn_unless_placed(run, at);
        text
    });
    if let Some(text) = text.or_else(|| refusal(run, response)) {
        put(run, &mut response.metadata, text);
    }
}

fn is_refused(finish: Finish) -> bool {
    matches!(finish, Finish::Refusal | Finish::ContentFilter)
}

fn warn_unless_placed(run: &mut Run, at: At) {
    if run.route.to.format().explains == Explains::Never {
        run.warn(WarningCode::FieldDropped, at, NO_PLACE);
    }
}

/// The refusals in a message as one text.
fn refusal(run: &mut Run, response: &Response) -> Option<Value> {
    let texts = response.message.blocks().iter().filter_map(|block| match block {
        Block::Refusal { text, .. } => Some(*text),
        _ => None,
    });
    match texts.collect::<Vec<Value>>().as_slice() {
        [] => None,
        [only] => Some(*only),
        texts => Some(run.store.join(texts)),
    }
}

/// Adds an explanation to the metadata of a response, in the field that the target has for it.
fn put(run: &mut Run, metadata: &mut Metadata, text: Value) {
    match run.route.to.format().explains {
        Explains::Never | Explains::InMessage => {}
        Explains::Details(word) => {
            let details = run.build_object(|run, details| {
                details.word(run, Word::r#type, Word::refusal);
                details.null(run, Word::category);
                details.put(run, Word::explanation, text);
            });
            metadata.make(word, Made::Given(details));
        }
        Explains::Inside(outer, inner) => metadata.make(outer, Made::GivenInside(inner, text)),
    }
}

/// Takes an explanation out of what another format left behind.
fn take(run: &mut Run, metadata: &mut Metadata, at: At) -> Option<(Value, At)> {
    let parent = run.family_at(at);
    for member in metadata.left_mut() {
        let place = member.at.unwrap_or_else(|| run.down_key(parent, member.key));
        let mut paths = PLACES.iter().filter_map(|path| path.split_first());
        let found =
            paths.find_map(
                |(first, rest)| {
                    if *first == member.key.word() { take_below(run, member, rest, place) } else { None }
                },
            );
        if found.is_some() {
            return found;
        }
    }
    for entry in metadata.others_mut() {
        let place = run.entry_at(at, entry.key);
        let found = PLACES.iter().find_map(|path| take_below(run, entry, path, place));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Takes a text at a path below a member.
fn take_below(run: &mut Run, member: &mut Member, path: &[Word], at: At) -> Option<(Value, At)> {
    let (mut text, mut place) = (member.value, at);
    for word in path {
        text = run.field(text, *word)?;
        place = run.down(place, *word);
    }
    if run.store.kind(text) != Kind::String || run.store.is_empty(text) {
        return None;
    }
    member.value = without(run, member.value, path);
    Some((text, place))
}

/// An object without what is at a path, and without the types on the way.
fn without(run: &mut Run, object: Value, path: &[Word]) -> Value {
    let Some((first, rest)) = path.split_first() else { return run.store.empty_object() };
    let mut fields = run.members(object);
    fields.retain(|field| field.word != Word::r#type && (field.word != *first || !rest.is_empty()));
    for field in fields.iter_mut().filter(|field| field.word == *first) {
        field.value = without(run, field.value, rest);
    }
    run.build_object(|run, _| {
        for field in fields {
            run.put_key(Key::from(field));
            run.store.put(field.value);
        }
    })
}

/// The explanation of a streamed response, until its end.
#[derive(Default)]
pub struct Explained {
    text: String,
    /// Whether the last event was a piece of a refusal that the end will repeat.
    grows: bool,
}

impl Explained {
    /// Takes the explanation of a start, and notes a refusal in the message if the target has it in a field.
    pub fn note(&mut self, run: &mut Run, event: &mut Event) {
        self.grows = false;
        match event {
            Event::Start(Start { at, metadata, .. }) => self.take(run, metadata, *at),
            Event::RefusalDelta { text, .. } | Event::Block { value: Block::Refusal { text, .. }, .. } => {
                if matches!(run.route.to.format().explains, Explains::Details(_) | Explains::Inside(..)) {
                    self.text.push_str(&run.store.text(*text));
                    self.grows = true;
                }
            }
            _ => {}
        }
    }

    /// Records another piece of the last text: the content of a JSON string.
    pub fn repeat(&mut self, text: &[u8]) {
        if self.grows {
            self.text.push_str(&String::from_utf8_lossy(&unescaped(text)));
        }
    }

    fn take(&mut self, run: &mut Run, metadata: &mut Metadata, at: At) {
        if metadata.is_empty() {
            return;
        }
        if let Some((text, at)) = take(run, metadata, at) {
            warn_unless_placed(run, at);
            self.text = run.store.text(text).into_owned();
        }
    }

    /// States the explanation in the end of the response. Returns what is sent before it, if the target has explanations in the message.
    pub fn end(&mut self, run: &mut Run, end: &mut End) -> Option<Event> {
        if !is_refused(end.finish) {
            return None;
        }
        self.take(run, &mut end.metadata, end.at);
        if self.text.is_empty() {
            return None;
        }
        let text = run.store.string(&self.text);
        if run.route.to.format().explains != Explains::InMessage {
            put(run, &mut end.metadata, text);
            return None;
        }
        end.finish = Finish::ContentFilter;
        Some(Event::RefusalDelta { at: end.at, block: u32::MAX, text, metadata: Metadata::default() })
    }
}
