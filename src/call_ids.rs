//! Generated ids.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// The prefix of ids that were generated here. Their provider has never seen them.
pub const MADE_ID: &str = "tw_";
/// The length of the hash in a generated id.
pub const HASH_LENGTH: usize = 11;

/// Generates ids. The same input always gives the same id.
pub struct IdMaker(SipHasher13);

impl IdMaker {
    /// `seed` distinguishes conversations or responses, `ordinal` the calls in them.
    pub fn new(seed: &str, ordinal: usize) -> IdMaker {
        let mut maker = IdMaker(SipHasher13::new_with_keys(0x746f_6f6c_7769_7265, 0)).text(seed);
        maker.add(&(ordinal as u64).to_le_bytes());
        maker
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    pub fn text(mut self, text: &str) -> IdMaker {
        self.add(text.as_bytes());
        self.add(&[0xff]);
        self
    }

    /// `tw_`, followed by the hash in base 62.
    pub fn finish(self) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut rest = self.0.finish();
        let mut id = String::from(MADE_ID);
        for _ in 0..HASH_LENGTH {
            id.push(DIGITS.get((rest % 62) as usize).copied().map_or('0', char::from));
            rest /= 62;
        }
        id
    }
}

/// The id of a call that has none, in a response with a unique seed. It does not depend on the arguments, so a stream knows it at the start of the
/// call.
#[cfg(any(feature = "conversions", feature = "text"))]
pub fn made(seed: &str, ordinal: usize, name: &str) -> String {
    IdMaker::new(seed, ordinal).text(name).finish()
}

/// The id that replaces another one. It depends only on that one and `occurrence`, so the same history gives the same ids again.
#[cfg(any(feature = "conversions", feature = "toolkit"))]
pub fn replacement(id: &str, occurrence: usize) -> String {
    IdMaker::new("id", occurrence).text(id).finish()
}

/// The id of a response that has none, without the prefix of its format.
#[cfg(feature = "conversions")]
pub fn of_response(seed: &str) -> String {
    IdMaker::new(seed, 0).text("response").finish()
}

/// The identifier of an end user that replaces a longer one.
#[cfg(feature = "conversions")]
pub fn of_user(user: &str) -> String {
    IdMaker::new("user", 0).text(user).finish()
}
