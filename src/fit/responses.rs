//! Makes responses what clients of the target accept: fields that they require are added to a response that the target's own format did not write,
//! and its end is stated in the words of the target.

use super::echo;
use super::finish::{self, Ending, Reasons};
use crate::call_ids;
use crate::model::{Assistant, Block, ChatError, Content, End, Event, Member, Metadata, Response, Start, Usage};
use crate::run::{At, Fields, Made, Run, WarningCode};
use crate::value::{Keys, Kind, Value, Word};

/// What clients of a format require of every response.
pub struct Required {
    /// The form that marks responses of the format. None: all fields and forms of the provider are its own.
    pub mark: Option<Word>,
    pub id: Option<&'static str>,
    /// Responses of the format have no id.
    pub lacks_id: bool,
    /// Responses of the format do not name the model.
    pub lacks_model: bool,
    pub model: Option<&'static str>,
    /// Fields of the response, of the start of a streamed one, and of its end.
    pub fields: &'static Fields,
    pub start: &'static Fields,
    pub end: &'static Fields,
    /// Fields of a request that its response repeats.
    pub echoed: &'static [Word],
    /// Under which key the whole text is written once more.
    pub joined_text: Option<Word>,
    /// Fields of texts and calls.
    pub text: &'static Fields,
    pub call: &'static Fields,
    /// The event that begins a stream, with its type: a copied stream without one gets this.
    pub opening: Option<(Word, &'static [u8])>,
    pub counts: Counts,
    /// The reason of a failed response, and the message of its error if the input has none.
    pub failure: Option<(Word, &'static str)>,
    pub reasons: Option<&'static Reasons>,
}

/// Which counts clients require.
pub struct Counts {
    /// Whether there is always a usage.
    pub always: bool,
    /// The key of the usage, if it is null in a whole response without one.
    pub key: Option<Word>,
    /// Input and output.
    pub sums: bool,
    /// Cached tokens and reasoning.
    pub details: bool,
    pub fields: &'static Fields,
    /// Fields of the end of a streamed response without a usage, and of all others of other formats.
    pub missing: &'static Fields,
    pub end: &'static Fields,
}

impl Required {
    pub const NOTHING: Required = Required {
        mark: None,
        id: None,
        lacks_id: false,
        lacks_model: false,
        model: None,
        fields: &[],
        start: &[],
        end: &[],
        echoed: &[],
        joined_text: None,
        text: &[],
        call: &[],
        counts: Counts { key: None, always: false, sums: false, details: false, fields: &[], missing: &[], end: &[] },
        opening: None,
        failure: None,
        reasons: None,
    };

    /// Whether the target's own format wrote something with these metadata.
    fn wrote(&self, metadata: &Metadata) -> bool {
        self.mark.map_or(metadata.is_own(), |mark| metadata.form(mark).is_some())
    }
}

/// Completes a whole response.
pub fn complete(run: &mut Run, response: &mut Response, required: &Required) {
    let Some(reasons) = required.reasons else { return };
    let is_own = required.wrote(&response.metadata);
    drop_names(run, (&mut response.id, &mut response.model), response.at, required);
    let echo = if is_own { None } else { echo::read(run) };
    if !is_own {
        identify(run, &mut response.id, required.id);
        echo::name_model(run, &mut response.model, echo);
        name(run, &mut response.model, required.model);
        complete_message(run, &mut response.message, required);
        if required.counts.always {
            response.usage.get_or_insert_with(|| Usage::new(response.at));
        }
        if let Some(usage) = &mut response.usage {
            complete_counts(usage, &required.counts);
            make(run, &mut usage.metadata, required.counts.fields);
        }
    }
    let Response { message, metadata, finish, raw_finish, finish_at, usage, .. } = response;
    let is_void = message.blocks().is_empty() && message.calls.is_empty();
    let refuses = message.refuses();
    let ending = Ending {
        has_calls: message.has_calls(),
        has_refused: refuses,
        has_refusal: refuses,
        is_own,
        has_failed: false,
        is_blocked: is_void && reasons.is_instead(metadata),
    };
    *raw_finish = finish::fit(run, reasons, (*finish, *raw_finish, *finish_at), ending, metadata);
    if !is_own {
        if let Some(word) = required.counts.key.filter(|_| usage.is_none()) {
            metadata.make(word, Made::Null);
        }
        if let Some(word) = required.joined_text {
            let text = joined_text(run, message);
            metadata.make(word, Made::Given(text));
        }
        make_with(run, metadata, required.fields, echo);
        state_failure(run, response, required);
    }
}

/// The texts of a message as one.
fn joined_text(run: &mut Run, message: &Assistant) -> Value {
    let blocks = match &message.content {
        Content::Text(text, _) => return *text,
        Content::Blocks(blocks) => blocks,
    };
    let texts = blocks.iter().filter_map(|block| if let Block::Text { text, .. } = block { Some(*text) } else { None });
    let texts: Vec<Value> = texts.collect();
    match texts.as_slice() {
        [only] => *only,
        texts => run.store.join(texts),
    }
}

fn state_failure(run: &mut Run, response: &mut Response, required: &Required) {
    if let (Some((word, message)), Some(raw)) = (required.failure, response.raw_finish)
        && run.store.word(raw) == word
        && response.error.is_none()
    {
        let message = run.store.string(message);
        response.error = Some(ChatError::of_api(response.at, message));
    }
}

fn complete_message(run: &mut Run, message: &mut Assistant, required: &Required) {
    if required.text.is_empty() && required.call.is_empty() {
        return;
    }
    if let Content::Text(text, at) = message.content
        && !run.store.is_empty(text)
    {
        message.content = Content::Blocks(vec![Block::Text { at, text, metadata: Metadata::default() }]);
    }
    if let Content::Blocks(blocks) = &mut message.content {
        blocks.iter_mut().for_each(|block| complete_block(run, block, required));
    }
    message.calls.iter_mut().for_each(|call| make(run, &mut call.metadata, required.call));
}

fn complete_block(run: &mut Run, block: &mut Block, required: &Required) {
    match block {
        Block::Text { metadata, .. } => make(run, metadata, required.text),
        Block::Call(call) => make(run, &mut call.metadata, required.call),
        Block::Refusal { .. } | Block::Data { .. } | Block::Media(_) | Block::Reasoning(_) | Block::Native(_) => {}
    }
}

fn complete_counts(usage: &mut Usage, counts: &Counts) {
    let Usage { input, output, cached, cache_write, reasoning, .. } = usage;
    let sums = [input, output].into_iter().filter(|_| counts.sums);
    let details = [cached, cache_write, reasoning].into_iter().filter(|_| counts.details);
    for count in sums.chain(details) {
        count.get_or_insert(0.0);
    }
}

/// Drops the id and the model if responses of the target have none.
fn drop_names(run: &mut Run, (id, model): (&mut Option<Value>, &mut Option<Value>), at: At, required: &Required) {
    if required.lacks_id && id.take().is_some() {
        let at = run.down(at, run.route.from.format().response_id);
        run.warn(WarningCode::StateDropped, at, "responses of the target have no id");
    }
    if required.lacks_model && model.take().is_some() {
        run.warn(WarningCode::StateDropped, at, "responses of the target do not name the model");
    }
}

fn name(run: &mut Run, value: &mut Option<Value>, instead: Option<&str>) {
    if let (None, Some(instead)) = (&value, instead) {
        *value = Some(run.store.string(instead));
    }
}

/// Gives a response without an id one of its own if there is a seed: Claude Code joins all messages with the same id.
fn identify(run: &mut Run, id: &mut Option<Value>, instead: Option<&str>) {
    let prefix = instead.and_then(|instead| instead.strip_suffix("toolwire"));
    let made = prefix
        .zip(run.options.id_seed.as_deref())
        .map(|(prefix, seed)| prefix.to_owned() + &call_ids::of_response(seed));
    name(run, id, made.as_deref().or(instead));
}

/// Adds fields that are missing.
pub fn make(run: &mut Run, metadata: &mut Metadata, fields: &Fields) {
    make_with(run, metadata, fields, None);
}

/// As [`make`], with the values of the request that it repeats.
fn make_with(run: &mut Run, metadata: &mut Metadata, fields: &Fields, echo: Option<Value>) {
    for (word, made) in fields {
        if metadata.own_field(*word).is_none() && metadata.form(*word).is_none() {
            let made = match (echo.and_then(|echo| run.member(echo, *word)), *made) {
                (Some(value), _) => Made::Given(value),
                (None, Made::Time(other)) => Made::Number(take_time(run, metadata, [other, *word])),
                (None, made) => made,
            };
            metadata.make(*word, made);
        }
    }
}

/// When the response was created, in whole seconds, as another of OpenAI's formats has it: under another key, or with another provider.
fn take_time(run: &mut Run, metadata: &mut Metadata, keys: [Word; 2]) -> f64 {
    for key in keys {
        let stated = run.openai_field(metadata, key);
        if let Some(seconds) = stated.filter(|seconds| run.store.kind(*seconds) == Kind::Number) {
            metadata.set_family_field(key, None);
            metadata.take_left(key);
            return run.store.number(seconds).floor();
        }
    }
    run.options.context.as_ref().and_then(|context| context.time).map_or(0.0, f64::from)
}

/// The start of a streamed response without one.
pub fn missing_start(run: &mut Run, required: &Required) -> Start {
    let mut start = Start::missing();
    complete_start(run, &mut start, required);
    start
}

/// Completes streamed responses.
#[derive(Default)]
pub struct Streamed {
    ending: Ending,
    has_content: bool,
    has_usage: bool,
    /// The fields of the usage that another format wrote. Later events repeat them.
    counted: Keys,
}

impl Streamed {
    /// Completes an event, after the rest of it was fitted.
    pub fn complete(&mut self, run: &mut Run, event: &mut Event, required: &Required) {
        let Some(reasons) = required.reasons else { return };
        match event {
            Event::Start(start) => {
                self.note(&start.metadata, required, reasons);
                drop_names(run, (&mut start.id, &mut start.model), start.at, required);
                complete_start(run, start, required);
                drop_foreign(run, &mut start.metadata, start.at);
            }
            Event::State { at, metadata } => {
                self.note(metadata, required, reasons);
                drop_foreign(run, metadata, *at);
            }
            Event::Finish(end) => self.end(run, end, required, reasons),
            Event::Usage(usage) => {
                self.has_usage = true;
                let mut is_new = |member: &Member| self.counted.add(run.key_text(member.key).as_bytes());
                usage.metadata.retain_foreign(&mut |member| member.at.is_some() || is_new(member));
                if !self.ending.is_own {
                    complete_counts(usage, &required.counts);
                }
            }
            Event::Block { value, .. } => {
                self.has_content = true;
                self.ending.has_refusal |= matches!(value, Block::Refusal { .. });
                self.ending.has_calls |= matches!(value, Block::Call(_));
                complete_block(run, value, required);
            }
            Event::TextDelta { at, metadata, .. } | Event::ReasoningDelta { at, metadata, .. } => {
                self.has_content = true;
                drop_foreign(run, metadata, *at);
            }
            Event::RefusalDelta { at, text, metadata, .. } => {
                self.has_content = true;
                self.ending.has_refusal |= !run.store.is_empty(*text);
                drop_foreign(run, metadata, *at);
            }
            Event::CallStart(_) => (self.has_content, self.ending.has_calls) = (true, true),
            Event::Error(_) => self.ending.has_failed = true,
            Event::ReasoningEnd { .. } | Event::CallDelta { .. } | Event::CallEnd { .. } | Event::Native(_) => {}
        }
    }

    fn note(&mut self, metadata: &Metadata, required: &Required, reasons: &Reasons) {
        self.ending.is_own |= required.wrote(metadata);
        self.ending.is_blocked |= reasons.is_instead(metadata);
    }

    /// Records that the model refused, whatever becomes of its refusal.
    pub fn note_refusal(&mut self) {
        self.ending.has_refused = true;
    }

    fn end(&mut self, run: &mut Run, end: &mut End, required: &Required, reasons: &Reasons) {
        let End { at, finish, raw, metadata } = end;
        self.note(metadata, required, reasons);
        self.ending.is_blocked &= !self.has_content;
        *raw = finish::fit(run, reasons, (*finish, *raw, *at), self.ending, metadata);
        make(run, metadata, required.end);
        if !self.ending.is_own && !self.has_usage {
            make(run, metadata, required.counts.missing);
        }
        if !self.ending.is_own {
            make(run, metadata, required.counts.end);
        }
        drop_foreign(run, metadata, *at);
    }
}

fn complete_start(run: &mut Run, start: &mut Start, required: &Required) {
    let is_own = required.mark.is_some() && required.wrote(&start.metadata);
    let echo = if is_own { None } else { echo::read(run) };
    identify(run, &mut start.id, required.id);
    echo::name_model(run, &mut start.model, echo);
    name(run, &mut start.model, required.model);
    make_with(run, &mut start.metadata, if is_own { &[] } else { required.start }, echo);
}

/// Reports and drops what another format wrote: the target has no place for it.
fn drop_foreign(run: &mut Run, metadata: &mut Metadata, at: At) {
    if !metadata.is_empty() && !metadata.is_own() {
        run.warn_metadata(metadata, at);
        metadata.drop_read();
    }
}
