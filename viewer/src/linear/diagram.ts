// A diagram of curves and marks, as SVG: pole maps, root loci, Bode and Nichols diagrams. It is drawn anew when its size, its
// window or what it shows has changed; what follows the pointer is drawn over it.
import { el, svg } from "../dom";
import type { Scale, Tick } from "./scale";

const margin = { left: 58, right: 14, top: 10, bottom: 36 };
const least_drag = 6; // less is a click [px]

export interface DiagramOptions {
  label: string; // what it shows, for those who cannot see it
  height: number; // [px]
  x: { scale: Scale; title: string };
  y: { scale: Scale; title: string };
  draw: (pen: Pen) => void;
  hover?: (point: PointerPlace | null, pen: Pen) => string[]; // lines of text beside the pointer; none: nothing
  click?: (point: PointerPlace) => void;
}

export interface PointerPlace {
  px: number;
  py: number; // in the diagram [px]
  x: number;
  y: number; // values there
}

/// Draws in values of the axes.
export class Pen {
  private readonly notes: { left: number; top: number; width: number }[] = [];

  constructor(
    private readonly to: SVGElement,
    readonly x: Scale,
    readonly y: Scale,
    private readonly width: number,
    private readonly height: number,
  ) {}

  px(x: number): number {
    return margin.left + this.x.place(x) * (this.width - margin.left - margin.right);
  }
  py(y: number): number {
    return this.height - margin.bottom - this.y.place(y) * (this.height - margin.top - margin.bottom);
  }

  /// Not finite: a gap. Points nearer to each other than a pixel are left out.
  curve(xs: ArrayLike<number>, ys: ArrayLike<number>, attributes: Record<string, string | number>): SVGElement {
    let path = "";
    let open = false;
    let [last_x, last_y] = [Infinity, Infinity];
    for (let k = 0; k < xs.length; ++k) {
      const [x, y] = [clamped(this.px(xs[k]!)), clamped(this.py(ys[k]!))];
      if (!Number.isFinite(xs[k]!) || !Number.isFinite(ys[k]!) || Number.isNaN(x) || Number.isNaN(y)) {
        open = false;
        continue;
      }
      if (open && k + 1 < xs.length && Math.abs(x - last_x) < 0.4 && Math.abs(y - last_y) < 0.4) continue;
      path += `${open ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      [open, last_x, last_y] = [true, x, y];
    }
    return this.add("path", { d: path, fill: "none", ...attributes });
  }
  line(x1: number, y1: number, x2: number, y2: number, attributes: Record<string, string | number>): SVGElement {
    return this.curve([x1, x2], [y1, y2], attributes);
  }
  /// A path in pixels about a place.
  mark(x: number, y: number, path: string, attributes: Record<string, string | number>, title = ""): SVGElement {
    const [px, py] = [this.px(x), this.py(y)];
    if (!Number.isFinite(px) || !Number.isFinite(py)) return svg("g");
    const mark = this.add("path", {
      d: path,
      transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})`,
      ...attributes,
    });
    if (title) mark.appendChild(svg("title", {}, title));
    return mark;
  }
  text(
    x: number,
    y: number,
    text: string,
    attributes: Record<string, string | number> = {},
    by: [number, number] = [0, 0],
  ): SVGElement {
    const at = { x: (this.px(x) + by[0]).toFixed(1), y: (this.py(y) + by[1]).toFixed(1) };
    const element = this.add("text", { ...at, ...attributes });
    element.textContent = text;
    return element;
  }
  /// Beside a mark: to its left near the right border, and lower where another note stands already.
  note(x: number, y: number, text: string, color: string): void {
    if (!this.sees(x, y)) return;
    const end = this.x.place(x) > 0.8;
    const width = 6.6 * text.length;
    const left = this.px(x) + (end ? -8 - width : 8);
    let top = this.py(y) - 8;
    const overlaps = () =>
      this.notes.some((n) => Math.abs(n.top - top) < 12 && left < n.left + n.width && n.left < left + width);
    for (let k = 0; k < 6 && overlaps(); ++k) top += 12;
    this.notes.push({ left, top, width });
    const look = { class: "margin-text", style: `fill: ${color}`, x: left.toFixed(1), y: (top + 12).toFixed(1) };
    this.add("text", look).textContent = text;
  }
  /// Is a place in the window?
  sees(x: number, y: number): boolean {
    const [a, b] = [this.x.place(x), this.y.place(y)];
    return a >= 0 && a <= 1 && b >= 0 && b <= 1;
  }

  private add(tag: string, attributes: Record<string, string | number>): SVGElement {
    const element = svg(tag, attributes);
    this.to.appendChild(element);
    return element;
  }
}

