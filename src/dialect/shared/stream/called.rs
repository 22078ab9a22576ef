//! Open calls of a written stream in which one block comes after another, and whose arguments are pieces of an object.

use super::{Braces, Closing, Order, Output};
use crate::dialect::shared::arguments;
use crate::model::{Call, CallStart};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Keys, Value};

/// Writes the calls of such a stream.
pub trait WriteCalls {
    fn order(&mut self) -> &mut Order;
    fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()>;
    /// Writes a piece of the arguments: a string.
    fn arguments(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()>;

    fn call_delta(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let piece = self.order().piece(run, block, text);
        piece.map_or(Ok(()), |piece| self.arguments(run, block, piece, output))
    }

    fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        if self.order().calls.latest(block).is_none() {
            let Call { at, id, name, .. } = *call;
            self.call_start(run, &CallStart { at, block, id, name, metadata: call.metadata.clone() }, output)?;
        }
        let Some(called) = self.order().calls.end_latest(block) else { return Ok(()) };
        if called.end(run, call) {
            // clients parse the text, and empty text is not JSON
            let text = if self.order().events.arguments_are_text {
                arguments::text(run, call)?
            } else {
                let value = run.build(|run| arguments::put_object(run, call));
                run.json_text(value, call.at)?
            };
            self.arguments(run, block, text, output)?;
        }
        self.order().end(block, output);
        Ok(())
    }
}

impl Order {
    /// Begins the block of a call. `keys` are the fields of its metadata that its start has: the others are reported at its end.
    pub fn begin_call(
        &mut self,
        run: &mut Run,
        block: u32,
        (start, keys): (Value, Keys),
        output: &mut Output,
    ) -> Result<()> {
        self.calls.begin(block, Called { keys, arguments: ArgumentsSent::Nothing, space: String::new() });
        self.begin(run, block, Closing::Call(Braces::default()), start, output)
    }

    /// What is written of a piece of a call's arguments as it arrives.
    fn piece(&mut self, run: &mut Run, block: u32, piece: Value) -> Option<Value> {
        let (is_open, is_text) = (self.takes(block), self.events.arguments_are_text);
        let called = self.calls.latest_mut(block)?;
        let takes = called.takes(run, piece, is_open);
        match is_text {
            false => takes.then_some(piece),
            true if takes => Some(called.with_space(run, piece)),
            true => {
                called.keep_space(run, piece);
                None
            }
        }
    }

    /// Whether another delta of the call gives the same output apart from its text.
    pub(super) fn is_streamed_alone(&self, block: u32) -> bool {
        let is_streamed = |called: &Called| called.arguments == ArgumentsSent::Object;
        self.calls.latest(block).is_some_and(is_streamed) && self.is_alone(block)
    }
}

/// An open call.
pub struct Called {
    /// The fields that were written at its start.
    keys: Keys,
    arguments: ArgumentsSent,
    /// White space before the beginning of the arguments, which was not written.
    space: String,
}

/// How the arguments are written. Only text that begins as an object is written as it arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentsSent {
    Nothing,
    Object,
    Withheld,
}

impl Called {
    /// Keeps white space before the beginning of the arguments, which is a part of them where they are a text.
    fn keep_space(&mut self, run: &Run, piece: Value) {
        if self.arguments == ArgumentsSent::Nothing && run.is_blank(piece) {
            self.space.push_str(&run.store.text(piece));
        }
    }

    /// A piece with the white space before it that was kept.
    fn with_space(&mut self, run: &mut Run, piece: Value) -> Value {
        if self.space.is_empty() {
            return piece;
        }
        let whole = std::mem::take(&mut self.space) + &run.store.text(piece);
        run.store.string(&whole)
    }

    /// Whether a piece of the arguments is written as it arrives. `is_open`: whether its block takes more pieces.
    fn takes(&mut self, run: &mut Run, piece: Value, is_open: bool) -> bool {
        match self.arguments {
            ArgumentsSent::Withheld => false,
            ArgumentsSent::Nothing => match run.store.text(piece).trim_start().chars().next() {
                None => false,
                Some('{') => {
                    self.arguments = ArgumentsSent::Object;
                    true
                }
                Some(_) => {
                    self.arguments = ArgumentsSent::Withheld;
                    false
                }
            },
            ArgumentsSent::Object if !is_open => {
                if !run.is_blank(piece) {
                    run.warn(WarningCode::ContentDropped, At::ROOT, "the call's arguments were already complete");
                }
                false
            }
            ArgumentsSent::Object => !run.store.is_empty(piece),
        }
    }

    /// Reports the fields of the complete call that its start did not have. Returns whether its arguments are still to be written.
    fn end(self, run: &mut Run, call: &Call) -> bool {
        let mut rest = call.metadata.clone();
        rest.retain_family(&mut |member| !self.keys.has(run.key_text(member.key).as_bytes()));
        run.warn_metadata(&rest, call.at);
        self.arguments != ArgumentsSent::Object
    }
}
