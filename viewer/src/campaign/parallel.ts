// Parallel coordinates: an upright axis for each column, a line through all of them for each flight. Lines are drawn a few
// milliseconds a frame, so that the page answers while thousands of them appear. Dragging along an axis selects.
import { theme_color } from "../theme";
import { chosen_color, quiet_color, standing_color } from "./colors";
import type { CampaignData, FlightColumn } from "./data";
import type { Selection } from "./selection";
import { listen, Surface, type Box } from "./surface";
import { fitting, title_of } from "./text";

const budget = 4; // of a frame [ms]
const together = 40; // lines in one path
const near_axis = 16; // [px]
const within = 10; // [px]

/// A canvas only notes what to draw, and draws it all at the end of the frame, unless something is read from it.
const finish = (pen: CanvasRenderingContext2D): void => void pen.getImageData(0, 0, 1, 1);

export class Parallel {
  readonly element: HTMLElement;
  private readonly surface: Surface;
  private next = 0; // the flight whose line comes next
  private next_quiet = 0;
  private quiet_drawn = false;
  private running = false;

  constructor(
    private readonly data: CampaignData,
    private readonly selection: Selection,
    private shown: number[], // columns
  ) {
    this.surface = new Surface("Flights as lines over all columns: drag along an axis to select", 4, null, () =>
      this.draw(),
    );
    this.element = this.surface.element;
    this.element.classList.add("parallel");
    selection.changed.add(() => this.draw_lines());
    selection.chosen_changed.add(() => this.draw_chosen());
    listen(this.surface, {
      drags: ({ x }) => this.axis_near(x) >= 0,
      drag: (from, to) => this.select(from, to),
      press: (at) => this.press(at),
      clear: () => this.selection.set(...this.shown.map((column): [number, null] => [column, null])),
      hover: (at) => (this.element.style.cursor = at && this.axis_near(at.x) >= 0 ? "ns-resize" : "pointer"),
    });
  }

  get columns(): number[] {
    return this.shown;
  }
  show(columns: number[]): void {
    this.shown = columns;
    this.draw();
  }

  private get box(): Box {
    const { width, height } = this.surface;
    const side = Math.min(64, width * 0.1);
    return { left: side, top: 34, width: Math.max(10, width - 2 * side), height: Math.max(10, height - 34 - 26) };
  }
  private x(axis: number): number {
    const { left, width } = this.box;
    return this.shown.length < 2 ? left + width / 2 : left + (width * axis) / (this.shown.length - 1);
  }
  private column(axis: number): FlightColumn {
    return this.data.columns[this.shown[axis]!]!;
  }

  private draw(): void {
    if (!this.surface.width) return;
    this.quiet_drawn = false;
    this.surface.pen(0);
    this.draw_lines();
    this.draw_chosen();
  }

  private draw_lines(): void {
    if (!this.surface.width) return;
    this.surface.pen(1);
    this.next = 0;
    if (!this.selection.everything && !this.quiet_drawn) {
      this.quiet_drawn = true;
      this.next_quiet = 0;
    } else if (!this.quiet_drawn) this.next_quiet = this.data.size;
    (this.surface.element.children[0] as HTMLElement).style.visibility = this.selection.everything
      ? "hidden"
      : "visible";
    this.draw_over();
    if (this.running) return;
    this.running = true;
    const frame = (): void => {
      this.running = this.go_on();
      if (this.running) requestAnimationFrame(frame);
    };
    frame();
  }

  /// False: all are drawn.
  private go_on(): boolean {
    const end = performance.now() + budget;
    const { size, standing } = this.data;
    const { mask } = this.selection;
    const few = this.selection.count < 400;
    const front = this.layer(1);
    front.lineWidth = few ? 1.2 : 1;
    while (this.next < size && performance.now() < end) {
      for (const s of [0, 1, 2]) {
        front.globalAlpha = few ? 0.55 : Math.max(0.03, Math.min(0.4, 200 / this.selection.count)) * (s ? 3 : 1);
        front.strokeStyle = standing_color(s);
        front.beginPath();
        for (let k = this.next; k < Math.min(this.next + together * 3, size); ++k) {
          if (mask[k] && standing[k] === s) this.line(front, k);
        }
        front.stroke();
      }
      this.next += together * 3;
      finish(front);
    }
    const back = this.layer(0);
    back.lineWidth = 1;
    back.strokeStyle = quiet_color();
    back.globalAlpha = Math.max(0.06, Math.min(0.3, 300 / size));
    while (this.next >= size && this.next_quiet < size && performance.now() < end) {
      back.beginPath();
      const last = Math.min(this.next_quiet + together, size);
      for (; this.next_quiet < last; ++this.next_quiet) this.line(back, this.next_quiet);
      back.stroke();
      finish(back);
    }
    return this.next < size || this.next_quiet < size;
  }

  /// Without clearing it.
  private layer(k: number): CanvasRenderingContext2D {
    return (this.surface.element.children[k] as HTMLCanvasElement).getContext("2d")!;
  }

