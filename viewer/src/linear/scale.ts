// Axes of diagrams: from values to places and back, and where ticks stand.

/// `signed`: linear about zero as far as `threshold`, logarithmic beyond it on both sides.
export type AxisKind = "linear" | "logarithmic" | "signed";

export interface Tick {
  at: number;
  label: string; // empty: a line without a label
}

export class Scale {
  constructor(
    readonly kind: AxisKind,
    readonly from: number,
    readonly to: number,
    private readonly threshold = 1,
    private readonly step = 0, // of ticks, where they should be multiples of something: 45 degrees
  ) {}

  within(from: number, to: number): Scale {
    return new Scale(this.kind, from, to, this.threshold, this.step);
  }

  /// 0 at `from`, 1 at `to`.
  place(x: number): number {
    const a = this.forward(this.from);
    return (this.forward(x) - a) / (this.forward(this.to) - a);
  }
  value(place: number): number {
    const a = this.forward(this.from);
    return this.backward(a + place * (this.forward(this.to) - a));
  }

  /// About `count` of them, fewer where there is no nice number.
  ticks(count: number): Tick[] {
    if (this.kind === "linear") return this.linear_ticks(count);
    const list: number[] = [];
    const add = (x: number) => x >= this.from && x <= this.to && list.push(x);
    const largest = Math.max(Math.abs(this.from), Math.abs(this.to));
    const least = this.kind === "signed" ? this.threshold : Math.max(this.from, 1e-300);
    const beyond = (end: number) => (end > least ? Math.log10(end / least) : 0); // decades
    const decades = this.kind === "signed" ? beyond(this.to) + beyond(-this.from) : Math.log10(largest / least);
    const every = Math.max(1, Math.ceil(decades / count));
    for (let e = Math.floor(Math.log10(least)); e <= Math.log10(largest) + 1e-9; ++e) {
      if (((e % every) + every) % every !== 0) continue;
      add(10 ** e);
      if (this.kind === "signed") add(-(10 ** e));
    }
    if (this.kind === "signed") add(0);
    if (list.length < 3) return this.linear_ticks(count);
    return list.sort((a, b) => a - b).map((at) => ({ at, label: decade(at) }));
  }

  private linear_ticks(count: number): Tick[] {
    const span = this.to - this.from;
    const rough = span / Math.max(1, count);
    const power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? 10 * power;
    if (this.step > 0 && span > this.step) step = this.step * Math.max(1, Math.ceil(rough / this.step));
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const list: Tick[] = [];
    for (let k = Math.ceil(this.from / step - 1e-9); k * step <= this.to + 1e-9 * span && list.length < 50; ++k) {
      const at = k * step;
      const size = Math.max(Math.abs(this.from), Math.abs(this.to));
      const text = size < 1e5 && digits < 6 ? at.toFixed(digits) : Number(at.toPrecision(6)).toExponential();
      list.push({ at, label: k === 0 ? "0" : text.replace("-", "−").replace("e+", "e") });
    }
    return list;
  }

  private forward(x: number): number {
    if (this.kind === "linear") return x;
    if (this.kind === "logarithmic") return Math.log10(Math.max(x, 1e-300));
    return Math.asinh(x / this.threshold);
  }
  private backward(y: number): number {
    if (this.kind === "linear") return y;
    return this.kind === "logarithmic" ? 10 ** y : Math.sinh(y) * this.threshold;
  }
}

function decade(x: number): string {
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text =
    size >= 1e-3 && size < 1e5 ? String(Number(size.toPrecision(3))) : size.toExponential(0).replace("e+", "e");
  return (x < 0 ? "−" : "") + text.replace("-", "−");
}
