// One quantity against another: paths that pass through their records in the order of time.
import type uPlot from "uplot";
import { index_at } from "../data";
import type { Window } from "./curves";

export interface Path {
  time: Float64Array;
  x: Float64Array;
  y: Float64Array; // all in the units shown
  color: () => string;
  dash: number[] | null;
}

type Range = [least: number, largest: number];

/// Records of a stretch of time: from, and one beyond the last.
function records_in({ time }: Path, { from, to }: Window): [from: number, end: number] {
  const first = index_at(time, from);
  return [time[first]! < from ? first + 1 : first, index_at(time, to) + 1];
}

/// Of the finite values in a stretch of time; not ordered where there are none.
export function range_of(paths: Path[], window: Window, which: "x" | "y"): Range {
  const range: Range = [Infinity, -Infinity];
  for (const path of paths) {
    const [from, end] = records_in(path, window);
    for (let k = from; k < end; ++k) {
      const value = path[which][k]!;
      if (!Number.isFinite(path.x[k]! + path.y[k]!)) continue;
      range[0] = Math.min(range[0], value);
      range[1] = Math.max(range[1], value);
    }
  }
  return range;
}

/// Into the chart, over its grid. Points that are closer than half a pixel to the last one drawn are passed over.
export function draw_paths(chart: uPlot, paths: Path[], window: Window): void {
  const { ctx: pen, bbox } = chart;
  pen.save();
  pen.beginPath();
  pen.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  pen.clip();
  pen.lineWidth = 1.4 * devicePixelRatio;
  pen.lineJoin = "round";
  for (const path of paths) {
    pen.strokeStyle = path.color();
    pen.setLineDash((path.dash ?? []).map((length) => length * devicePixelRatio));
    pen.beginPath();
    const [from, end] = records_in(path, window);
    let [last_x, last_y] = [NaN, NaN]; // no number: the next point begins a line
    for (let k = from; k < end; ++k) {
      const x = chart.valToPos(path.x[k]!, "x", true);
      const y = chart.valToPos(path.y[k]!, "y", true);
      const is_gap = !Number.isFinite(x + y);
      if (!is_gap && Math.hypot(x - last_x, y - last_y) < 0.5 && k < end - 1) continue;
      if (!is_gap && Number.isNaN(last_x)) pen.moveTo(x, y);
      if (!is_gap) pen.lineTo(x, y);
      [last_x, last_y] = is_gap ? [NaN, NaN] : [x, y];
    }
    pen.stroke();
  }
  pen.restore();
}

/// The instant of the record that is drawn nearest to a place of the chart [px].
export function instant_at(chart: uPlot, paths: Path[], window: Window, at_x: number, at_y: number): number | null {
  let best = Infinity;
  let t: number | null = null;
  for (const path of paths) {
    const [from, end] = records_in(path, window);
    for (let k = from; k < end; ++k) {
      const away = Math.hypot(chart.valToPos(path.x[k]!, "x") - at_x, chart.valToPos(path.y[k]!, "y") - at_y);
      if (away < best) [best, t] = [away, path.time[k]!];
    }
  }
  return t;
}
