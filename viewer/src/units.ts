// How numbers and units are written.
import { Watchers } from "./watchers";

let degrees = false;
export const units_changed = new Watchers();

/// Angles are recorded in radians; the reader may want degrees.
export function set_degrees(on: boolean): void {
  degrees = on;
  units_changed.tell();
}

export interface Display {
  unit: string; // as shown: "rad/s", "N·m"
  factor: number; // from the recorded number to the one shown
}

export function display_of(unit: string): Display {
  if (degrees && (unit === "rad" || unit.startsWith("rad/"))) {
    return { unit: written(unit.replace("rad", "deg")), factor: 180 / Math.PI };
  }
  return { unit: unit === "1" ? "" : written(unit), factor: 1 };
}

const written = (unit: string) => unit.replaceAll("*", "·").replaceAll("^2", "²").replaceAll("^3", "³");

/// A few digits; exponents where they are needed.
export function brief(x: number | null | undefined, digits = 5): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e-3 && size < 1e6 ? String(Number(x.toPrecision(digits))) : exponential(x, digits);
  return text.replaceAll("-", "−");
}

function exponential(x: number, digits: number): string {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${Number(exponent)}`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/// Times of a run: as many digits as its length and interval ask for.
export function seconds(t: number, decimals: number): string {
  return t.toFixed(decimals).replace("-", "−");
}

/// Decimals that tell the first records apart as they are: 0.25 s has two.
export function decimals_for(time: Float64Array): number {
  const step = (time[1] ?? 1) - (time[0] ?? 0);
  if (!(step > 0)) return 3;
  let decimals = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const whole = () =>
    Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6 * step * 10 ** decimals;
  while (decimals < 9 && !whole()) ++decimals;
  return Math.min(decimals, 9);
}
