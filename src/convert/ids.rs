//! Call ids: generated if the wire has none, unique in a conversation, and legal for the target (Q98, Q171–Q175).

use crate::format::Limits;
use crate::model::{Arguments, Call, MADE_ID};
use crate::run::Run;
use crate::value::text::is_plain;
use crate::value::{Keyed, Keys, Kind, Value};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// Generates ids. The same input always gives the same id.
pub struct IdMaker(SipHasher13);

impl IdMaker {
    /// `seed` distinguishes conversations or responses, `ordinal` the calls in them.
    pub fn new(seed: &str, ordinal: usize) -> IdMaker {
        let mut hasher = SipHasher13::new_with_keys(0x746f_6f6c_7769_7265, 0);
        hasher.write(seed.as_bytes());
        hasher.write_u8(0xff);
        hasher.write(&(ordinal as u64).to_le_bytes());
        IdMaker(hasher)
    }

    pub fn text(mut self, text: &str) -> IdMaker {
        self.0.write(text.as_bytes());
        self.0.write_u8(0xff);
        self
    }

    /// `tw_`, followed by the hash in base 62.
    pub fn finish(self) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut rest = self.0.finish();
        let mut id = String::from(MADE_ID);
        for _ in 0..11 {
            id.push(DIGITS.get((rest % 62) as usize).copied().map_or('0', char::from));
            rest /= 62;
        }
        id
    }

    /// Hashes a value as JSON, so that both stores give the same hash.
    fn value(&mut self, run: &mut Run, value: Value, depth: usize) {
        let kind = run.store.kind(value);
        // counted from 0, so that generated ids never change
        self.0.write_u8(kind as u8 - Kind::Null as u8);
        match kind {
            Kind::String => self.0.write(run.store.text(value).as_bytes()),
            Kind::Number => self.0.write(&run.store.number(value).to_bits().to_le_bytes()),
            Kind::Boolean => self.0.write_u8(u8::from(run.store.boolean(value))),
            Kind::Object if depth > 0 => {
                for field in run.members(value) {
                    self.0.write(run.store.text(field.key).as_bytes());
                    self.value(run, field.value, depth - 1);
                }
            }
            Kind::Array if depth > 0 => {
                for item in run.list(value) {
                    self.value(run, item, depth - 1);
                }
            }
            Kind::Null | Kind::Other | Kind::Object | Kind::Array => {}
        }
        self.0.write_u8(0xff);
    }
}

/// Maximum depth of the arguments that are hashed.
const LOOK_INTO: usize = 32;

/// The id for a call without one, in a response with a unique seed. It does not depend on the arguments, so a stream knows it at the start of the
/// call.
pub fn made(seed: &str, ordinal: usize, name: &str) -> String {
    IdMaker::new(seed, ordinal).text(name).finish()
}

/// The id for a call whose seed is not unique (a position, or nothing): its arguments are hashed too.
pub fn made_with_arguments(run: &mut Run, seed: &str, ordinal: usize, call: &Call) -> String {
    let mut maker = IdMaker::new(seed, ordinal).text(&run.store.text(call.name));
    match call.arguments {
        Arguments::Object { value, .. } => maker.value(run, value, LOOK_INTO),
        Arguments::Invalid { raw, .. } => maker.value(run, raw, LOOK_INTO),
    }
    maker.finish()
}

/// The id that replaces another one. It depends only on that one and `occurrence`, so the same history gives the same ids again.
pub fn replacement(id: &str, occurrence: usize) -> String {
    IdMaker::new("id", occurrence).text(id).finish()
}

/// Like [`replacement`], with the length and the characters that the target accepts.
pub fn legal_replacement(limits: &Limits, id: &str, occurrence: usize) -> String {
    let made = replacement(id, occurrence);
    if is_short(limits, &made) && has_legal_characters(limits, &made) {
        return made;
    }
    let hash = made.strip_prefix(MADE_ID).unwrap_or(&made);
    let length = if limits.longest_id == 0 { hash.len() } else { limits.longest_id };
    hash.chars().take(length).collect()
}

fn is_short(limits: &Limits, id: &str) -> bool {
    limits.longest_id == 0 || id.chars().count() <= limits.longest_id
}

fn has_legal_characters(limits: &Limits, id: &str) -> bool {
    limits.id_marks.is_none_or(|marks| is_plain(id, marks))
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

    /// A new unused id in place of `id`.
    pub fn take_replacement(&mut self, limits: &Limits, id: &str) -> String {
        let first = usize::from(self.taken.has(id.as_bytes()));
        let mut next = self.next.get(id.as_bytes()).copied().unwrap_or(first);
        loop {
            let replaced = legal_replacement(limits, id, next);
            next += 1;
            if self.take(&replaced) {
                self.next.insert(id.as_bytes(), next);
                return replaced;
            }
        }
    }
}

/// The ids that a target accepts.
#[derive(Clone, Copy)]
pub struct Accepted {
    pub limits: &'static Limits,
    /// Whether ids may be long, empty or omitted.
    pub is_lenient: bool,
}

impl Accepted {
    /// For requests of another format.
    pub fn strictly(limits: &'static Limits) -> Accepted {
        Accepted { limits, is_lenient: false }
    }

    /// For bodies that stay in their format, as a server that generates such ids accepts them; and for clients, which accept any id.
    pub fn leniently(limits: &'static Limits) -> Accepted {
        Accepted { limits, is_lenient: true }
    }

    pub fn has(&self, id: &str) -> bool {
        !id.is_empty() && (self.is_lenient || is_short(self.limits, id)) && has_legal_characters(self.limits, id)
    }
}

#[cfg(test)]
mod tests {
    use super::{UsedIds, has_legal_characters, is_short};
    use crate::format::{Dialect, Limits};

    #[test]
    fn replacements_are_legal() {
        let strict = Limits { longest_id: 9, id_marks: Some(""), ..Limits::NONE };
        let known = Dialect::ALL.iter().map(|dialect| &dialect.format().limits);
        for limits in known.chain([&strict]) {
            let mut used = UsedIds::default();
            for id in ["call_1", "call_1", "", "a b", "tw_00000000000"] {
                let replaced = used.take_replacement(limits, id);
                assert!(is_short(limits, &replaced) && has_legal_characters(limits, &replaced), "{replaced}");
            }
        }
    }
}
