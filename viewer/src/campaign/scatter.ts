// Two columns against each other, a point for each flight. Dragging selects what is in a box.
import { el } from "../dom";
import { theme_color } from "../theme";
import { brief, display_of } from "../units";
import { chosen_color, quiet_color, standing_color } from "./colors";
import type { CampaignData, FlightColumn } from "./data";
import type { Selection } from "./selection";
import { listen, Surface, type Box } from "./surface";
import { fitting, title_of } from "./text";

const within = 14; // a press chooses the nearest flight that is no farther [px]
const many = 3000; // with more flights points are small squares

export class Scatter {
  readonly element: HTMLElement;
  private readonly surface: Surface;
  private readonly tip = el("div", { class: "tip", set: { hidden: true } });
  private x: number;
  private y: number;

  constructor(
    private readonly data: CampaignData,
    private readonly selection: Selection,
    axes: { x: number; y: number },
  ) {
    this.x = axes.x;
    this.y = axes.y;
    this.surface = new Surface("Flights as points: drag to select those in a box", 3, null, () => this.draw());
    this.surface.element.append(this.tip);
    this.element = this.surface.element;
    this.element.classList.add("scatter");
    selection.changed.add(() => this.draw_points());
    selection.chosen_changed.add(() => this.draw_chosen());
    listen(this.surface, {
      drag: (from, to) => this.select(from, to),
      press: ({ x, y }) => {
        const k = this.nearest(x, y);
        if (k >= 0) this.selection.choose(k);
      },
      clear: () => this.selection.set([this.x, null], [this.y, null]),
      hover: (at) => this.hover(at),
    });
  }

  show(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.draw();
  }

  private get across(): FlightColumn {
    return this.data.columns[this.x]!;
  }
  private get up(): FlightColumn {
    return this.data.columns[this.y]!;
  }
  private get box(): Box {
    const { width, height } = this.surface;
    return { left: 62, top: 12, width: Math.max(10, width - 62 - 16), height: Math.max(10, height - 12 - 40) };
  }

  private draw(): void {
    this.draw_axes();
    this.draw_points();
  }

