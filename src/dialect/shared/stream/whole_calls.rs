//! Calls of a stream whose target takes them whole: they leave in the order in which they began.

use crate::run::{Result, Run};
use crate::value::Value;
use std::collections::VecDeque;

/// Calls that are not written yet. One leaves once it and those before it have ended.
#[derive(Default)]
pub struct WholeCalls(VecDeque<Begun>);

struct Begun {
    block: u32,
    /// What is to be written of it, once it has ended: a JSON text.
    ended: Option<Vec<u8>>,
}

impl WholeCalls {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn begin(&mut self, block: u32) {
        self.0.push_back(Begun { block, ended: None });
    }

    /// A call has ended: gives what may be written now.
    pub fn end(&mut self, run: &mut Run, block: u32, call: Value) -> Result<Vec<Value>> {
        match self.0.iter().position(|begun| begun.block == block && begun.ended.is_none()) {
            Some(position) if position > 0 => {
                let json = run.export(call)?;
                if let Some(begun) = self.0.get_mut(position) {
                    begun.ended = Some(json);
                }
                Ok(Vec::new())
            }
            first => {
                first.and_then(|_| self.0.pop_front());
                let mut calls = vec![call];
                self.release(run, false, &mut calls)?;
                Ok(calls)
            }
        }
    }

    /// The answer has ended: gives all that have not left yet.
    pub fn rest(&mut self, run: &mut Run) -> Result<Vec<Value>> {
        let mut calls = Vec::new();
        self.release(run, true, &mut calls)?;
        Ok(calls)
    }

    fn release(&mut self, run: &mut Run, all: bool, calls: &mut Vec<Value>) -> Result<()> {
        while self.0.front().is_some_and(|begun| all || begun.ended.is_some()) {
            if let Some(json) = self.0.pop_front().and_then(|begun| begun.ended) {
                calls.push(run.import(&json)?);
            }
        }
        Ok(())
    }
}
