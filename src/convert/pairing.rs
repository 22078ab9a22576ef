//! After reading: gives every call a unique id, and every result the id and name of its call (Q87, Q112, Q173, Q174).

use super::ids::{self, Accepted, UsedIds};
use super::new_ids::id_at;
use crate::call_ids::{self, IdMaker};
use crate::format::Layout;
use crate::model::{Call, Message, Request, Response, ToolResult};
use crate::run::{Dialect, Queues, Run, WarningCode};
use crate::value::{Value, Word, keyed::pair};

/// A call of the current turn.
struct OpenCall {
    /// The id on the wire, which results refer to.
    wire_id: Value,
    id: Value,
    name: Value,
}

/// Calls by id. Calls with the same id are distinguished by name, then by order.
#[derive(Default)]
pub struct ById {
    /// The id and name of each call.
    calls: Vec<(Value, Value)>,
    answered: Vec<bool>,
    /// All calls before this index have results.
    first_open: usize,
    /// By id. Filled when a result is not in call order.
    all: Queues,
    has_twins: bool,
    /// By id and name. Filled when an id occurs twice.
    named: Queues,
}

impl ById {
    pub fn clear(&mut self) {
        self.calls.clear();
        self.answered.clear();
        self.first_open = 0;
        self.all.clear();
        self.has_twins = false;
        self.named.clear();
    }

    pub fn add(&mut self, id: Value, name: Value) {
        self.calls.push((id, name));
        self.answered.push(false);
    }

    /// The call of a result: the first matching one without a result, else any matching one.
    pub fn answer(&mut self, run: &mut Run, id: Value, name: Value) -> Option<usize> {
        let index = self.next_in_order(run, id, name).or_else(|| self.look_up(run, id, name))?;
        self.is_answered(index);
        Some(index)
    }

    /// The first call without a result, if it matches: results are usually in call order.
    fn next_in_order(&self, run: &mut Run, id: Value, name: Value) -> Option<usize> {
        let (next_id, next_name) = *self.calls.get(self.first_open)?;
        let is_same = |run: &mut Run, left, right| left == right || run.store.same(left, right);
        let is_next = is_same(run, next_id, id) && (run.store.is_empty(name) || is_same(run, next_name, name));
        is_next.then_some(self.first_open)
    }

    fn look_up(&mut self, run: &Run, id: Value, name: Value) -> Option<usize> {
        self.fill(run);
        let named = if self.has_twins { self.next_named(run, id, name) } else { None };
        named.or_else(|| self.next(run, id)).or_else(|| self.all.last(run.store.text(id).as_bytes()))
    }

    fn next_named(&mut self, run: &Run, id: Value, name: Value) -> Option<usize> {
        for (id, name) in self.calls.iter().skip(self.named.len()) {
            self.named.add(&with_name(run, *id, *name));
        }
        let key = with_name(run, id, name);
        self.named.next(&key, &self.answered).or_else(|| self.named.last(&key))
    }

    fn fill(&mut self, run: &Run) {
        for (id, _) in self.calls.iter().skip(self.all.len()) {
            self.has_twins |= !self.all.add(run.store.text(*id).as_bytes());
        }
    }

    fn next(&mut self, run: &Run, id: Value) -> Option<usize> {
        self.fill(run);
        self.all.next(run.store.text(id).as_bytes(), &self.answered)
    }

    fn is_answered(&mut self, index: usize) {
        if let Some(answered) = self.answered.get_mut(index) {
            *answered = true;
        }
        while self.answered.get(self.first_open).is_some_and(|answered| *answered) {
            self.first_open += 1;
        }
    }
}

fn with_name(run: &Run, id: Value, name: Value) -> Vec<u8> {
    pair(&run.store.text(id), &run.store.text(name))
}

/// The calls of the current turn, by the ids and names in results.
#[derive(Default)]
struct Turn {
    calls: Vec<OpenCall>,
    by_id: ById,
    /// Filled when a result has no id.
    by_name: Queues,
}

impl Turn {
    fn start(&mut self) {
        self.calls.clear();
        self.by_id.clear();
        self.by_name.clear();
    }

    fn add(&mut self, wire_id: Value, call: &Call) {
        self.by_id.add(wire_id, call.name);
        self.calls.push(OpenCall { wire_id, id: call.id, name: call.name });
    }

    /// The call of a result: by id; for a result without an id, by name and order (Q86).
    fn answer(&mut self, run: &mut Run, id: Value, name: Value) -> Option<&OpenCall> {
        let index = if !run.store.is_empty(id) {
            self.by_id.answer(run, id, name)
        } else if run.store.is_empty(name) {
            // some servers send empty ids, and results return them without a name; without any id, the order decides
            self.by_id.next(run, id).or_else(|| self.by_id.answered.iter().position(|answered| !answered))
        } else {
            for call in self.calls.iter().skip(self.by_name.len()) {
                self.by_name.add(run.store.text(call.name).as_bytes());
            }
            self.by_name.next(run.store.text(name).as_bytes(), &self.by_id.answered)
        }?;
        self.by_id.is_answered(index);
        self.calls.get(index)
    }
}

