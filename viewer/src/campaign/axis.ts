// Where the values of a column stand on an axis, from 0 to 1. Infinite ones have places of their own at the ends.
import { Scale, type Tick } from "../linear/scale";
import { display_of } from "../units";

const room_for_infinity = 0.09; // of the axis
const margin = 0.02; // beyond the smallest and the largest value

export class Axis {
  readonly from: number;
  readonly to: number; // of the finite values
  private readonly first: number;
  private readonly span: number; // places of these

  constructor(
    values: Float64Array,
    readonly unit: string,
  ) {
    let [least, largest] = [Infinity, -Infinity];
    let [below, beyond] = [false, false];
    for (const x of values) {
      if (x === Infinity) beyond = true;
      else if (x === -Infinity) below = true;
      else if (x < least || x > largest) {
        least = Math.min(least, x);
        largest = Math.max(largest, x);
      }
    }
    if (!(least <= largest)) [least, largest] = [0, 1];
    if (least === largest) {
      const half = Math.abs(least) * 0.05 || 0.5;
      [least, largest] = [least - half, largest + half];
    }
    const more = margin * (largest - least);
    this.from = least - more;
    this.to = largest + more;
    this.first = below ? room_for_infinity : 0;
    this.span = 1 - this.first - (beyond ? room_for_infinity : 0);
  }

  place(x: number): number {
    if (x === Infinity) return this.first + this.span < 1 ? 1 : NaN;
    if (x === -Infinity) return this.first > 0 ? 0 : NaN;
    return this.first + (this.span * (x - this.from)) / (this.to - this.from);
  }
  value(place: number): number {
    if (this.has_infinity && place > 1 - room_for_infinity / 2) return Infinity;
    if (this.first > 0 && place < room_for_infinity / 2) return -Infinity;
    return this.from + ((place - this.first) / this.span) * (this.to - this.from);
  }

  get has_infinity(): boolean {
    return this.first + this.span < 1;
  }

  /// About `count` of them, in the unit that is shown; `at` is a place.
  ticks(count: number): Tick[] {
    const { factor } = display_of(this.unit);
    const list = new Scale("linear", this.from * factor, this.to * factor)
      .ticks(Math.max(2, count))
      .map(({ at, label }) => ({ at: this.place(at / factor), label }));
    if (this.has_infinity) list.push({ at: 1, label: "∞" });
    if (this.first > 0) list.unshift({ at: 0, label: "−∞" });
    return list;
  }
}
