//! Gives calls of a stream the names and ids that they would have in a whole response (`convert/pairing`, `convert/context`, `convert/turns`).

use crate::convert::ids::UsedIds;
use crate::convert::pairing::{self, Seed};
use crate::convert::{context, leave, signatures, turns};
use crate::dialect::shared::stream::UnderWay;
use crate::model::{Arguments, Call, CallStart, Event, Start};
use crate::run::{Options, Run};
use crate::value::Word;

/// The identity of a call, from its start event.
struct Identity {
    /// The id as the reader of a whole response would assign it.
    id: String,
    /// The id that the target gets.
    target_id: String,
    target_name: String,
    /// Whether the id carries the call's signature.
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
    pub fn apply(&mut self, run: &mut Run, events: &mut [Event]) {
        for index in 0..events.len() {
            let (before, after) = events.split_at_mut(index + 1);
            let Some(event) = before.last_mut() else { continue };
            leave(run, event);
            match event {
                Event::Start(Start { id, .. }) => self.seed = Seed::of_response(run, *id),
                Event::CallStart(CallStart { at, block, id, name, metadata }) => {
                    let arguments = arguments_of(run, after, *block);
                    let call = Call { at: *at, id: *id, name: *name, arguments, metadata: metadata.clone() };
                    let call = self.begin(run, *block, call);
                    (*id, *name, *metadata) = (call.id, call.name, call.metadata);
                }
                Event::CallEnd { block, call } => self.finish(run, *block, call),
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
    }

    fn begin(&mut self, run: &mut Run, block: u32, mut call: Call) -> Call {
        pairing::complete_call(run, &mut call, &self.seed, self.ordinal, &mut self.used);
        self.ordinal += 1;
        let id = run.store.owned_text(call.id);
        context::restore_begun(run, &mut call);
        let was_signed = call.metadata.thought_signature().is_some();
        if run.route.is_to_provider() {
            turns::assign_response_id(run, &mut call, &mut self.used_on_target);
        }
        let target_id = run.store.owned_text(call.id);
        let target_name = run.store.owned_text(call.name);
        let carries = was_signed && call.metadata.thought_signature().is_none();
        self.open.begin(block, Identity { id, target_id, target_name, carries });
        call
    }

    fn finish(&mut self, run: &mut Run, block: u32, call: &mut Call) {
        let Some(begun) = self.open.end_latest(block) else { return };
        let differs = *run.store.text(call.id) != *begun.id;
        if differs && !run.store.is_empty(call.id) && run.route.restores_ids() {
            call.metadata.add_form(Word::id, call.id);
        }
        context::restore_call(run, call);
        call.id = run.store.string(&begun.target_id);
        call.name = run.store.string(&begun.target_name);
        signatures::end(run, call, begun.carries);
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
