// The curves of a plot: the columns of all runs that have them, or the difference between a run and the first.
import { index_at, type RunData } from "../data";
import type { Column } from "../payload";
import { Watchers } from "../watchers";
import type { Curve } from "./curves";

export interface PlotChoice {
  title: string;
  unit: string;
  names: string[]; // of columns of that unit
}

export interface Entry {
  data: RunData; // the run whose instants the curve has
  column: Column;
  label: string;
  color: number;
  dash: number[] | null;
  curve: Curve;
}

export const curve_colors = 8;

/// Whether plots show runs, or what they differ by from the first.
export class Difference {
  on = false;
  readonly changed = new Watchers();

  set(on: boolean): void {
    this.on = on;
    this.changed.tell();
  }
}

export async function entries_of(choice: PlotChoice, runs: RunData[], difference: boolean): Promise<Entry[]> {
  const entries: Entry[] = [];
  const [first] = runs;
  for (const [r, data] of runs.entries()) {
    if (difference && data === first) continue;
    for (const [k, name] of choice.names.entries()) {
      const column = data.find(name);
      const other = difference ? first!.find(name) : undefined;
      if (column?.unit !== choice.unit || (difference && other?.unit !== choice.unit)) continue;
      const curve = { time: data.time, values: await data.values(column) };
      const again = k >= curve_colors; // colours are used twice: dotted
      entries.push({
        data: other ? first! : data,
        column,
        label: other
          ? `${name} · ${data.short_label} − ${first!.short_label}`
          : runs.length > 1
            ? `${name} · ${data.short_label}`
            : name,
        color: k % curve_colors,
        dash: (difference ? r > 1 : r > 0) ? [6, 4] : again ? [2, 3] : null,
        curve: other ? difference_of({ time: first!.time, values: await first!.values(other) }, curve) : curve,
      });
    }
  }
  return entries;
}

/// b - a at the instants of a, b along straight lines between its records. No number where b has not begun or has ended.
export function difference_of(a: Curve, b: Curve): Curve {
  const values = new Float64Array(a.time.length).fill(NaN);
  const last = b.time.length - 1;
  for (let i = 0; i < values.length; ++i) {
    const t = a.time[i]!;
    if (!(t >= b.time[0]! && t <= b.time[last]!)) continue;
    const k = index_at(b.time, t);
    const from = b.values[k]!;
    const share = k < last ? (t - b.time[k]!) / (b.time[k + 1]! - b.time[k]!) : 0;
    values[i] = (share > 0 ? from + share * (b.values[k + 1]! - from) : from) - a.values[i]!;
  }
  return { time: a.time, values };
}

/// For a logarithmic axis: without signs, and without zeros, which have no place on it.
export function magnitudes({ time, values }: Curve): Curve {
  return { time, values: values.map((x) => (x === 0 ? NaN : Math.abs(x))) };
}