const clamped = (x: number) => Math.min(Math.max(x, -5000), 10_000);

export const marks = {
  cross: "M-5 -5L5 5M-5 5L5 -5",
  circle: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0",
  dot: "M-3.5 0A3.5 3.5 0 1 0 3.5 0A3.5 3.5 0 1 0 -3.5 0",
  diamond: "M0 -6L6 0L0 6L-6 0Z",
  ring: "M-10 0A10 10 0 1 0 10 0A10 10 0 1 0 -10 0",
  plus: "M-7 0H7M0 -7V7",
};

let diagrams = 0;

export class Diagram {
  readonly element: HTMLElement;
  private readonly drawing = svg("svg", { role: "img" });
  private readonly tip = el("div", { class: "tip", set: { hidden: true } });
  private readonly clip = `clip-${++diagrams}`;
  private over: SVGElement = svg("g");
  private width = 0;
  private window: { x: Scale; y: Scale } | null = null; // where the reader has zoomed in
  private dragged: { x: number; y: number } | null = null;
  private readonly linked: Diagram[] = [];

  constructor(private readonly options: DiagramOptions) {
    this.drawing.setAttribute("aria-label", options.label);
    this.element = el("div", { class: "diagram" }, this.tip);
    this.element.insertBefore(this.drawing, this.tip);
    new ResizeObserver(() => {
      if (this.element.clientWidth !== this.width) this.redraw();
    }).observe(this.element);
    const { drawing } = this;
    drawing.addEventListener("pointerdown", (event) => this.press(event));
    drawing.addEventListener("pointermove", (event) => this.follow(event));
    drawing.addEventListener("pointerup", (event) => this.release(event));
    drawing.addEventListener("pointerleave", () => this.dragged || this.leave());
    drawing.addEventListener("dblclick", () => this.zoom(null));
  }

  /// Diagrams whose horizontal window is the same.
  link(other: Diagram): void {
    this.linked.push(other);
    other.linked.push(this);
  }

  /// Other axes; the reader's window goes.
  set_scales(x: Scale, y: Scale): void {
    this.options.x.scale = x;
    this.options.y.scale = y;
    this.window = null;
    this.redraw();
  }

  /// `shown` is drawn at the place of the pointer over another diagram; null: nothing.
  point_at(x: number | null): void {
    if (x === null) return this.leave();
    const pen = this.pen(this.over);
    this.show_hover({ px: pen.px(x), py: NaN, x, y: NaN });
    this.tip.hidden = true;
  }

  redraw(): void {
    this.width = this.element.clientWidth;
    if (this.width === 0) return;
    const { height } = this.options;
    const { drawing, width } = this;
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.setAttribute("width", String(width));
    drawing.setAttribute("height", String(height));
    const inner = svg("g", { "clip-path": `url(#${this.clip})` });
    const frame = {
      x: margin.left,
      y: margin.top,
      width: Math.max(1, width - margin.left - margin.right),
      height: height - margin.top - margin.bottom,
    };
    this.over = svg("g", { class: "over", "clip-path": `url(#${this.clip})` });
    drawing.replaceChildren(
      svg("clipPath", { id: this.clip }, svg("rect", frame)),
      this.axes(),
      inner,
      svg("rect", { class: "frame", ...frame }),
      this.over,
    );
    this.options.draw(this.pen(inner));
  }

  private get scales(): { x: Scale; y: Scale } {
    return this.window ?? { x: this.options.x.scale, y: this.options.y.scale };
  }
  private pen(to: SVGElement): Pen {
    const { x, y } = this.scales;
    return new Pen(to, x, y, this.width, this.options.height);
  }

  private axes(): SVGElement {
    const { width } = this;
    const { height, x: across, y: up } = this.options;
    const group = svg("g", { class: "axes" });
    const pen = this.pen(group);
    const [left, right, top, bottom] = [margin.left, width - margin.right, margin.top, height - margin.bottom];
    for (const { at, label } of apart(pen.x.ticks(Math.max(2, width / 80)), (x) => pen.px(x), 34)) {
      const x = pen.px(at).toFixed(1);
      group.append(svg("path", { class: "grid", d: `M${x} ${top}V${bottom}` }), text(x, bottom + 14, label, "middle"));
    }
    for (const { at, label } of apart(pen.y.ticks(Math.max(2, height / 42)), (y) => pen.py(y), 13)) {
      const y = pen.py(at).toFixed(1);
      group.append(
        svg("path", { class: "grid", d: `M${left} ${y}H${right}` }),
        text(left - 6, Number(y) + 3.5, label, "end"),
      );
    }
    const turned = text(0, 0, up.title, "middle");
    turned.setAttribute("transform", `translate(11 ${(top + bottom) / 2}) rotate(-90)`);
    group.append(text((left + right) / 2, height - 6, across.title, "middle"), turned);
    return group;
  }

