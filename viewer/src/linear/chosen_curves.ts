// Which responses the Bode and Nichols diagrams show.
import { el } from "../dom";
import { Watchers } from "../watchers";
import type { BodeCurve } from "./data";

export class ChosenCurves {
  readonly changed = new Watchers();
  private readonly shown: boolean[];

  /// At first a loop if there is one, else the first response.
  constructor(readonly all: BodeCurve[]) {
    const first = Math.max(
      0,
      all.findIndex(({ margins }) => margins !== null),
    );
    this.shown = all.map((_, k) => k === first);
  }

  get list(): { curve: BodeCurve; color: string; number: number }[] {
    return this.all
      .map((curve, number) => ({ curve, number, color: `var(--curve-${number % 8})` }))
      .filter(({ number }) => this.shown[number]);
  }

  /// One button for each.
  chips(): HTMLElement {
    const buttons = this.all.map((curve, k) =>
      el(
        "button",
        {
          class: "chip",
          set: { type: "button", "aria-pressed": this.shown[k]!, style: `--chip: var(--curve-${k % 8})` },
          on: {
            click: () => {
              this.shown[k] = !this.shown[k];
              this.changed.tell();
            },
          },
        },
        el("i", {}),
        el("span", {}, curve.title),
      ),
    );
    const mark = () => buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(this.shown[k])));
    mark();
    this.changed.add(mark);
    return el("div", { class: "chips" }, ...buttons);
  }
}

/// The value of a curve over ascending frequencies, between its points along log frequency.
export function value_at(frequency: Float64Array, values: Float64Array, w: number): number {
  const last = frequency.length - 1;
  if (last < 0 || w < frequency[0]! * (1 - 1e-12) || w > frequency[last]! * (1 + 1e-12)) return NaN;
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (frequency[middle]! <= w) low = middle;
    else high = middle;
  }
  const [a, b] = [frequency[low]!, frequency[high]!];
  const s = b > a ? Math.log(w / a) / Math.log(b / a) : 0;
  return values[low]! + (values[high]! - values[low]!) * s;
}

/// Of margins those nearest to the limit, which are told by name.
export const most_named = 4;

/// The odd multiple of 180 deg that a phase is measured from.
export const critical_phase = (phase: number, margin: number) => 180 + 360 * Math.round((phase - margin - 180) / 360);
