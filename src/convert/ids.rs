//! Ids of calls: made where the wire has none, unique in a conversation, and such as the target takes (Q98, Q171–Q175).

use crate::format::Limits;
use crate::model::{Arguments, Call, MADE_ID};
use crate::run::Run;
use crate::value::text::is_plain;
use crate::value::{Keyed, Keys, Kind, Value};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// A made id: the same input gives the same id, whoever makes it.
pub struct IdMaker(SipHasher13);

impl IdMaker {
    /// `seed` tells conversations (or answers) apart, `ordinal` the calls within.
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

    /// `tw_` and the hash in base 62.
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

    /// Adds a value as JSON sees it: both stores give the same.
    fn value(&mut self, run: &mut Run, value: Value, depth: usize) {
        let kind = run.store.kind(value);
        // counted from 0: ids that were made stay what they are
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

/// How deep arguments are looked into: enough to tell calls apart.
const LOOK_INTO: usize = 32;

/// The id of a call that came without one, in an answer that its seed tells from all others: known before the arguments are.
pub fn made(seed: &str, ordinal: usize, name: &str) -> String {
    IdMaker::new(seed, ordinal).text(name).finish()
}

/// The same where the seed says less than that: a position, or nothing.
pub fn made_with_arguments(run: &mut Run, seed: &str, ordinal: usize, call: &Call) -> String {
    let mut maker = IdMaker::new(seed, ordinal).text(&run.store.text(call.name));
    match call.arguments {
        Arguments::Object { value, .. } => maker.value(run, value, LOOK_INTO),
        Arguments::Invalid { raw, .. } => maker.value(run, raw, LOOK_INTO),
    }
    maker.finish()
}

/// Another id for one that can't stay: a pure function of it, so that the same history gives the same ids again.
pub fn replacement(id: &str, occurrence: usize) -> String {
    IdMaker::new("id", occurrence).text(id).finish()
}

/// The ids of a conversation so far. An id that stands many times costs no more than others.
#[derive(Default)]
pub struct UsedIds {
    taken: Keys,
    /// The next occurrence to try of an id that stands more than once.
    next: Keyed<usize>,
}

impl UsedIds {
    /// Takes an id; false if it is taken.
    pub fn take(&mut self, id: &str) -> bool {
        self.taken.add(id.as_bytes())
    }

    /// Takes a replacement for an id that can't stay.
    pub fn take_replacement(&mut self, id: &str) -> String {
        let first = usize::from(self.taken.has(id.as_bytes()));
        let mut next = self.next.get(id.as_bytes()).copied().unwrap_or(first);
        loop {
            let replaced = replacement(id, next);
            next += 1;
            if self.take(&replaced) {
                self.next.insert(id.as_bytes(), next);
                return replaced;
            }
        }
    }
}

/// Whether the target takes the id. Only a request to another format has a limit: ids that came in the target's own format are those of a
/// server that gives such, and clients take any.
pub fn is_legal(run: &Run, limits: &Limits, id: &str) -> bool {
    let is_limited = limits.longest_id > 0 && !run.is_response && run.from != run.to;
    let fits = !is_limited || id.chars().count() <= limits.longest_id;
    !id.is_empty() && fits && (!limits.plain_ids || is_plain(id, "_-"))
}
