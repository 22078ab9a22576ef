//! The wasm allocator of the toolkit and of the text formats, a fifth of the size of the standard library's.
//!
//! Memory is divided into blocks of 56 sizes, two for each power of two. Freed blocks are kept in a list for the next allocation of their size.

use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::{memory_grow, memory_size};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

const PAGE: usize = 65_536;
/// The alignment of blocks.
const ALIGN: usize = 8;
const SIZES: usize = 56;

struct Blocks(UnsafeCell<State>);

struct State {
    /// The first free block of each size. Each free block begins with the address of the next.
    free: [*mut u8; SIZES],
    /// Start of the memory that was never used.
    start: usize,
    end: usize,
}

#[global_allocator]
static BLOCKS: Blocks = Blocks(UnsafeCell::new(State { free: [null_mut(); SIZES], start: 0, end: 0 }));

// SAFETY: there are no threads in this module.
unsafe impl Sync for Blocks {}

/// 0 for up to 16 bytes, 1 for up to 24, 2 for up to 32, 3 for up to 48 and so on.
fn place(bytes: usize) -> usize {
    if bytes <= 16 {
        return 0;
    }
    let power = ((bytes - 1) >> 4).ilog2() as usize;
    2 * power + if bytes <= 24 << power { 1 } else { 2 }
}

fn capacity(place: usize) -> usize {
    (16 + 8 * (place & 1)) << (place / 2)
}

unsafe extern "C" {
    static __heap_base: u8;
}

impl State {
    /// Memory that was never used, or null.
    fn fresh(&mut self, bytes: usize, align: usize) -> *mut u8 {
        if self.end == 0 {
            self.start = (&raw const __heap_base) as usize;
            self.end = memory_size(0) * PAGE;
        }
        let from = self.start.next_multiple_of(align);
        let Some(to) = from.checked_add(bytes) else { return null_mut() };
        if !self.reaches(to) {
            return null_mut();
        }
        self.start = to;
        from as *mut u8
    }

    /// Whether there is memory up to an address, growing it if necessary.
    fn reaches(&mut self, to: usize) -> bool {
        if to > self.end {
            let pages = (to - self.end).div_ceil(PAGE);
            if memory_grow(0, pages) == usize::MAX {
                return false;
            }
            self.end += pages * PAGE;
        }
        true
    }
}

// SAFETY: blocks do not overlap, as each is either in one list or in use; each is as large as its size states.
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: nothing else has a reference to the state.
        let state = unsafe { &mut *self.0.get() };
        let place = place(layout.size());
        match state.free.get_mut(place) {
            Some(first) if !first.is_null() && layout.align() <= ALIGN => {
                let block = *first;
                // SAFETY: a free block begins with the address of the next.
                *first = unsafe { block.cast::<*mut u8>().read() };
                block
            }
            Some(_) => state.fresh(capacity(place), layout.align().max(ALIGN)),
            None => null_mut(),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        if let Some(first) = state.free.get_mut(place(layout.size())) {
            // SAFETY: the block is no longer in use, and has at least 16 bytes.
            unsafe { block.cast::<*mut u8>().write(*first) };
            *first = block;
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        let state = unsafe { &mut *self.0.get() };
        let (old, new) = (capacity(place(layout.size())), capacity(place(bytes)));
        if old == new {
            return block;
        }
        // The last block grows in place.
        let is_last = block as usize + old == state.start;
        if is_last && new > old && state.reaches(block as usize + new) {
            state.start = block as usize + new;
            return block;
        }
        // SAFETY: the caller guarantees that the size is valid for the alignment.
        let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(bytes, layout.align())) };
        if !moved.is_null() {
            // SAFETY: both blocks have at least this many bytes.
            unsafe {
                block.copy_to_nonoverlapping(moved, layout.size().min(bytes));
                self.dealloc(block, layout);
            }
        }
        moved
    }
}
