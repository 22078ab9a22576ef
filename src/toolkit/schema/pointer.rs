//! JSON Pointers: locations in values.

/// A location in a value, as a linked list from the innermost key outwards.
#[derive(Clone, Copy)]
pub enum At<'a> {
    Root,
    Field(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> At<'a> {
    pub fn field(&'a self, name: &'a str) -> At<'a> {
        At::Field(self, name)
    }

    pub fn item(&'a self, index: usize) -> At<'a> {
        At::Item(self, index)
    }

    pub fn pointer(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Field(parent, name) => join(parent.pointer(), name),
            Self::Item(parent, index) => join(parent.pointer(), &index.to_string()),
        }
    }
}

/// Appends the key of a field or the index of an item to a pointer.
pub fn join(mut parent: String, key: &str) -> String {
    parent.push('/');
    for letter in key.chars() {
        match letter {
            '~' => parent.push_str("~0"),
            '/' => parent.push_str("~1"),
            letter => parent.push(letter),
        }
    }
    parent
}

/// The decoded keys of a pointer.
pub fn keys(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(|key| key.replace("~1", "/").replace("~0", "~"))
}
