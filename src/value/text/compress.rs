//! Appends to a list sixteen bytes at a time: writes whole chunks, and the next write overwrites the excess.

use super::scan::LANES;
use std::sync::LazyLock;
use wide::u8x16;

/// The tables are for chunks of this many bytes.
const HALF: usize = LANES / 2;
const CHOICES: usize = 1 << HALF;

/// Built on first use: as static data they would add six kilobytes to the package.
static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

struct Tables {
    /// For each choice of eight bytes (one bit each): the positions of the chosen bytes.
    chosen: [[u8; HALF]; CHOICES],
    /// For each choice: all eight positions, with the position of the mark before each chosen one.
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

/// Free capacity at the end of a list. The write position stays in a register, unlike a list's length.
pub struct FreeSpace<'a> {
    list: &'a mut Vec<u8>,
    end: usize,
    tables: &'static Tables,
}

impl FreeSpace<'_> {
    /// Reserves capacity for at most `length` bytes.
    #[inline(always)]
    pub fn after(list: &mut Vec<u8>, length: usize) -> FreeSpace<'_> {
        let end = list.len();
        list.resize(end + length + LANES, 0);
        FreeSpace { list, end, tables: &TABLES }
    }

    /// Reserves capacity for `length` more bytes.
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
        if let Some(space) = self.list.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            *space = bytes;
        }
        self.end += length;
    }

    /// Appends the bytes of a chunk that are chosen (one bit each).
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

    /// Appends the first `length` bytes of a chunk, with `mark` before each chosen one (one bit each).
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
