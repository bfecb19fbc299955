// Modes and margins in a few words.
import type { Mode } from "../payload";
import { brief } from "../units";

const signed = (x: number, digits: number) => `${x < 0 ? "−" : "+"} ${brief(Math.abs(x), digits)}`;

export function eigenvalue_text([real, imaginary]: [number, number], both = true): string {
  if (imaginary === 0) return `${brief(real, 5)} 1/s`;
  const sign = both ? `± ${brief(Math.abs(imaginary), 5)}` : signed(imaginary, 5);
  return `${brief(real, 5)} ${sign}i 1/s`;
}

/// Natural frequency and damping ratio of any eigenvalue.
export function pole_text(real: number, imaginary: number): string {
  const size = Math.hypot(real, imaginary);
  if (size === 0) return "zero";
  if (imaginary === 0) return `time constant ${brief(-1 / real, 4)} s`;
  return `${brief(size / (2 * Math.PI), 5)} Hz, damping ratio ${brief(-real / size, 4)}`;
}

/// "0.4213 Hz, damping ratio 0.012", "time constant 3.2 s", "rigid body"
export function mode_text(mode: Mode): string {
  if (mode.neutral) return mode.rigid ? "rigid body" : "neutral";
  return pole_text(...mode.eigenvalue);
}
