//! Messages of `application/vnd.amazon.eventstream`: two lengths and their checksum, headers, a payload, and a checksum of it all.
//! Source: <https://smithy.io/2.0/aws/amazon-eventstream.html>.

/// The bytes before the headers: the length of the message, that of the headers, and the checksum of both.
pub const PRELUDE: usize = 12;
/// The checksum at the end.
const CHECKSUM: usize = 4;
/// What the specification allows for headers, in bytes.
const MOST_HEADERS: usize = 128 << 10;

/// A message whose checksums are right.
pub struct Message<'a> {
    headers: &'a [u8],
    pub payload: &'a [u8],
}

/// The value of a header.
#[derive(Debug, PartialEq)]
pub enum Header<'a> {
    Bool(bool),
    Byte(i8),
    Short(i16),
    Int(i32),
    Long(i64),
    Bytes(&'a [u8]),
    Text(&'a str),
    /// Milliseconds since 1970.
    Time(i64),
    Uuid([u8; 16]),
}

/// Why bytes are not a message.
pub type Fault = &'static str;

/// The length of the message that starts with these bytes; None if there are too few of them. Nothing but the prelude is read.
///
/// # Errors
/// The checksum of the prelude is wrong, or the lengths contradict each other.
pub fn length(bytes: &[u8]) -> Result<Option<usize>, Fault> {
    let Some((prelude, sum)) = bytes.get(..PRELUDE).and_then(|prelude| prelude.split_last_chunk()) else {
        return Ok(None);
    };
    if checksum(prelude) != u32::from_be_bytes(*sum) {
        return Err("the checksum of a message's lengths is wrong");
    }
    let (total, headers) = lengths(prelude).ok_or("a message without lengths")?;
    if headers > MOST_HEADERS || total < headers.saturating_add(PRELUDE + CHECKSUM) {
        return Err("the lengths of a message are wrong");
    }
    Ok(Some(total))
}

fn lengths(prelude: &[u8]) -> Option<(usize, usize)> {
    let (total, rest) = prelude.split_first_chunk()?;
    let headers = rest.first_chunk()?;
    Some((u32::from_be_bytes(*total) as usize, u32::from_be_bytes(*headers) as usize))
}

impl<'a> Message<'a> {
    /// Reads a whole message, whose [`length`] was checked.
    ///
    /// # Errors
    /// Its checksum is wrong.
    pub fn read(bytes: &'a [u8]) -> Result<Message<'a>, Fault> {
        let (content, sum) = bytes.split_last_chunk().ok_or("a message without a checksum")?;
        if checksum(content) != u32::from_be_bytes(*sum) {
            return Err("the checksum of a message is wrong");
        }
        let (_, count) = lengths(content).ok_or("a message without lengths")?;
        let rest = content.get(PRELUDE..).ok_or("a message without lengths")?;
        let (headers, payload) = rest.split_at_checked(count).ok_or("the headers of a message are cut off")?;
        Ok(Message { headers, payload })
    }

    /// The headers, in order, each with its name. After an error, there are no more.
    pub fn headers(&self) -> impl Iterator<Item = Result<(&'a str, Header<'a>), Fault>> {
        let mut rest = self.headers;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let next = next_header(&mut rest).ok_or("the headers of a message are invalid");
            if next.is_err() {
                rest = &[];
            }
            Some(next)
        })
    }
}

/// Takes a header from the front of the bytes.
fn next_header<'a>(rest: &mut &'a [u8]) -> Option<(&'a str, Header<'a>)> {
    let [length] = take_array(rest)?;
    let name = std::str::from_utf8(take(rest, length.into())?).ok().filter(|name| !name.is_empty())?;
    let [kind] = take_array(rest)?;
    let value = match kind {
        0 => Header::Bool(true),
        1 => Header::Bool(false),
        2 => Header::Byte(i8::from_be_bytes(take_array(rest)?)),
        3 => Header::Short(i16::from_be_bytes(take_array(rest)?)),
        4 => Header::Int(i32::from_be_bytes(take_array(rest)?)),
        5 => Header::Long(i64::from_be_bytes(take_array(rest)?)),
        6 => Header::Bytes(take_sized(rest)?),
        7 => Header::Text(std::str::from_utf8(take_sized(rest)?).ok()?),
        8 => Header::Time(i64::from_be_bytes(take_array(rest)?)),
        9 => Header::Uuid(take_array(rest)?),
        _ => return None,
    };
    Some((name, value))
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, others) = rest.split_at_checked(count)?;
    *rest = others;
    Some(taken)
}

fn take_array<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    take(rest, N)?.try_into().ok()
}

fn take_sized<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u16::from_be_bytes(take_array(rest)?);
    take(rest, length.into())
}

/// Starts a message with headers that are texts. Its payload follows, and [`seal`]. Names have
/// at most 255 bytes, as all of AWS have; a text that is too long for a header is cut.
pub fn begin(bytes: &mut Vec<u8>, headers: &[(&str, &str)]) {
    let start = bytes.len();
    bytes.extend([0; PRELUDE]);
    for (name, text) in headers {
        let cut = text.floor_char_boundary(MOST_TEXT);
        let text = text.get(..cut).unwrap_or_default();
        bytes.push(u8::try_from(name.len()).unwrap_or_default());
        bytes.extend_from_slice(name.as_bytes());
        bytes.push(7);
        bytes.extend(u16::try_from(text.len()).unwrap_or_default().to_be_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    let headers = u32::try_from(bytes.len() - start - PRELUDE).unwrap_or_default();
    put(bytes, start + 4, headers);
}

/// The longest text of a header, in bytes: a signed number of two bytes.
const MOST_TEXT: usize = 0x7fff;

/// Ends the message that starts at `start`: states its length, and adds the checksums.
pub fn seal(bytes: &mut Vec<u8>, start: usize) {
    let total = u32::try_from(bytes.len() + CHECKSUM - start).unwrap_or(u32::MAX);
    put(bytes, start, total);
    let prelude = checksum(bytes.get(start..start + PRELUDE - CHECKSUM).unwrap_or_default());
    put(bytes, start + PRELUDE - CHECKSUM, prelude);
    let sum = checksum(bytes.get(start..).unwrap_or_default());
    bytes.extend(sum.to_be_bytes());
}

/// Removes the checksum of a message that will be sealed again.
pub fn unsealed(message: &[u8]) -> &[u8] {
    message.get(..message.len().saturating_sub(CHECKSUM)).unwrap_or_default()
}

fn put(bytes: &mut [u8], at: usize, number: u32) {
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_be_bytes());
    }
}

/// CRC-32 as in gzip. Crates for it have tables of 8 kB and more, which are too large for the wasm.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        let sum = sum ^ u32::from(*byte);
        let half = |sum: u32| (sum >> 4) ^ TABLE.get((sum & 15) as usize).copied().unwrap_or_default();
        half(half(sum))
    };
    !bytes.iter().fold(u32::MAX, step)
}

/// What four bits contribute to the checksum.
const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut entry = 0;
    let mut number = 0_u32;
    while entry < 16 {
        let mut sum = number;
        let mut bit = 0;
        while bit < 4 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
            bit += 1;
        }
        #[allow(clippy::indexing_slicing)] // a constant index
        {
            table[entry] = sum;
        }
        entry += 1;
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests;
