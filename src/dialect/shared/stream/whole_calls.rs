//! Calls in a stream whose target needs them whole: they are written in the order in which they began.

use crate::run::{Result, Run};
use crate::value::Value;
use std::collections::VecDeque;

/// Calls that are not written yet. A call is written when it and those before it have ended.
#[derive(Default)]
pub struct WholeCalls(VecDeque<Begun>);

struct Begun {
    block: u32,
    /// The JSON text to write, once the call has ended.
    ended: Option<Vec<u8>>,
}

impl WholeCalls {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn begin(&mut self, block: u32) {
        self.0.push_back(Begun { block, ended: None });
    }

    /// Ends a call. Returns the calls that can be written now.
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

    /// Ends a call of a format that has all calls together, at the end of the response.
    pub fn hold(&mut self, run: &mut Run, block: u32, call: Value) -> Result<()> {
        let json = run.export(call)?;
        match self.0.iter_mut().find(|begun| begun.block == block && begun.ended.is_none()) {
            Some(begun) => begun.ended = Some(json),
            None => self.0.push_back(Begun { block, ended: Some(json) }),
        }
        Ok(())
    }

    /// Ends the response. Returns all calls that were not written.
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
