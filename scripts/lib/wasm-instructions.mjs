// What follows the opcodes of wasm, as far as it must be known to find the numbers of locals in a function.

import { numberAt } from "./wasm-format.mjs";

/** `n`: a number; `l`: that of a local; `v`: a list of numbers, with its length before it; a digit: that many bytes. */
const plain = table([
  [0x00, 0x01, ""], // unreachable, nop
  [0x02, 0x04, "n"], // block, loop, if
  [0x05, 0x05, ""], // else
  [0x0b, 0x0b, ""], // end
  [0x0c, 0x0d, "n"], // br, br_if
  [0x0e, 0x0e, "vn"], // br_table
  [0x0f, 0x0f, ""], // return
  [0x10, 0x10, "n"], // call
  [0x11, 0x11, "nn"], // call_indirect
  [0x1a, 0x1b, ""], // drop, select
  [0x1c, 0x1c, "v"], // select with types
  [0x20, 0x22, "l"], // local.get, local.set, local.tee
  [0x23, 0x26, "n"], // globals, tables
  [0x28, 0x3e, "nn"], // loads, stores
  [0x3f, 0x42, "n"], // memory.size, memory.grow, i32.const, i64.const
  [0x43, 0x43, "4"], // f32.const
  [0x44, 0x44, "8"], // f64.const
  [0x45, 0xc4, ""], // numeric instructions
  [0xd0, 0xd0, "n"], // ref.null
  [0xd1, 0xd1, ""], // ref.is_null
  [0xd2, 0xd2, "n"], // ref.func
]);

/** The opcodes that have a second number. */
const prefixed = {
  252: table([
    [0, 7, ""], // conversions that saturate
    [8, 8, "nn"], // memory.init
    [9, 9, "n"], // data.drop
    [10, 10, "nn"], // memory.copy
    [11, 11, "n"], // memory.fill
    [12, 12, "nn"], // table.init
    [13, 13, "n"], // elem.drop
    [14, 14, "nn"], // table.copy
    [15, 17, "n"], // table.grow, table.size, table.fill
  ]),
  253: table([
    [0, 11, "nn"], // loads, stores
    [12, 13, "88"], // v128.const, i8x16.shuffle
    [14, 20, ""], // i8x16.swizzle, splats
    [21, 34, "1"], // lanes
    [35, 83, ""],
    [84, 91, "nn1"], // loads and stores of lanes
    [92, 93, "nn"], // loads with zeros
    [94, 255, ""],
  ]),
};

function table(rows) {
  const operands = [];
  for (const [first, last, kinds] of rows) for (let code = first; code <= last; code++) operands[code] = kinds;
  return operands;
}

/** `[{ start, end, local }]`: where the instructions from `from` on name a local, and which. */
export function localsIn(bytes, from) {
  const found = [];
  for (let at = from; at < bytes.length; ) {
    const { kinds, next } = opcodeAt(bytes, at);
    at = next;
    for (const kind of kinds) {
      const end = endOf(kind, bytes, at);
      if (kind === "l") found.push({ start: at, end, local: numberAt(bytes, at).value });
      at = end;
    }
  }
  return found;
}

function endOf(kind, bytes, at) {
  if (/\d/.test(kind)) return at + Number(kind);
  let { value, next } = numberAt(bytes, at);
  if (kind === "v") for (; value > 0; value--) next = numberAt(bytes, next).next;
  return next;
}

function opcodeAt(bytes, at) {
  const second = prefixed[bytes[at]];
  const { value, next } = second ? numberAt(bytes, at + 1) : { value: bytes[at], next: at + 1 };
  const kinds = (second ?? plain)[value];
  if (kinds === undefined) throw new Error(`the instruction ${bytes[at]} ${value} at ${at} is not known`);
  return { kinds, next };
}
