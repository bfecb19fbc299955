// How often a column has which values, over all flights and over those that are selected. Dragging selects.
import { theme_color } from "../theme";
import { chosen_color, quiet_color, standing_color } from "./colors";
import { violates, type CampaignData, type FlightColumn } from "./data";
import type { Selection } from "./selection";
import { listen, Surface, type Box } from "./surface";

export class Histogram {
  readonly element: HTMLElement;
  private readonly surface: Surface;
  private readonly of: FlightColumn;
  private readonly bins: number;
  private readonly bin: Uint16Array; // by flight; `bins`: no number
  private readonly most: number;

  constructor(
    private readonly data: CampaignData,
    private readonly selection: Selection,
    private readonly column: number,
    private readonly bounds: number[], // of requirements
    tall = 128, // [px]
  ) {
    this.of = data.columns[column]!;
    this.bins = Math.round(Math.min(80, Math.max(12, Math.sqrt(data.size))));
    this.bin = Uint16Array.from(this.of.places, (p) =>
      p === p ? Math.min(this.bins - 1, Math.floor(p * this.bins)) : this.bins,
    );
    const all = new Uint32Array(this.bins + 1);
    for (const b of this.bin) ++all[b]!;
    this.most = Math.max(1, ...all.subarray(0, this.bins));
    this.surface = new Surface(`Histogram of ${this.of.name}: drag to select`, 1, tall, () => this.draw());
    this.element = this.surface.element;
    this.element.classList.add("histogram");
    selection.changed.add(() => this.draw());
    selection.chosen_changed.add(() => this.draw());
    listen(this.surface, {
      drag: (from, to) => {
        const { left, width } = this.box;
        const ends = [(from.x - left) / width, (to.x - left) / width].sort((a, b) => a - b);
        selection.set([column, { from: ends[0]!, to: ends[1]! }]);
      },
      press: () => selection.set([column, null]),
    });
  }

  private get box(): Box {
    const { width, height } = this.surface;
    return { left: 40, top: 8, width: Math.max(10, width - 52), height: height - 8 - 20 };
  }

  private draw(): void {
    if (!this.surface.width) return;
    const pen = this.surface.pen(0);
    const { left, top, width, height } = this.box;
    this.draw_axes(pen);
    const { mask } = this.selection;
    const all = new Uint32Array(this.bins + 1);
    const good = new Uint32Array(this.bins + 1);
    const bad = new Uint32Array(this.bins + 1);
    for (let k = 0; k < this.bin.length; ++k) {
      const b = this.bin[k]!;
      ++all[b]!;
      if (mask[k]) ++(this.data.standing[k] ? bad : good)[b]!;
    }
    const step = width / this.bins;
    const up = (n: number) => (n / this.most) * height;
    for (let b = 0; b < this.bins; ++b) {
      const [x, wide] = [left + b * step, Math.max(1, step - 1)];
      const rest = all[b]! - good[b]! - bad[b]!;
      const bar = (from: number, n: number, color: string): void => {
        if (!n) return;
        pen.fillStyle = color;
        const tall = Math.max(n > 0 ? 1 : 0, up(n));
        pen.fillRect(x, top + height - up(from) - tall, wide, tall);
      };
      bar(0, good[b]!, standing_color(0));
      bar(good[b]!, bad[b]!, standing_color(violates));
      bar(good[b]! + bad[b]!, rest, quiet_color());
    }
    this.draw_marks(pen);
  }

  private draw_axes(pen: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.box;
    pen.fillStyle = theme_color("--quiet");
    pen.strokeStyle = theme_color("--grid");
    pen.textAlign = "center";
    pen.beginPath();
    for (const { at, label } of this.of.axis.ticks(width / 80)) {
      const x = Math.round(left + at * width) + 0.5;
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
      pen.fillText(label, Math.min(x, left + width - 6), top + height + 14);
    }
    pen.stroke();
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const n of [0, this.most]) {
      pen.fillText(n.toLocaleString("en-US"), left - 6, top + height - (n / this.most) * height + (n ? 4 : -4));
    }
    pen.textBaseline = "alphabetic";
    pen.strokeStyle = theme_color("--line");
    pen.beginPath();
    pen.moveTo(left, top + height + 0.5);
    pen.lineTo(left + width, top + height + 0.5);
    pen.stroke();
  }

  private draw_marks(pen: CanvasRenderingContext2D): void {
    const { left, top, width, height } = this.box;
    const brush = this.selection.interval(this.column);
    if (brush) {
      const [from, to] = [Math.max(brush.from, 0), Math.min(brush.to, 1)];
      pen.globalAlpha = 0.13;
      pen.fillStyle = theme_color("--accent");
      pen.fillRect(left + from * width, top, (to - from) * width, height);
      pen.globalAlpha = 1;
      pen.strokeStyle = theme_color("--accent");
      pen.strokeRect(left + from * width, top + 0.5, (to - from) * width, height - 1);
    }
    pen.strokeStyle = theme_color("--flight-bad");
    pen.setLineDash([6, 4]);
    for (const bound of this.bounds) {
      const at = this.of.axis.place(bound);
      if (!(at >= 0 && at <= 1)) continue;
      pen.beginPath();
      pen.moveTo(left + at * width, top - 6);
      pen.lineTo(left + at * width, top + height);
      pen.stroke();
    }
    pen.setLineDash([]);
    const chosen = this.selection.chosen >= 0 ? this.of.places[this.selection.chosen]! : NaN;
    if (!(chosen === chosen)) return;
    const x = left + chosen * width;
    pen.fillStyle = chosen_color();
    pen.fillRect(x - 1, top, 2, height);
    pen.beginPath();
    pen.moveTo(x - 5, top - 6);
    pen.lineTo(x + 5, top - 6);
    pen.lineTo(x, top + 2);
    pen.fill();
  }
}
