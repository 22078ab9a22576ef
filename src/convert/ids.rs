//! Call ids: generated if the wire has none, unique in a conversation, and legal for the target (Q98, Q171–Q175).

use crate::call_ids::{HASH_LENGTH, IdMaker, MADE_ID, replacement};
use crate::format::Limits;
use crate::model::{Arguments, Call};
use crate::run::{Route, Run};
use crate::value::text::is_plain;
use crate::value::{Keyed, Keys, Kind, Value};

/// Hashes a value as JSON, so that both stores give the same hash.
fn add_value(maker: &mut IdMaker, run: &mut Run, value: Value, depth: usize) {
    let kind = run.store.kind(value);
    // counted from 0, so that generated ids never change
    maker.add(&[kind as u8 - Kind::Null as u8]);
    match kind {
        Kind::String => maker.add(run.store.text(value).as_bytes()),
        Kind::Number => maker.add(&run.store.number(value).to_bits().to_le_bytes()),
        Kind::Boolean => maker.add(&[u8::from(run.store.boolean(value))]),
        Kind::Object if depth > 0 => {
            for field in run.members(value) {
                maker.add(run.store.text(field.key).as_bytes());
                add_value(maker, run, field.value, depth - 1);
            }
        }
        Kind::Array if depth > 0 => {
            for item in run.list(value) {
                add_value(maker, run, item, depth - 1);
            }
        }
        Kind::Null | Kind::Other | Kind::Object | Kind::Array => {}
    }
    maker.add(&[0xff]);
}

/// Maximum depth of the arguments that are hashed.
const LOOK_INTO: usize = 32;

/// The id for a call whose seed is not unique (a position, or nothing): its arguments are hashed too.
pub fn made_with_arguments(run: &mut Run, seed: &str, ordinal: usize, call: &Call) -> String {
    let mut maker = IdMaker::new(seed, ordinal).text(&run.store.text(call.name));
    match call.arguments {
        Arguments::Object { value, .. } => add_value(&mut maker, run, value, LOOK_INTO),
        Arguments::Invalid { raw, .. } => add_value(&mut maker, run, raw, LOOK_INTO),
    }
    maker.finish()
}

/// The hash in a generated id.
fn made_hash(id: &str) -> Option<&str> {
    id.strip_prefix(MADE_ID).filter(|hash| hash.len() == HASH_LENGTH && is_plain(hash, ""))
}

/// The ids that a target accepts.
#[derive(Clone, Copy)]
pub struct Accepted {
    /// Whether ids may be long, empty or omitted.
    pub is_lenient: bool,
    shortest: usize,
    /// Maximum length; 0: unlimited.
    longest: usize,
    marks: Option<&'static str>,
}

impl Accepted {
    /// Bodies that stay in their format may have any length of id, as a server that generates such ids accepts them; so may responses, as clients
    /// accept any id.
    pub fn by_target(route: &Route) -> Accepted {
        let Limits { shortest_id, longest_id, id_marks, .. } = route.to.format().limits;
        let is_lenient = !route.is_new_request();
        let (shortest, longest) = if is_lenient { (0, 0) } else { (shortest_id, longest_id) };
        Accepted { is_lenient, shortest, longest, marks: id_marks }
    }

    pub fn has(&self, id: &str) -> bool {
        let length = id.chars().count();
        let is_short = self.longest == 0 || length <= self.longest;
        length >= self.shortest.max(1) && is_short && self.marks.is_none_or(|marks| is_plain(id, marks))
    }

    /// The id that the target gets in place of `id`. Of a generated one, it keeps the hash.
    pub fn replacement(&self, id: &str, occurrence: usize) -> String {
        let keeps = occurrence == 0 && made_hash(id).is_some();
        let made = if keeps { id.to_owned() } else { replacement(id, occurrence) };
        if self.has(&made) {
            return made;
        }
        let hash = made_hash(&made).unwrap_or(&made);
        hash.chars().take(if self.longest == 0 { HASH_LENGTH } else { self.longest }).collect()
    }
}

/// The ids of a conversation so far. Repeated ids take no extra time.
#[derive(Default)]
pub struct UsedIds {
    taken: Keys,
    /// For each repeated id, the next occurrence to try.
    next: Keyed<usize>,
}

impl UsedIds {
    /// Marks an id as used; false if it was used before.
    pub fn take(&mut self, id: &str) -> bool {
        self.taken.add(id.as_bytes())
    }

    /// Marks `id` as used. If the target does not accept it or it was used before, gives a replacement.
    pub fn take_accepted(&mut self, accepted: Accepted, id: &str) -> Option<String> {
        let is_taken = accepted.has(id) && self.take(id);
        (!is_taken).then(|| self.take_replacement(accepted, id))
    }

    /// A new unused id in place of `id`.
    pub fn take_replacement(&mut self, accepted: Accepted, id: &str) -> String {
        let first = usize::from(self.taken.has(id.as_bytes()));
        let mut next = self.next.get(id.as_bytes()).copied().unwrap_or(first);
        loop {
            let replaced = accepted.replacement(id, next);
            next += 1;
            if self.take(&replaced) {
                self.next.insert(id.as_bytes(), next);
                return replaced;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Accepted, UsedIds};
    use crate::format::Dialect;
    use crate::run::Route;

    const STRICT: Accepted = Accepted { is_lenient: false, shortest: 9, longest: 9, marks: Some("") };

    #[test]
    fn replacements_are_accepted_and_distinct() {
        let known = Dialect::ALL.iter().map(|dialect| Accepted::by_target(&Route::new(Dialect::Canonical, *dialect)));
        for accepted in known.chain([STRICT]) {
            let mut used = UsedIds::default();
            for id in ["call_1", "call_1", "", "abc", "a b", "tw_00000000000", "tw_00000000000"] {
                let replaced = used.take_replacement(accepted, id);
                assert!(accepted.has(&replaced), "{replaced}");
            }
        }
    }

    #[test]
    fn ids_of_another_length_are_not_accepted() {
        let accepted = ["abc", "123456789", "1234567890", ""].map(|id| STRICT.has(id));
        assert_eq!(accepted, [false, true, false, false]);
    }

    #[test]
    fn a_generated_id_is_shortened() {
        assert_eq!(STRICT.replacement("tw_0123456789a", 0), "012345678");
        // another conversion, or another format between, gives the same
        let made = Accepted { shortest: 0, longest: 40, marks: None, ..STRICT }.replacement("call_1", 1);
        assert_eq!(STRICT.replacement(&made, 0), STRICT.replacement("call_1", 1));
    }
}
