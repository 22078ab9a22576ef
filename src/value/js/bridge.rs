//! The imports from JavaScript, and the memory that the wasm instance shares with it.

use crate::value::Word;
use std::cell::{Cell, OnceCell, RefCell};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/value/js/host.js")]
extern "C" {
    pub type Host;

    #[wasm_bindgen(constructor)]
    fn new(memory: JsValue, scratch: u32, capacity: u32) -> Host;
    #[wasm_bindgen(method)]
    pub fn encode(this: &Host, text: &JsValue, from: u32, pointer: u32, capacity: u32) -> f64;
    #[wasm_bindgen(method, getter)]
    pub fn taken(this: &Host) -> u32;
    #[wasm_bindgen(method)]
    pub fn decode(this: &Host, pointer: u32, length: u32) -> JsValue;
    #[wasm_bindgen(method, js_name = decodeUnits)]
    pub fn decode_units(this: &Host, pointer: u32, length: u32) -> JsValue;
    #[wasm_bindgen(method, js_name = copyIn)]
    pub fn copy_in(this: &Host, array: &JsValue, pointer: u32);
    #[wasm_bindgen(method, js_name = copyOut)]
    pub fn copy_out(this: &Host, pointer: u32, length: u32) -> JsValue;
    #[wasm_bindgen(method)]
    pub fn open(this: &Host, length: u32);
    #[wasm_bindgen(method)]
    pub fn add(this: &Host, pointer: u32, length: u32);
    #[wasm_bindgen(method)]
    pub fn close(this: &Host) -> JsValue;
    #[wasm_bindgen(method, js_name = closeText)]
    pub fn close_text(this: &Host) -> JsValue;
    #[wasm_bindgen(method, js_name = closeUnits)]
    pub fn close_units(this: &Host) -> JsValue;
}

#[wasm_bindgen(module = "/src/value/js/fixed.js")]
extern "C" {
    type Fixed;

    #[wasm_bindgen(constructor)]
    fn new(words: &str) -> Fixed;
}

// Declared here too because only files that Rust names get into the package; heap.js imports this one.
#[wasm_bindgen(module = "/src/value/js/values.js")]
extern "C" {
    #[wasm_bindgen(js_name = unitsOf)]
    pub fn units_of(value: &JsValue) -> f64;
    #[wasm_bindgen(js_name = sizeOf)]
    pub fn size_of(value: &JsValue) -> f64;
    #[wasm_bindgen(js_name = viewOf)]
    pub fn view_of(value: &JsValue) -> JsValue;
}

#[wasm_bindgen(module = "/src/value/js/heap.js")]
extern "C" {
    pub type Heap;

    #[wasm_bindgen(constructor)]
    fn new(host: &Host, fixed: &Fixed, depth: u32) -> Heap;
    #[wasm_bindgen(method)]
    pub fn adopt(this: &Heap, value: &JsValue) -> i32;
    #[wasm_bindgen(method)]
    pub fn release(this: &Heap, slot: u32) -> JsValue;

    #[wasm_bindgen(method)]
    pub fn fields(this: &Heap, slot: u32, is_tolerant: bool) -> i32;
    #[wasm_bindgen(method)]
    pub fn items(this: &Heap, slot: u32) -> i32;
    #[wasm_bindgen(method, js_name = showFrom)]
    pub fn show_from(this: &Heap, first: u32);
    #[wasm_bindgen(method, js_name = textAt)]
    pub fn text_at(this: &Heap, slot: u32, end: u32, pointer: u32, capacity: u32) -> f64;
    #[wasm_bindgen(method, js_name = encodeAt)]
    pub fn encode_at(this: &Heap, slot: u32, from: u32, pointer: u32, capacity: u32) -> f64;
    #[wasm_bindgen(method, js_name = numberAt)]
    pub fn number_at(this: &Heap, slot: u32) -> f64;
    #[wasm_bindgen(method)]
    pub fn tail(this: &Heap, slot: u32, length: u32) -> u32;
    #[wasm_bindgen(method)]
    pub fn string(this: &Heap, pointer: u32, length: u32) -> u32;
    #[wasm_bindgen(method)]
    pub fn join(this: &Heap, slot: u32);
    #[wasm_bindgen(method, js_name = endJoin)]
    pub fn end_join(this: &Heap) -> u32;
    #[wasm_bindgen(method)]
    pub fn parse(this: &Heap, slot: u32) -> i32;
    #[wasm_bindgen(method)]
    pub fn stringify(this: &Heap, slot: u32) -> i32;
    #[wasm_bindgen(method, js_name = isRawForm)]
    pub fn is_raw_form(this: &Heap, raw: u32, parsed: u32) -> bool;
    #[wasm_bindgen(method, js_name = losesDigits)]
    pub fn loses_digits(this: &Heap, raw: u32) -> bool;
    #[wasm_bindgen(method)]
    pub fn same(this: &Heap, left: u32, right: u32) -> bool;
    #[wasm_bindgen(method)]
    pub fn mentions(this: &Heap, slot: u32, first: u32, second: u32, third: u32) -> bool;

    #[wasm_bindgen(method)]
    pub fn take(this: &Heap, pointer: u32, count: u32);
    #[wasm_bindgen(method)]
    pub fn finish(this: &Heap, pointer: u32, count: u32) -> u32;

    #[wasm_bindgen(method, js_name = endMessage)]
    pub fn end_message(this: &Heap) -> u32;
    #[wasm_bindgen(method, js_name = faultPlace)]
    pub fn fault_place(this: &Heap) -> u32;
    #[wasm_bindgen(method, js_name = faultOffset)]
    pub fn fault_offset(this: &Heap) -> u32;
}