  private line(pen: CanvasRenderingContext2D, k: number): void {
    const { top, height } = this.box;
    let open = false;
    for (let a = 0; a < this.shown.length; ++a) {
      const place = this.column(a).places[k]!;
      if (place !== place) {
        open = false; // no number
        continue;
      }
      const y = top + (1 - place) * height;
      if (open) pen.lineTo(this.x(a), y);
      else pen.moveTo(this.x(a), y);
      open = true;
    }
  }

  private draw_over(): void {
    if (!this.surface.width) return;
    const pen = this.surface.pen(2);
    const { top, height } = this.box;
    const gap = this.shown.length > 1 ? this.x(1) - this.x(0) : 200;
    this.shown.forEach((column, a) => {
      const x = Math.round(this.x(a)) + 0.5;
      pen.strokeStyle = theme_color("--quiet");
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x, top + height);
      pen.stroke();
      this.draw_ticks(pen, a, x);
      const of = this.data.columns[column]!;
      pen.font = `${of.kind === "measure" ? 600 : 400} 11.5px system-ui, sans-serif`;
      pen.textAlign = "center";
      pen.fillStyle = theme_color("--text");
      const lower = gap < 110 && a % 2 === 1;
      pen.fillText(fitting(pen, title_of(of), gap < 110 ? 2 * gap - 8 : gap - 8), x, lower ? 26 : 12);
      const brush = this.selection.interval(column);
      if (!brush) return;
      const [from, to] = [Math.max(brush.from, 0), Math.min(brush.to, 1)];
      pen.fillStyle = theme_color("--accent");
      pen.globalAlpha = 0.22;
      pen.fillRect(x - 7, top + (1 - to) * height, 14, (to - from) * height);
      pen.globalAlpha = 1;
      pen.strokeStyle = theme_color("--accent");
      pen.strokeRect(x - 7, top + (1 - to) * height, 14, (to - from) * height);
    });
  }

  private draw_ticks(pen: CanvasRenderingContext2D, axis: number, x: number): void {
    const { top, height } = this.box;
    const last = axis === this.shown.length - 1;
    pen.font = "10.5px system-ui, sans-serif";
    pen.textAlign = last ? "right" : "left";
    pen.textBaseline = "middle";
    for (const { at, label } of this.column(axis).axis.ticks(height / 60)) {
      const y = top + (1 - at) * height;
      pen.fillStyle = theme_color("--card");
      pen.globalAlpha = 0.8;
      const width = pen.measureText(label).width;
      const left = last ? x - 6 - width : x + 6;
      pen.fillRect(left - 1.5, y - 6.5, width + 3, 13);
      pen.globalAlpha = 1;
      pen.fillStyle = theme_color("--quiet");
      pen.fillText(label, last ? x - 6 : x + 6, y);
      pen.fillRect(x - 3, y - 0.5, 6, 1);
    }
    pen.textBaseline = "alphabetic";
  }

  private draw_chosen(): void {
    if (!this.surface.width) return;
    const pen = this.surface.pen(3);
    const k = this.selection.chosen;
    if (k < 0) return;
    for (const [width, color] of [
      [5, theme_color("--card")],
      [2.5, chosen_color()],
    ] as const) {
      pen.lineWidth = width;
      pen.strokeStyle = color;
      pen.beginPath();
      this.line(pen, k);
      pen.stroke();
    }
  }

  private axis_near(px: number): number {
    for (let a = 0; a < this.shown.length; ++a) if (Math.abs(this.x(a) - px) < near_axis) return a;
    return -1;
  }

  private select(from: { x: number; y: number }, to: { x: number; y: number }): void {
    const axis = this.axis_near(from.x);
    const { top, height } = this.box;
    const ends = [1 - (from.y - top) / height, 1 - (to.y - top) / height].sort((a, b) => a - b);
    this.selection.set([this.shown[axis]!, { from: ends[0]!, to: ends[1]! }]);
  }

  /// The selected flight whose line is nearest.
  private press({ x, y }: { x: number; y: number }): void {
    const { top, height } = this.box;
    const axis = this.axis_near(x);
    const brushed = axis >= 0 && this.selection.interval(this.shown[axis]!);
    if (brushed) return this.selection.set([this.shown[axis]!, null]);
    let a = 0;
    while (a + 2 < this.shown.length && this.x(a + 1) <= x) ++a;
    const b = Math.min(a + 1, this.shown.length - 1);
    const share = b > a ? Math.min(Math.max((x - this.x(a)) / (this.x(b) - this.x(a)), 0), 1) : 0;
    const [left, right] = [this.column(a).places, this.column(b).places];
    let [best, least] = [-1, within];
    for (let k = 0; k < this.data.size; ++k) {
      if (!this.selection.mask[k]) continue;
      const distance = Math.abs(top + (1 - (left[k]! * (1 - share) + right[k]! * share)) * height - y);
      if (distance < least) [best, least] = [k, distance];
    }
    if (best >= 0) this.selection.choose(best);
  }
}
