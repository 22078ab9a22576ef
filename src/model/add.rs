//! Adding to lists.

/// `push` that stands once in the wasm for each type: the standard one goes into every caller, a hundred bytes for things as large
/// as events and messages.
pub trait Add<T> {
    fn add(&mut self, thing: T);
}

impl<T> Add<T> for Vec<T> {
    #[inline(never)]
    fn add(&mut self, thing: T) {
        self.push(thing);
    }
}
