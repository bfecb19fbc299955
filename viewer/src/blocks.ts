// Numbers from the bytes of a block: payload.ts says how they were made.
import type { Block } from "./payload";

export type Numbers = Float64Array | Float32Array | Uint32Array;
const kinds = { f64: Float64Array, f32: Float32Array, u32: Uint32Array };

export function restore(block: Block, bytes: Uint8Array): Numbers {
  const { count, order, parts, type } = block;
  const kind = kinds[type];
  const width = kind.BYTES_PER_ELEMENT;
  if (bytes.length !== count * width) {
    throw new Error(`this page is damaged: block ${block.block} has ${bytes.length} bytes`);
  }
  const words = Array.from({ length: width / 4 }, (_, k) => word(bytes, count, 4 * k)); // the lower half first
  if (order > 0) {
    unfold(words);
    for (let k = 0; k < order; ++k) add_up(words);
    if (type !== "u32") to_bits(words);
  }
  return new kind(interleaved(words, count, parts).buffer);
}

/// Four bytes of each number, of which there are all first ones, then all second ones, ..
function word(bytes: Uint8Array, count: number, first: number): Uint32Array {
  const result = new Uint32Array(count);
  const [a, b, c, d] = [first * count, (first + 1) * count, (first + 2) * count, (first + 3) * count];
  for (let i = 0; i < count; ++i) {
    result[i] = bytes[a + i]! | (bytes[b + i]! << 8) | (bytes[c + i]! << 16) | (bytes[d + i]! << 24);
  }
  return result;
}

/// 0, 1, 2, 3, .. are 0, -1, 1, -2, ..
function unfold([low, high]: Uint32Array[]): void {
  for (let i = 0; i < low!.length; ++i) {
    const sign = -(low![i]! & 1);
    low![i] = ((low![i]! >>> 1) | ((high?.[i] ?? 0) << 31)) ^ sign;
    if (high) high[i] = (high[i]! >>> 1) ^ sign;
  }
}

/// Sums of all up to each, modulo their width: an array keeps the bits that fit.
function add_up([low, high]: Uint32Array[]): void {
  for (let i = 1; i < low!.length; ++i) {
    const sum = low![i]! + low![i - 1]!;
    low![i] = sum;
    if (high) high[i] = high[i]! + high[i - 1]! + (sum > 0xffffffff ? 1 : 0);
  }
}

/// The bits of the floating-point numbers in whose order the integers are.
function to_bits(words: Uint32Array[]): void {
  const top = words[words.length - 1]!;
  for (let i = 0; i < top.length; ++i) {
    if (top[i]! & 0x80000000) top[i] = top[i]! ^ 0x80000000;
    else for (const w of words) w[i] = ~w[i]!;
  }
}

function interleaved(words: Uint32Array[], count: number, parts: number): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(count * words.length);
  words.forEach((word, k) => {
    let from = 0;
    for (let part = 0; part < parts; ++part) {
      for (let i = part; i < count; i += parts) result[i * words.length + k] = word[from++]!;
    }
  });
  return result;
}
