//! Room at the end of a list, filled sixteen bytes at a time: whole chunks are written, and what comes next overwrites what was too much.

use super::scan::LANES;
use std::sync::LazyLock;
use wide::u8x16;

/// Tables are for so many bytes.
const HALF: usize = LANES / 2;
const CHOICES: usize = 1 << HALF;

/// Made when they are first needed: as data they would be six kilobytes of the package.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

struct Tables {
    /// For each choice of eight bytes, as a bit for each: where those that are chosen stand, one after another.
    chosen: [[u8; HALF]; CHOICES],
    /// The same of all eight, with the place behind them before each that is chosen.
    marked: [[u8; LANES]; CHOICES],
}

impl Tables {
    fn new() -> Tables {
        let mut tables = Tables { chosen: [[0; HALF]; CHOICES], marked: [[0; LANES]; CHOICES] };
        let rows = tables.chosen.iter_mut().zip(&mut tables.marked);
        for (choice, (chosen, marked)) in rows.enumerate() {
            let (mut chosen, mut marked) = (chosen.iter_mut(), marked.iter_mut());
            for from in 0..HALF as u8 {
                if choice >> from & 1 == 1 {
                    put(&mut chosen, from);
                    put(&mut marked, HALF as u8);
                }
                put(&mut marked, from);
            }
        }
        tables
    }
}

fn put(row: &mut std::slice::IterMut<u8>, place: u8) {
    if let Some(next) = row.next() {
        *next = place;
    }
}

/// Where it is filled up to stays in a register, unlike a list's length.
pub struct Room<'a> {
    list: &'a mut Vec<u8>,
    end: usize,
    tables: &'static Tables,
}

impl Room<'_> {
    /// For at most `length` bytes.
    #[inline(always)]
    pub fn after(list: &mut Vec<u8>, length: usize) -> Room<'_> {
        let end = list.len();
        list.resize(end + length + LANES, 0);
        Room { list, end, tables: &TABLES }
    }

    /// For so many more than were asked for.
    pub fn extend(&mut self, length: usize) {
        self.list.resize(self.list.len() + length, 0);
    }

    #[inline(always)]
    pub fn push<const LENGTH: usize>(&mut self, bytes: [u8; LENGTH]) {
        self.push_first(bytes, LENGTH);
    }

    /// Appends the first `length` of the bytes.
    #[inline(always)]
    pub fn push_first<const LENGTH: usize>(&mut self, bytes: [u8; LENGTH], length: usize) {
        if let Some(room) = self.list.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            *room = bytes;
        }
        self.end += length;
    }

    /// Appends those bytes of a chunk that are chosen, as a bit for each.
    #[inline(always)]
    pub fn push_chosen(&mut self, chunk: &[u8; LANES], choice: u32) {
        let [low, high, ..] = choice.to_le_bytes();
        let (halves, _) = chunk.as_chunks::<HALF>();
        for (half, choice) in halves.iter().zip([low, high]) {
            let order = self.tables.chosen.get(usize::from(choice)).copied().unwrap_or_default();
            let bytes = u8x16::new(pair(*half, [0; HALF])).shuffle(u8x16::new(pair(order, [0; HALF])));
            self.push_first(bytes.to_array(), choice.count_ones() as usize);
        }
    }

    /// Appends the first `length` bytes of a chunk, with `mark` before each that is chosen, as a bit for each.
    #[inline(always)]
    pub fn push_marked(&mut self, chunk: &[u8; LANES], mark: u8, choice: u32, length: usize) {
        let end = self.end + length + (choice & ((1 << length) - 1)).count_ones() as usize;
        let [low, high, ..] = choice.to_le_bytes();
        let (halves, _) = chunk.as_chunks::<HALF>();
        for (half, choice) in halves.iter().zip([low, high]) {
            let order = self.tables.marked.get(usize::from(choice)).copied().unwrap_or_default();
            let bytes = u8x16::new(pair(*half, [mark; HALF])).shuffle(u8x16::new(order));
            self.push_first(bytes.to_array(), HALF + choice.count_ones() as usize);
        }
        self.end = end;
    }

    #[inline(always)]
    pub fn close(self) {
        self.list.truncate(self.end);
    }
}

#[inline(always)]
fn pair(low: [u8; HALF], high: [u8; HALF]) -> [u8; LANES] {
    let mut bytes = [0; LANES];
    let (halves, _) = bytes.as_chunks_mut();
    if let [first, second] = halves {
        (*first, *second) = (low, high);
    }
    bytes
}
