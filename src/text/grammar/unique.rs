//! Unique names of definitions.

use crate::table::Table;

/// Names that are unique, and consist of letters, digits and underscores.
#[derive(Default)]
pub(super) struct Names(Table<String, usize>);

impl Names {
    pub fn unique(&mut self, wanted: &str) -> String {
        let plain: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut name = plain.clone();
        let mut count = self.0.get(&plain).copied().unwrap_or(1);
        while self.0.get(&name).is_some() {
            count += 1;
            name = format!("{plain}_{count}");
        }
        self.0.insert(plain, count);
        self.0.insert(name.clone(), 1);
        name
    }
}
