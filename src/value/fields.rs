//! The members of an object that is being read.

use super::Field;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// The members of an object in order. Conversions create hundreds of these, most of them small, so their memory is reused.
#[derive(Debug, Default)]
pub struct Fields(Vec<Field>);

/// Initial capacity: enough for nearly all objects.
const USUAL: usize = 12;
/// Maximum number of buffers that are kept for reuse, and their maximum capacity.
const MOST_KEPT: usize = 16;
const LARGEST_KEPT: usize = 64;

thread_local! {
    static FREE: RefCell<Vec<Vec<Field>>> = const { RefCell::new(Vec::new()) };
}

impl Fields {
    /// Reserves capacity for the members of most objects.
    pub fn roomy() -> Fields {
        let free = FREE.with_borrow_mut(Vec::pop);
        Fields(free.unwrap_or_else(|| Vec::with_capacity(USUAL)))
    }

    /// Takes a member out and keeps the order of the others. Moves them one at a time: there are few, and engines take longer for a bulk move.
    pub fn take(&mut self, index: usize) -> Option<Field> {
        self.0.get(index)?;
        let mut moved = self.0.pop()?;
        for field in self.0.get_mut(index..)?.iter_mut().rev() {
            std::mem::swap(field, &mut moved);
        }
        Some(moved)
    }
}

impl Drop for Fields {
    #[inline(never)]
    fn drop(&mut self) {
        let mut memory = std::mem::take(&mut self.0);
        if !(USUAL..=LARGEST_KEPT).contains(&memory.capacity()) {
            return;
        }
        memory.clear();
        // fails only while the thread ends, when nothing needs to be kept
        let _ = FREE.try_with(|free| {
            let mut free = free.borrow_mut();
            if free.len() < MOST_KEPT {
                free.push(memory);
            }
        });
    }
}

impl Deref for Fields {
    type Target = Vec<Field>;

    fn deref(&self) -> &Vec<Field> {
        &self.0
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut Vec<Field> {
        &mut self.0
    }
}

impl IntoIterator for Fields {
    type Item = Field;
    type IntoIter = std::vec::IntoIter<Field>;

    fn into_iter(mut self) -> Self::IntoIter {
        std::mem::take(&mut self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