/// Length of the scratch area in numbers. JavaScript writes into it, and wasm reads it right after the call.
pub const SCRATCH: usize = 1024;
/// In bytes. Longer strings are written into memory of their own.
const SHORT: usize = 1024;

/// One per wasm instance.
pub struct Bridge {
    pub host: Host,
    /// Created on first use: only objects need them, and creating them takes time.
    fixed: OnceCell<Fixed>,
    scratch: Box<[Cell<u32>]>,
    /// A buffer for short strings. None of the caller's code runs while it is borrowed.
    short: RefCell<Vec<u8>>,
}

thread_local! {
    static BRIDGE: Bridge = Bridge::new();
}

impl Bridge {
    fn new() -> Bridge {
        let scratch: Box<[Cell<u32>]> = vec![Cell::new(0); SCRATCH].into_boxed_slice();
        let host = Host::new(wasm_bindgen::memory(), scratch.as_ptr() as u32, SCRATCH as u32);
        Bridge { host, fixed: OnceCell::new(), scratch, short: RefCell::new(Vec::with_capacity(SHORT)) }
    }

    pub fn with<T>(act: impl FnOnce(&Bridge) -> T) -> T {
        BRIDGE.with(act)
    }

    pub fn heap(depth: u32) -> Heap {
        Bridge::with(|bridge| Heap::new(&bridge.host, bridge.fixed.get_or_init(|| Fixed::new(Word::JOINED)), depth))
    }

    /// The numbers that the last call wrote.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.scratch.iter().map(Cell::get)
    }

    /// A string that fits into the buffer for short ones; otherwise the negative number that `write` returns.
    pub fn short_text(&self, write: impl FnOnce(u32, u32) -> f64) -> Result<Box<str>, f64> {
        let mut bytes = self.short.borrow_mut();
        bytes.clear();
        let mut result = 0.0;
        append(&mut bytes, |pointer, capacity| {
            result = write(pointer, capacity);
            result as u32
        });
        if result < 0.0 { Err(result) } else { Ok(str::from_utf8(&bytes).unwrap_or_default().into()) }
    }
}

/// Appends bytes that JavaScript writes: `write` receives a pointer and the available length, and returns the number of bytes written.
///
/// This is the only place where memory that JavaScript filled becomes part of a `Vec`.
pub fn append(bytes: &mut Vec<u8>, write: impl FnOnce(u32, u32) -> u32) {
    let spare = bytes.spare_capacity_mut();
    let (pointer, capacity) = (spare.as_mut_ptr() as u32, spare.len() as u32);
    let written = write(pointer, capacity).min(capacity) as usize;
    // SAFETY: the capacity holds `written` more bytes, and JavaScript has just written them at `pointer`.
    unsafe { bytes.set_len(bytes.len() + written) }
}

/// A string of `units` UTF-16 units as UTF-8. `encode` receives the start position, a pointer and the available length, as in host.js.
pub fn encoded(host: &Host, units: u32, encode: impl Fn(u32, u32, u32) -> f64) -> Vec<u8> {
    // Usually ASCII: one byte per unit is enough.
    let mut bytes = Vec::with_capacity(units as usize);
    let mut taken = 0;
    while taken < units {
        append(&mut bytes, |pointer, capacity| {
            let written = encode(taken, pointer, capacity);
            taken = if written < 0.0 { host.taken() } else { units };
            if written < 0.0 { (-1.0 - written) as u32 } else { written as u32 }
        });
        // Three bytes per unit are always enough, so the second round is the last.
        bytes.reserve((units - taken) as usize * 3);
    }
    bytes
}
