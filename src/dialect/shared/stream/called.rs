//! Open calls of a written stream whose arguments are pieces of an object, as in Anthropic's and Bedrock's formats.

use crate::model::Call;
use crate::run::{At, Run, WarningCode};
use crate::value::{Keys, Value};

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
    pub fn new(keys: Keys) -> Called {
        Called { keys, arguments: ArgumentsSent::Nothing, space: String::new() }
    }

    /// Whether its arguments are written as they arrive.
    pub fn is_streamed(&self) -> bool {
        self.arguments == ArgumentsSent::Object
    }

    /// Keeps white space before the beginning of the arguments, which is a part of them where they are a text.
    pub fn keep_space(&mut self, run: &Run, piece: Value) {
        if self.arguments == ArgumentsSent::Nothing && run.is_blank(piece) {
            self.space.push_str(&run.store.text(piece));
        }
    }

    /// A piece with the white space before it that was kept.
    pub fn with_space(&mut self, run: &mut Run, piece: Value) -> Value {
        if self.space.is_empty() {
            return piece;
        }
        let whole = std::mem::take(&mut self.space) + &run.store.text(piece);
        run.store.string(&whole)
    }

    /// Whether a piece of the arguments is written as it arrives. `is_open`: whether its block takes more pieces.
    pub fn takes(&mut self, run: &mut Run, piece: Value, is_open: bool) -> bool {
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
    pub fn end(self, run: &mut Run, call: &Call) -> bool {
        let mut rest = call.metadata.clone();
        rest.retain_family(&mut |member| !self.keys.has(run.key_text(member.key).as_bytes()));
        run.warn_metadata(&rest, call.at);
        !self.is_streamed()
    }
}
