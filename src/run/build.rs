//! Builds values that are not part of the output yet.

use super::{At, Metadata, Result, Run, Writing};
use crate::value::Value;

impl Run<'_> {
    /// Builds a separate value.
    pub fn build(&mut self, write: impl FnOnce(&mut Self)) -> Value {
        self.store.start();
        write(self);
        self.store.finish()
    }

    /// Builds a separate object.
    pub fn build_object(&mut self, write: impl FnOnce(&mut Self, &mut Writing)) -> Value {
        self.build(|run| {
            let mut object = run.begin();
            write(run, &mut object);
            object.close(run);
        })
    }

    /// Builds a separate object with its metadata.
    pub fn build_with(&mut self, metadata: &Metadata, at: At, write: impl FnOnce(&mut Self, &mut Writing)) -> Value {
        self.build(|run| {
            let mut object = run.begin();
            write(run, &mut object);
            object.end(run, metadata, at);
        })
    }

    /// Builds a separate value. If a step fails, the store stays consistent.
    pub fn try_build(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<Value> {
        let from = self.start_value();
        let written = write(self);
        let value = self.finish_value(from);
        written.map(|()| value)
    }

    #[inline(never)]
    fn start_value(&mut self) -> usize {
        self.store.start();
        self.building.mark()
    }

    /// Finishes a value in which a failed step may have left objects open.
    #[inline(never)]
    fn finish_value(&mut self, from: usize) -> Value {
        self.building.close_after(from);
        self.store.finish()
    }

    /// Like [`Run::try_build`], for an array whose elements `write` puts.
    pub fn try_build_array(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<Value> {
        self.try_build(|run| {
            run.store.begin_array();
            let written = write(run);
            run.store.end_array();
            written
        })
    }

    /// The fields of the family as an object.
    pub fn family_object(&mut self, metadata: &Metadata) -> Value {
        self.build(|run| {
            run.store.begin_object();
            run.put_members(metadata);
            run.store.end_object();
        })
    }

    /// Writes the fields of the family into the object that is open.
    pub fn put_members(&mut self, metadata: &Metadata) {
        for member in metadata.family_fields() {
            self.put_key(member.key);
            self.store.put(member.value);
        }
    }

    /// Writes an array: `write` writes an item's element.
    pub fn put_each<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.store.begin_array();
        items.into_iter().for_each(|item| write(self, item));
        self.store.end_array();
    }

    /// As [`Run::put_each`], for elements that can fail.
    pub fn try_put_each<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        self.store.begin_array();
        let written = items.into_iter().try_for_each(|item| write(self, item));
        self.store.end_array();
        written
    }
}
