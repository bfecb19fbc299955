// The range of an axis, and what stands beside its ticks.

/// A little more than the values need; something about a constant.
export function room(least: number, largest: number): [number, number] {
  if (!(least <= largest)) return [-1, 1];
  const span = largest - least;
  const size = Math.max(Math.abs(least), Math.abs(largest));
  if (!Number.isFinite(span)) return [least / 2, largest / 2];
  if (span > size * 1e-12) return [least - 0.06 * span, largest + 0.06 * span];
  return size > 0 ? [least - 0.1 * size, largest + 0.1 * size] : [-1, 1];
}

/// Digits enough to tell neighbours apart, and no more.
export function tick_labels(ticks: number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs));
  const step = Math.min(
    ...ticks
      .slice(1)
      .map((t, k) => t - ticks[k]!)
      .filter((d) => d > 0),
    size || 1,
  );
  const digits = Math.min(15, Math.max(1, Math.ceil(Math.log10(size / step)) + 2));
  const plain = size >= 1e-3 && size < 1e6;
  return ticks.map((t) => {
    const rounded = Math.abs(t) < step * 1e-6 ? 0 : Number(t.toPrecision(digits));
    if (rounded === 0) return "0";
    return (plain ? String(rounded) : short_exponent(rounded)).replaceAll("-", "−");
  });
}

function short_exponent(x: number): string {
  const size = Math.abs(x);
  return size >= 1e-3 && size < 1e6 ? String(x) : x.toExponential().replace("e+", "e");
}

/// Whole decades about the values, at most as many as a double can tell from the largest.
export function decades(least: number, largest: number): [number, number] {
  if (!(least <= largest) || !(largest > 0)) return [0.1, 10];
  const to = 10 ** Math.min(308, Math.max(-306, Math.ceil(Math.log10(largest))));
  const from = 10 ** Math.max(-307, Math.floor(Math.log10(Math.max(least, largest * 1e-16, 1e-307))));
  return from < to ? [from, to] : [from / 10, to];
}

/// Ticks of a logarithmic axis; those that have no room for a label are null.
export function decade_labels(ticks: (number | null)[]): string[] {
  return ticks.map((t) => {
    if (t === null) return "";
    const rounded = Number(t.toPrecision(3));
    return short_exponent(rounded).replaceAll("-", "−");
  });
}
