// What a plot draws. A curve with many records in sight is drawn by the least and the largest value of each stretch of
// time as wide as a pixel or less, so that long runs stay quick and no spike is lost; one with few, by its records. The
// numbers themselves are kept.
import { index_at } from "../data";

export interface Curve {
  time: Float64Array;
  values: Float64Array;
}

export interface Window {
  from: number;
  to: number; // [s]
}

/// Instants, and for each curve its values there. Where a curve has none of its own (undefined), its line goes on; what
/// was recorded and is no number is a gap in it (null).
export type Table = [x: number[], ...ys: (number | null | undefined)[][]];
type Points = [t: number, y: number | null][];

/// No more than two points for each of `buckets` stretches of the window, and one for each gap.
export function thin(curves: Curve[], window: Window, buckets: number, factor: number): Table {
  return joined(
    curves.map((curve) => {
      const [from, to] = in_sight(curve.time, window);
      return to - from <= 2 * buckets
        ? records(curve, from, to, factor)
        : extremes(curve, from, to, window, buckets, factor);
    }),
  );
}

/// Records in the window, and one beyond each end so that lines reach the border.
function in_sight(time: Float64Array, window: Window): [from: number, to: number] {
  return [index_at(time, window.from), Math.min(time.length, index_at(time, window.to) + 2)];
}

function records({ time, values }: Curve, from: number, to: number, factor: number): Points {
  const points: Points = [];
  for (let k = from; k < to; ++k) points.push([time[k]!, Number.isFinite(values[k]!) ? values[k]! * factor : null]);
  return points;
}

function extremes(
  { time, values }: Curve,
  from: number,
  to: number,
  window: Window,
  buckets: number,
  factor: number,
): Points {
  const points: Points = [];
  const width = (window.to - window.from) / buckets;
  for (let k = from, bucket = 0; k < to; ++bucket) {
    const last = bucket >= buckets - 1;
    const end = window.from + (bucket + 1) * width;
    let least = -1;
    let largest = -1; // records
    let gap = false;
    for (; k < to && (last || time[k]! < end); ++k) {
      if (!Number.isFinite(values[k]!)) gap = true;
      else {
        if (least < 0 || values[k]! < values[least]!) least = k;
        if (largest < 0 || values[k]! > values[largest]!) largest = k;
      }
    }
    // at the same instants for all curves, which is less than a pixel away from their own
    const put = (share: number, y: number | null) => points.push([end - (1 - share) * width, y]);
    if (least >= 0) put(0.25, values[Math.min(least, largest)]! * factor);
    if (least !== largest) put(0.75, values[Math.max(least, largest)]! * factor);
    if (gap) put(0.95, null);
  }
  return points;
}

/// Curves with instants of their own in one table.
function joined(curves: Points[]): Table {
  const x = [...new Set(curves.flatMap((points) => points.map(([t]) => t)))].sort((a, b) => a - b);
  const ys = curves.map((points) => {
    let k = 0;
    return x.map((t) => {
      let y: number | null | undefined;
      for (; k < points.length && points[k]![0] <= t; ++k) y = points[k]![1]; // of equal instants, the last
      return y;
    });
  });
  return [x, ...ys];
}
