//! Appending to lists.

/// A `push` that is compiled once per type. The standard one is inlined into every caller, at a hundred bytes for types as large as events and
/// messages.
pub trait Add<T> {
    fn add(&mut self, thing: T);
}

impl<T> Add<T> for Vec<T> {
    #[inline(never)]
    fn add(&mut self, thing: T) {
        self.push(thing);
    }
}