/// Completes the ids and names in a request.
pub fn complete(run: &mut Run, request: &mut Request) {
    let mut used = UsedIds::default();
    let mut turn = Turn::default();
    let mut in_turn = false;
    for (index, message) in request.messages.iter_mut().enumerate() {
        let continues = std::mem::replace(&mut in_turn, matches!(message, Message::Assistant(_)));
        match message {
            Message::Assistant(assistant) => {
                // several assistant messages may be one turn (Q99)
                if !continues {
                    turn.start();
                }
                let seed = Seed::Position(index);
                for (ordinal, call) in assistant.calls_mut().enumerate() {
                    let wire_id = call.id;
                    complete_call(run, call, &seed, ordinal, &mut used);
                    turn.add(wire_id, call);
                }
            }
            Message::Tool(result) => match turn.answer(run, result.id, result.name) {
                Some(open) => {
                    let unnamed = run.store.is_empty(result.id) && !run.store.is_empty(open.wire_id);
                    if unnamed && run.route.from != Dialect::Canonical {
                        let omitted = run.store.word_value(Word::omitted);
                        result.metadata.add_form(Word::id, omitted);
                    }
                    result.id = open.id;
                    let name = open.name;
                    if run.store.is_empty(result.name) {
                        result.name = name;
                    }
                    note_stated_name(run, result, name);
                }
                None if run.store.is_empty(result.id) => {
                    let id = IdMaker::new("result", index).text(&run.store.text(result.name)).finish();
                    result.id = run.store.string(&id);
                }
                None => {}
            },
            Message::System(_) | Message::User(_) => {}
        }
    }
}

/// Notes that a client of Chat Completions stated the name of the call in its result, which is nothing of its own: the call has it.
fn note_stated_name(run: &mut Run, result: &mut ToolResult, name: Value) {
    let stated = result.metadata.family_field(Word::name);
    if run.route.from.format().layout == Some(Layout::Nested)
        && stated.is_some_and(|stated| run.store.same(stated, name))
    {
        result.metadata.set_family_field(Word::name, None);
        result.metadata.add_form(Word::name, run.store.boolean_value(true));
    }
}

/// What generated ids are hashed from, apart from the call itself.
pub enum Seed {
    /// The id of the response or the caller's `idSeed`, which is unique in the conversation.
    Response(String),
    /// Neither is known: ids are hashed from the arguments too.
    Unknown,
    /// The index of the message in a request.
    Position(usize),
}

impl Seed {
    /// The seed for a response: its id, else the caller's `idSeed`.
    pub fn of_response(run: &Run, id: Option<Value>) -> Seed {
        let id = id.filter(|id| !run.store.is_empty(*id)).map(|id| run.store.owned_text(id));
        id.or_else(|| run.options.id_seed.clone()).map_or(Seed::Unknown, Seed::Response)
    }

    fn make_id(&self, run: &mut Run, ordinal: usize, call: &Call) -> String {
        match self {
            Seed::Response(seed) => call_ids::made(seed, ordinal, &run.store.text(call.name)),
            Seed::Unknown => ids::made_with_arguments(run, "", ordinal, call),
            Seed::Position(index) => ids::made_with_arguments(run, &format!("position {index}"), ordinal, call),
        }
    }
}

/// Completes the ids of a response's calls. A streamed response gets the same ids.
pub fn complete_response(run: &mut Run, response: &mut Response) {
    let seed = Seed::of_response(run, response.id);
    complete_calls(run, response.message.calls_mut(), &seed);
}

/// Completes the ids of the calls of one message.
pub fn complete_calls<'a>(run: &mut Run, calls: impl Iterator<Item = &'a mut Call>, seed: &Seed)
where
    Value: 'a,
{
    let mut used = UsedIds::default();
    for (ordinal, call) in calls.enumerate() {
        complete_call(run, call, seed, ordinal, &mut used);
    }
}

/// Generates an id that the target accepts, if there is none. A duplicate id from a provider is replaced, and a form keeps the original.
pub fn complete_call(run: &mut Run, call: &mut Call, seed: &Seed, ordinal: usize, used: &mut UsedIds) {
    let accepted = Accepted::by_target(&run.route);
    if run.store.is_empty(call.id) {
        let made = seed.make_id(run, ordinal, call);
        let id = used.take_accepted(accepted, &made).unwrap_or(made);
        call.id = run.store.string(&id);
        return;
    }
    if !run.route.is_from_provider() || used.take(&run.store.text(call.id)) {
        return;
    }
    if run.route.restores_ids() {
        call.metadata.add_form(Word::id, call.id);
    } else {
        let at = id_at(run, call);
        run.warn(WarningCode::IdRewritten, at, "another call has this id: this call and its result get a new one");
    }
    let id = used.take_replacement(accepted, &run.store.text(call.id));
    call.id = run.store.string(&id);
}
