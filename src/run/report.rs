//! What a conversion reports: warnings, and the error with which it fails.

use super::error::{self, Failed, Failure, ToolwireError};
use super::{At, Warning};
use crate::value::Value;

/// The warnings and errors of one conversion so far.
#[derive(Default)]
pub struct Report {
    pub warnings: Vec<Warning>,
    /// An error that occurred where none could be returned. The conversion fails with it at the end.
    failure: Failure,
    /// Members that cannot be read, and their positions. The conversion fails if the target needs one.
    unreadable: Vec<(Value, At)>,
}

/// The number of warnings at some point.
#[derive(Clone, Copy)]
pub struct Mark(usize);

impl Report {
    pub fn mark(&self) -> Mark {
        Mark(self.warnings.len())
    }

    /// Whether there are warnings after `mark`.
    pub fn has_more_than(&self, mark: Mark) -> bool {
        self.warnings.len() > mark.0
    }

    /// Removes the warnings after `mark`.
    pub fn forget_after(&mut self, mark: Mark) {
        self.warnings.truncate(mark.0);
    }

    /// Of the warnings after `mark`, keeps only the lossy ones: the loss of state was reported already.
    #[inline(never)]
    pub fn keep_lossy_after(&mut self, mark: Mark) {
        let more = self.warnings.split_off(mark.0);
        self.warnings.extend(more.into_iter().filter(Warning::lossy));
    }

    pub fn first_lossy(&self) -> Option<&Warning> {
        self.warnings.iter().find(|warning| warning.lossy())
    }

    /// Keeps the error that ends the conversion, unless there is an earlier one.
    pub fn fail(&self, error: Box<ToolwireError>) -> Failed {
        self.failure.keep(error)
    }

    /// The result of all steps. Fails if any step failed, even if later steps succeeded.
    pub fn outcome<T>(&self, outcome: super::Result<T>) -> error::Result<T> {
        self.failure.outcome(outcome)
    }

    /// Sets the error aside, for a step whose failure does not fail the conversion.
    pub(super) fn set_aside(&mut self) -> Failure {
        std::mem::take(&mut self.failure)
    }

    /// Restores the error that was set aside. Returns the result of the step.
    pub(super) fn restore<T>(&mut self, before: Failure, outcome: super::Result<T>) -> error::Result<T> {
        std::mem::replace(&mut self.failure, before).outcome(outcome)
    }

    pub(super) fn add_unreadable(&mut self, value: Value, at: At) {
        self.unreadable.push((value, at));
    }

    /// The position of a member that cannot be read.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn position_of(&self, value: Value) -> At {
        self.unreadable.iter().find(|(unreadable, _)| *unreadable == value).map_or(At::ROOT, |(_, at)| *at)
    }
}
