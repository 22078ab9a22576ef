//! Gives calls of a stream the names and ids that they would have in a whole response (`convert/pairing`, `convert/context`, `convert/turns`).

use crate::convert::ids::UsedIds;
use crate::convert::pairing::{self, Seed};
use crate::convert::{context, leave, new_ids, signatures};
use crate::dialect::shared::stream::UnderWay;
use crate::model::{Arguments, Block, Call, CallStart, Event, Start};
use crate::run::{Options, Run};
use crate::value::Word;

/// The identity of a call, from its start event.
struct Identity {
    /// The id as the reader of a whole response would assign it.
    id: String,
    /// The id that the target gets.
    target_id: String,
    target_name: String,
    /// Whether the client has the call's signature.
    carries: bool,
}

/// The calls of one streamed response.
pub struct Identities {
    seed: Seed,
    ordinal: usize,
    used: UsedIds,
    used_on_target: UsedIds,
    open: UnderWay<Identity>,
}

impl Identities {
    pub fn new(options: &Options) -> Identities {
        let seed = options.id_seed.clone().map_or(Seed::Unknown, Seed::Response);
        Identities {
            seed,
            ordinal: 0,
            used: UsedIds::default(),
            used_on_target: UsedIds::default(),
            open: UnderWay::default(),
        }
    }

    /// Sets the names and ids of the calls among the events of one wire event.
    pub fn apply(&mut self, run: &mut Run, events: &mut Vec<Event>) {
        let mut sealed = Vec::new();
        for index in 0..events.len() {
            let (before, after) = events.split_at_mut(index + 1);
            let Some(event) = before.last_mut() else { continue };
            leave(run, event);
            match event {
                Event::Start(Start { id, .. }) => self.seed = Seed::of_response(run, *id),
                Event::CallStart(CallStart { at, block, id, name, metadata }) => {
                    let arguments = arguments_of(run, after, *block);
                    let call = Call { at: *at, id: *id, name: *name, arguments, metadata: metadata.clone() };
                    let (call, state) = self.begin(run, *block, call);
                    sealed.extend(state.map(|value| (index, Event::Block { block: *block, value })));
                    (*id, *name, *metadata) = (call.id, call.name, call.metadata);
                }
                Event::CallEnd { block, call } => {
                    // a signature that comes after the start of its call
                    let state = self.finish(run, *block, call);
                    sealed.extend(state.map(|value| (index + 1, Event::Block { block: *block, value })));
                }
                Event::TextDelta { .. }
                | Event::RefusalDelta { .. }
                | Event::ReasoningDelta { .. }
                | Event::ReasoningEnd { .. }
                | Event::CallDelta { .. }
                | Event::Block { .. }
                | Event::Usage(_)
                | Event::Finish(_)
                | Event::Error(_)
                | Event::Native(_)
                | Event::State { .. } => {}
            }
        }
        for (index, event) in sealed.into_iter().rev() {
            events.insert(index, event);
        }
    }

    /// Begins a call. Returns it with the block that has its state.
    fn begin(&mut self, run: &mut Run, block: u32, mut call: Call) -> (Call, Option<Block>) {
        pairing::complete_call(run, &mut call, &self.seed, self.ordinal, &mut self.used);
        self.ordinal += 1;
        let id = run.store.owned_text(call.id);
        context::restore_begun(run, &mut call);
        let was_signed = call.metadata.thought_signature().is_some();
        if run.route.is_to_provider() {
            new_ids::assign_response_id(run, &mut call, &mut self.used_on_target);
        }
        let state = signatures::seal(run, &mut call);
        let target_id = run.store.owned_text(call.id);
        let target_name = run.store.owned_text(call.name);
        let carries = was_signed && call.metadata.thought_signature().is_none();
        self.open.begin(block, Identity { id, target_id, target_name, carries });
        (call, state)
    }

    /// Ends a call. Returns the block that has its state, unless that came before.
    fn finish(&mut self, run: &mut Run, block: u32, call: &mut Call) -> Option<Block> {
        let begun = self.open.end_latest(block)?;
        let differs = *run.store.text(call.id) != *begun.id;
        if differs && !run.store.is_empty(call.id) && run.route.restores_ids() {
            call.metadata.add_form(Word::id, call.id);
        }
        context::restore_call(run, call);
        call.id = run.store.string(&begun.target_id);
        call.name = run.store.string(&begun.target_name);
        if begun.carries {
            call.metadata.forget_thought_signature();
        }
        signatures::end(run, call, begun.carries);
        signatures::seal(run, call)
    }
}

/// The arguments of a call that comes in one piece: a generated id may depend on them.
fn arguments_of(run: &mut Run, events: &[Event], block: u32) -> Arguments {
    let whole = events.iter().find_map(|event| match event {
        Event::CallEnd { block: other, call } if *other == block => Some(call.arguments.clone()),
        _ => None,
    });
    whole.unwrap_or_else(|| Arguments::Object { value: run.store.empty_object(), raw: None })
}
