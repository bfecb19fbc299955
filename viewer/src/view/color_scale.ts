// Colours of a quantity from nothing to its largest value: dark blue over green to yellow, even in lightness.
import { Color } from "three";

const stops = ["#3b2a7a", "#3f528b", "#2f7a8e", "#23a083", "#5cc863", "#b5de2b", "#fde725"];
const steps = 256;

/// Red, green and blue of each step, as materials take them.
const table = new Float32Array(3 * steps);
const [low, high] = [new Color(), new Color()];
for (let k = 0; k < steps; ++k) {
  const at = (k / (steps - 1)) * (stops.length - 1);
  const from = Math.min(Math.floor(at), stops.length - 2);
  low.set(stops[from]!).lerp(high.set(stops[from + 1]!), at - from);
  low.toArray(table, 3 * k);
}

/// `share` of the largest value, in [0, 1]; three components go to `to`.
export function paint(share: number, to: Float32Array, at: number): void {
  const k = 3 * Math.round(Math.min(Math.max(share, 0), 1) * (steps - 1));
  to[at] = table[k]!;
  to[at + 1] = table[k + 1]!;
  to[at + 2] = table[k + 2]!;
}

export const color_stops: readonly string[] = stops;
