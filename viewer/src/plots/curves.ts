// What a plot draws: for every pixel no more than the least and the largest value, so that long runs stay quick and no
// spike is lost. The numbers themselves are kept.
import { index_at } from "../data";

export interface Curve {
  time: Float64Array;
  values: Float64Array;
}

export interface Window {
  from: number;
  to: number; // [s]
}

export type Table = [x: number[], ...ys: (number | null | undefined)[][]];

/// Records of a curve in a window, and one beyond each end so that lines reach the border.
function range_of(time: Float64Array, window: Window): [number, number] {
  return [Math.max(0, index_at(time, window.from)), Math.min(time.length, index_at(time, window.to) + 2)];
}

/// At most two points for each of `buckets` stretches of the window, the same instants for all curves; or all records
/// where there are fewer.
export function thin(curves: Curve[], window: Window, buckets: number, factor: number): Table {
  const few = curves.every(({ time }) => {
    const [from, to] = range_of(time, window);
    return to - from <= 2 * buckets;
  });
  return few ? exact(curves, window, factor) : thinned(curves, window, buckets, factor);
}

const shown = (x: number, factor: number): number | null => (Number.isFinite(x) ? x * factor : null);

/// Curves of runs that were recorded at other instants have nothing (undefined) where the others have values: lines go
/// on across it. What was recorded and is no number is a gap (null).
function exact(curves: Curve[], window: Window, factor: number): Table {
  const times = [...new Set(curves.map((curve) => curve.time))];
  const x = [...new Set(times.flatMap((time) => Array.from(time.subarray(...range_of(time, window)))))];
  if (times.length > 1) x.sort((a, b) => a - b);
  const ys = curves.map(({ time, values }) => {
    const [from, to] = range_of(time, window);
    if (times.length === 1) return Array.from(values.subarray(from, to), (y) => shown(y, factor));
    let k = from;
    return x.map((t) => (k < to && time[k] === t ? shown(values[k++]!, factor) : undefined));
  });
  return [x, ...ys];
}

function thinned(curves: Curve[], window: Window, buckets: number, factor: number): Table {
  const width = (window.to - window.from) / buckets;
  const x: number[] = [];
  for (let b = 0; b < buckets; ++b) x.push(window.from + (b + 0.25) * width, window.from + (b + 0.75) * width);
  const ys = curves.map(({ time, values }) => {
    const y: (number | null | undefined)[] = new Array(2 * buckets);
    let k = index_at(time, window.from);
    for (let b = 0; b < buckets; ++b) {
      const end = window.from + (b + 1) * width;
      let least = Infinity;
      let largest = -Infinity;
      let least_first = true;
      let gap = false;
      for (; k < time.length && time[k]! < end; ++k) {
        const value = values[k]!;
        if (!Number.isFinite(value)) {
          gap = true;
          continue;
        }
        if (value < least) ((least = value), (least_first = false));
        if (value > largest) ((largest = value), (least_first = true));
      }
      if (least > largest) {
        y[2 * b] = y[2 * b + 1] = gap ? null : undefined;
      } else {
        y[2 * b] = shown(least_first ? least : largest, factor);
        y[2 * b + 1] = shown(least_first ? largest : least, factor);
      }
    }
    return y;
  });
  return [x, ...ys];
}