  private draw_axes(): void {
    const pen = this.surface.pen(0);
    const { left, top, width, height } = this.box;
    pen.strokeStyle = theme_color("--grid");
    pen.fillStyle = theme_color("--quiet");
    pen.lineWidth = 1;
    pen.textAlign = "center";
    pen.beginPath();
    for (const { at, label } of this.across.axis.ticks(width / 90)) {
      const x = Math.round(left + at * width) + 0.5;
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
      pen.fillText(label, x, top + height + 15);
    }
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const { at, label } of this.up.axis.ticks(height / 46)) {
      const y = Math.round(top + (1 - at) * height) + 0.5;
      pen.moveTo(left, y);
      pen.lineTo(left + width, y);
      pen.fillText(label, left - 7, y);
    }
    pen.stroke();
    pen.strokeStyle = theme_color("--line");
    pen.strokeRect(left + 0.5, top + 0.5, width, height);
    pen.fillStyle = theme_color("--text");
    pen.font = "600 12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "alphabetic";
    pen.fillText(fitting(pen, title_of(this.across), width), left + width / 2, top + height + 33);
    pen.translate(14, top + height / 2);
    pen.rotate(-Math.PI / 2);
    pen.fillText(fitting(pen, title_of(this.up), height), 0, 0);
    this.draw_limits();
  }

  /// Where requirements end.
  private draw_limits(): void {
    const pen = this.surface.pen(1);
    const { left, top, width, height } = this.box;
    pen.strokeStyle = theme_color("--flight-bad");
    pen.setLineDash([6, 4]);
    pen.beginPath();
    for (const { measure, below, above } of this.data.campaign.requirements) {
      const column = this.data.campaign.inputs + measure;
      for (const bound of [below, above]) {
        if (bound === null) continue;
        const at = this.data.columns[column]!.axis.place(bound);
        if (!(at >= 0 && at <= 1)) continue;
        if (column === this.x) {
          pen.moveTo(left + at * width, top);
          pen.lineTo(left + at * width, top + height);
        }
        if (column === this.y) {
          pen.moveTo(left, top + (1 - at) * height);
          pen.lineTo(left + width, top + (1 - at) * height);
        }
      }
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  private draw_points(): void {
    if (!this.surface.width) return;
    const pen = this.surface.pen(2);
    const { mask } = this.selection;
    const { size, standing } = this.data;
    const squares = size > many;
    const radius = squares ? 1.3 : size > 500 ? 2.2 : 3.2;
    const alpha = squares ? 0.45 : 0.7;
    if (!this.selection.everything) {
      pen.globalAlpha = 0.55;
      this.points(pen, quiet_color(), radius, squares, (k) => !mask[k]);
    }
    pen.globalAlpha = alpha;
    for (const s of [0, 1, 2])
      this.points(pen, standing_color(s), radius, squares, (k) => !!mask[k] && standing[k] === s);
    pen.globalAlpha = 1;
    this.draw_box(pen);
    this.draw_ring(pen);
  }

  private points(
    pen: CanvasRenderingContext2D,
    color: string,
    radius: number,
    squares: boolean,
    which: (k: number) => boolean,
  ): void {
    const { left, top, width, height } = this.box;
    const { places: xs } = this.across;
    const { places: ys } = this.up;
    pen.fillStyle = color;
    if (!squares) pen.beginPath();
    for (let k = 0; k < xs.length; ++k) {
      if (!which(k)) continue;
      const [x, y] = [left + xs[k]! * width, top + (1 - ys[k]!) * height];
      if (!(x === x && y === y)) continue; // no number
      if (squares) pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        pen.moveTo(x + radius, y);
        pen.arc(x, y, radius, 0, 2 * Math.PI);
      }
    }
    if (!squares) pen.fill();
  }

  private draw_box(pen: CanvasRenderingContext2D): void {
    const [a, b] = [this.selection.interval(this.x), this.selection.interval(this.y)];
    if (!a && !b) return;
    const { left, top, width, height } = this.box;
    const clamp = (p: number) => Math.min(Math.max(p, 0), 1);
    const [x0, x1] = a ? [clamp(a.from), clamp(a.to)] : [0, 1];
    const [y0, y1] = b ? [clamp(b.from), clamp(b.to)] : [0, 1];
    pen.globalAlpha = 0.1;
    pen.fillStyle = theme_color("--accent");
    pen.fillRect(left + x0 * width, top + (1 - y1) * height, (x1 - x0) * width, (y1 - y0) * height);
    pen.globalAlpha = 1;
    pen.strokeStyle = theme_color("--accent");
    pen.strokeRect(left + x0 * width, top + (1 - y1) * height, (x1 - x0) * width, (y1 - y0) * height);
  }

  private draw_chosen(): void {
    if (this.surface.width) this.draw_points();
  }
  private draw_ring(pen: CanvasRenderingContext2D): void {
    const k = this.selection.chosen;
    if (k < 0) return;
    const { left, top, width, height } = this.box;
    const [x, y] = [left + this.across.places[k]! * width, top + (1 - this.up.places[k]!) * height];
    if (!(x === x && y === y)) return;
    pen.beginPath();
    pen.arc(x, y, 6.5, 0, 2 * Math.PI);
    pen.lineWidth = 4;
    pen.strokeStyle = theme_color("--card");
    pen.stroke();
    pen.lineWidth = 2.5;
    pen.strokeStyle = chosen_color();
    pen.stroke();
    pen.lineWidth = 1;
  }

  private select(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const { left, top, width, height } = this.box;
    const xs = [(from.x - left) / width, (to.x - left) / width].sort((a, b) => a - b);
    const ys = [1 - (from.y - top) / height, 1 - (to.y - top) / height].sort((a, b) => a - b);
    this.tip.hidden = true;
    if (this.x === this.y) this.selection.set([this.x, { from: xs[0]!, to: xs[1]! }]);
    else this.selection.set([this.x, { from: xs[0]!, to: xs[1]! }], [this.y, { from: ys[0]!, to: ys[1]! }]);
  }

  /// Selected ones before others.
  private nearest(px: number, py: number): number {
    const { left, top, width, height } = this.box;
    const { mask } = this.selection;
    let [best, least] = [-1, within * within];
    for (let k = 0; k < this.data.size; ++k) {
      const dx = left + this.across.places[k]! * width - px;
      const dy = top + (1 - this.up.places[k]!) * height - py;
      const distance = (dx * dx + dy * dy) * (mask[k] ? 1 : 4);
      if (distance < least) [best, least] = [k, distance];
    }
    return best;
  }

  private hover(at: { x: number; y: number } | null): void {
    const k = at ? this.nearest(at.x, at.y) : -1;
    this.tip.hidden = k < 0;
    if (k < 0 || !at) return;
    const line = ({ name, unit, values }: FlightColumn) => {
      const shown = display_of(unit);
      return el("div", {}, `${name} ${brief(values[k]! * shown.factor)} ${shown.unit}`);
    };
    this.tip.replaceChildren(el("b", {}, `Flight ${this.data.number[k]}`), line(this.across), line(this.up));
    const left = at.x > this.surface.width / 2;
    this.tip.style.transform =
      `translate(${(at.x + (left ? -14 : 14)).toFixed(0)}px, ${(at.y + 12).toFixed(0)}px)` +
      (left ? " translateX(-100%)" : "");
  }
}