  private place(event: PointerEvent): PointerPlace {
    const box = this.drawing.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { x, y } = this.scales;
    const { height } = this.options;
    return {
      px,
      py,
      x: x.value((px - margin.left) / Math.max(1, this.width - margin.left - margin.right)),
      y: y.value((height - margin.bottom - py) / (height - margin.top - margin.bottom)),
    };
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const { px, py } = this.place(event);
    this.dragged = { x: px, y: py };
    this.drawing.setPointerCapture(event.pointerId);
  }

  private follow(event: PointerEvent): void {
    const at = this.place(event);
    const from = this.dragged;
    if (from && Math.hypot(at.px - from.x, at.py - from.y) > least_drag) {
      this.leave();
      const [x, y] = [Math.min(from.x, at.px), Math.min(from.y, at.py)];
      const box = { x, y, width: Math.abs(at.px - from.x), height: Math.abs(at.py - from.y) };
      this.over.appendChild(svg("rect", { class: "zoom", ...box }));
      return;
    }
    this.show_hover(at);
    for (const other of this.linked) other.point_at(at.x);
  }

  private show_hover(at: PointerPlace): void {
    this.over.replaceChildren();
    const lines = this.options.hover?.(at, this.pen(this.over)) ?? [];
    this.tip.hidden = !lines.length;
    if (!lines.length) return;
    this.tip.replaceChildren(...lines.map((line) => el("div", {}, line)));
    const left = at.px > this.width / 2;
    this.tip.style.transform = `translate(${(at.px + (left ? -14 : 14)).toFixed(0)}px, ${(at.py + 10).toFixed(0)}px)${left ? " translateX(-100%)" : ""}`;
  }
  private leave(): void {
    this.over.replaceChildren();
    this.tip.hidden = true;
    this.options.hover?.(null, this.pen(this.over));
    for (const other of this.linked) {
      other.over.replaceChildren();
      other.tip.hidden = true;
    }
  }

  private release(event: PointerEvent): void {
    const at = this.place(event);
    const from = this.dragged;
    this.dragged = null;
    if (from && Math.hypot(at.px - from.x, at.py - from.y) > least_drag) {
      this.over.replaceChildren();
      const { x, y } = this.scales;
      const inner = {
        w: Math.max(1, this.width - margin.left - margin.right),
        h: this.options.height - margin.top - margin.bottom,
      };
      const across = [from.x, at.px].map((p) => x.value(Math.min(Math.max((p - margin.left) / inner.w, 0), 1)));
      const up = [from.y, at.py].map((p) =>
        y.value(Math.min(Math.max((this.options.height - margin.bottom - p) / inner.h, 0), 1)),
      );
      across.sort((a, b) => a - b);
      up.sort((a, b) => a - b);
      if (Math.abs(at.px - from.x) > least_drag && Math.abs(at.py - from.y) > least_drag) {
        this.zoom({ x: x.within(across[0]!, across[1]!), y: y.within(up[0]!, up[1]!) });
      }
      return;
    }
    if (event.button === 0) this.options.click?.(at);
  }

  private zoom(window: { x: Scale; y: Scale } | null): void {
    this.window = window;
    this.redraw();
    for (const other of this.linked) {
      other.window = window ? { x: window.x, y: other.scales.y } : null;
      other.redraw();
    }
  }
}

function text(x: number | string, y: number | string, label: string, anchor: string): SVGElement {
  return svg("text", { x, y, "text-anchor": anchor }, label);
}

/// Those that have room for their labels: zero, and what is farther from it, before others.
function apart(ticks: Tick[], place: (at: number) => number, room: number): Tick[] {
  const kept: Tick[] = [];
  const order = [...ticks].sort((a, b) => (a.at === 0 ? -1 : b.at === 0 ? 1 : Math.abs(b.at) - Math.abs(a.at)));
  for (const tick of order) {
    if (kept.every(({ at }) => Math.abs(place(at) - place(tick.at)) >= room)) kept.push(tick);
  }
  return kept;
}
