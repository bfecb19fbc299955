// A quantity over time: between which values how many of the recorded flights are, and single flights over it.
import { el } from "../dom";
import { Scale } from "../linear/scale";
import type { CampaignHistories, HistoryColumn } from "../payload";
import { nearest } from "../data";
import { theme_color } from "../theme";
import { brief, display_of } from "../units";
import { chosen_color, standing_color } from "./colors";
import type { CampaignData } from "./data";
import type { Selection } from "./selection";
import { listen, Surface, type Box } from "./surface";
import { percent } from "./text";

const within = 12; // [px]

export class BandsPlot {
  readonly element: HTMLElement;
  private readonly surface: Surface;
  private readonly tip = el("div", { class: "tip", set: { hidden: true } });
  private bands: Float64Array | null = null;
  private lines: Float32Array | null = null;
  private hovered = -1; // instant

  /// `rows` are places of flights in the columns, -1 where a flight is not shown.
  constructor(
    private readonly data: CampaignData,
    private readonly selection: Selection,
    private readonly histories: CampaignHistories,
    private readonly of: HistoryColumn,
    private readonly time: Float64Array,
    private readonly rows: Int32Array,
  ) {
    this.surface = new Surface(`${of.name} over time: bands of percentiles`, 2, 190, () => this.draw());
    this.element = this.surface.element;
    this.element.classList.add("over-time");
    this.element.append(this.tip);
    selection.changed.add(() => this.draw_lines());
    selection.chosen_changed.add(() => this.draw_lines());
    listen(this.surface, { hover: (at) => this.hover(at), press: (at) => this.press(at) });
    void this.open();
  }

  private async open(): Promise<void> {
    [this.bands, this.lines] = [await this.data.f64(this.of.bands), await this.data.f32(this.of.lines)];
    this.draw();
  }

  private get box(): Box {
    const { width, height } = this.surface;
    return { left: 58, top: 8, width: Math.max(10, width - 58 - 14), height: height - 8 - 22 };
  }

  /// Finite values of the bands and of the drawn flights, with some room.
  private scales(): { x: Scale; y: Scale } {
    let [least, largest] = [Infinity, -Infinity];
    const note = (v: number): void => {
      if (Number.isFinite(v)) [least, largest] = [Math.min(least, v), Math.max(largest, v)];
    };
    this.bands?.forEach(note);
    this.lines?.forEach(note);
    if (!(least <= largest)) [least, largest] = [0, 1];
    const room = 0.05 * (largest - least) || Math.abs(largest) * 0.1 || 1;
    const { factor } = display_of(this.of.unit);
    const [begin, end] = [this.time[0] ?? 0, this.time[this.time.length - 1] ?? 1];
    return {
      x: new Scale("linear", begin, end > begin ? end : begin + 1),
      y: new Scale("linear", (least - room) * factor, (largest + room) * factor),
    };
  }

  private draw(): void {
    if (!this.surface.width || !this.bands) return;
    const pen = this.surface.pen(0);
    const { left, top, width, height } = this.box;
    const { x, y } = this.scales();
    pen.strokeStyle = theme_color("--grid");
    pen.fillStyle = theme_color("--quiet");
    pen.textAlign = "center";
    pen.beginPath();
    x.ticks(width / 80).forEach(({ at, label }, k, all) => {
      const px = Math.round(left + x.place(at) * width) + 0.5;
      pen.moveTo(px, top);
      pen.lineTo(px, top + height);
      pen.fillText(k + 1 === all.length ? `${label} s` : label, px, top + height + 15);
    });
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const { at, label } of y.ticks(height / 40)) {
      const py = Math.round(top + (1 - y.place(at)) * height) + 0.5;
      pen.moveTo(left, py);
      pen.lineTo(left + width, py);
      pen.fillText(label, left - 6, py);
    }
    pen.stroke();
    pen.textBaseline = "alphabetic";
    const color = theme_color("--accent");
    pen.fillStyle = color;
    const count = this.histories.fractions.length;
    for (let k = 0; k < Math.floor(count / 2); ++k) {
      pen.globalAlpha = [0.1, 0.18, 0.28][k] ?? 0.3;
      this.area(pen, k, count - 1 - k);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = color;
    pen.lineWidth = 2;
    this.curve(pen, (t) => this.bands![((count - 1) / 2) * this.time.length + t]!);
    pen.lineWidth = 1;
    this.draw_lines();
  }

  private px(t: number): number {
    const { left, width } = this.box;
    const [begin, end] = [this.time[0] ?? 0, this.time[this.time.length - 1] ?? 1];
    return left + ((this.time[t]! - begin) / (end - begin || 1)) * width;
  }
  private py(value: number, y: Scale): number {
    const { top, height } = this.box;
    return top + (1 - y.place(value * display_of(this.of.unit).factor)) * height;
  }

  private area(pen: CanvasRenderingContext2D, low: number, high: number): void {
    const { y } = this.scales();
    const times = this.time.length;
    const at = (k: number, t: number) => this.bands![k * times + t]!;
    pen.beginPath();
    let begun = -1;
    const close = (end: number): void => {
      for (let t = end; t >= begun; --t) pen.lineTo(this.px(t), this.py(at(low, t), y));
      pen.closePath();
      begun = -1;
    };
    for (let t = 0; t < times; ++t) {
      if (!Number.isFinite(at(low, t)) || !Number.isFinite(at(high, t))) {
        if (begun >= 0) close(t - 1);
        continue;
      }
      if (begun < 0) pen.moveTo(this.px(t), this.py(at(high, t), y));
      else pen.lineTo(this.px(t), this.py(at(high, t), y));
      if (begun < 0) begun = t;
    }
    if (begun >= 0) close(times - 1);
    pen.fill();
  }

  private curve(pen: CanvasRenderingContext2D, value: (t: number) => number): void {
    const { y } = this.scales();
    pen.beginPath();
    let open = false;
    for (let t = 0; t < this.time.length; ++t) {
      const v = value(t);
      if (!Number.isFinite(v)) open = false;
      else {
        if (open) pen.lineTo(this.px(t), this.py(v, y));
        else pen.moveTo(this.px(t), this.py(v, y));
        open = true;
      }
    }
    pen.stroke();
  }

  /// Those of the selection, where there is one; and the chosen one.
  private draw_lines(): void {
    if (!this.surface.width || !this.lines) return;
    const pen = this.surface.pen(1);
    const { selection } = this;
    const times = this.time.length;
    if (!selection.everything) {
      this.rows.forEach((k, row) => {
        if (k < 0 || !selection.mask[k] || k === selection.chosen) return;
        pen.globalAlpha = 0.5;
        pen.strokeStyle = standing_color(this.data.standing[k]!);
        this.curve(pen, (t) => this.lines![row * times + t]!);
      });
    }
    pen.globalAlpha = 1;
    const row = selection.chosen >= 0 ? this.rows.indexOf(selection.chosen) : -1;
    if (row >= 0) {
      for (const [width, color] of [
        [4.5, theme_color("--card")],
        [2.2, chosen_color()],
      ] as const) {
        pen.lineWidth = width;
        pen.strokeStyle = color;
        this.curve(pen, (t) => this.lines![row * times + t]!);
      }
    }
    pen.lineWidth = 1;
    if (this.hovered < 0) return;
    const { top, height } = this.box;
    const x = Math.round(this.px(this.hovered)) + 0.5;
    pen.strokeStyle = theme_color("--quiet");
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, top + height);
    pen.stroke();
  }

  private instant(px: number): number {
    const { left, width } = this.box;
    const [begin, end] = [this.time[0] ?? 0, this.time[this.time.length - 1] ?? 1];
    return nearest(this.time, begin + ((px - left) / width) * (end - begin));
  }

  private hover(at: { x: number; y: number } | null): void {
    this.hovered = at && this.bands ? this.instant(at.x) : -1;
    this.tip.hidden = this.hovered < 0;
    this.draw_lines();
    if (!at || this.hovered < 0) return;
    const { unit, factor } = display_of(this.of.unit);
    const { fractions } = this.histories;
    const times = this.time.length;
    const value = (k: number) => brief(this.bands![k * times + this.hovered]! * factor, 4);
    const half = Math.floor(fractions.length / 2);
    const lines = [
      el("b", {}, `t = ${brief(this.time[this.hovered]!)} s`),
      el("div", {}, `median ${value(half)} ${unit}`),
    ];
    for (let k = half - 1; k >= 0; --k) {
      const share = percent(fractions[fractions.length - 1 - k]! - fractions[k]!, 3);
      lines.push(el("div", {}, `${k ? `${share} in` : "all in"} ${value(k)} … ${value(fractions.length - 1 - k)}`));
    }
    const row = this.selection.chosen >= 0 ? this.rows.indexOf(this.selection.chosen) : -1;
    if (row >= 0) {
      const x = brief(this.lines![row * times + this.hovered]! * factor, 4);
      lines.push(el("div", {}, `flight ${this.data.number[this.selection.chosen]}: ${x}`));
    }
    this.tip.replaceChildren(...lines);
    const left = at.x > this.surface.width / 2;
    this.tip.style.transform = `translate(${(at.x + (left ? -14 : 14)).toFixed(0)}px, 10px)${left ? " translateX(-100%)" : ""}`;
  }

  /// The nearest of the flights that are drawn one by one.
  private press({ x, y: py }: { x: number; y: number }): void {
    if (!this.lines) return;
    const t = this.instant(x);
    const { y } = this.scales();
    let [best, least] = [-1, within];
    this.rows.forEach((k, row) => {
      if (k < 0 || !this.selection.mask[k]) return;
      const distance = Math.abs(this.py(this.lines![row * this.time.length + t]!, y) - py);
      if (distance < least) [best, least] = [k, distance];
    });
    if (best >= 0) this.selection.choose(best);
  }
}

/// All quantities, with a search where there are many.
export async function over_time_panel(data: CampaignData, selection: Selection): Promise<HTMLElement> {
  const { histories } = data.campaign;
  if (!histories) {
    return el(
      "section",
      { class: "card" },
      el("h2", {}, "No histories"),
      el(
        "p",
        {},
        "This campaign kept none. With a line like this in its file it does, of the first hundred flights and of the ten that are worst:",
      ),
      el("pre", { class: "model" }, `record: {interval: 1, columns: [..], of: 100, worst: {measure: .., count: 10}}`),
    );
  }
  const time = await data.f64(histories.time);
  const flights = await data.u32(histories.flights);
  const rows = Int32Array.from(flights, (flight) => data.place_of(flight));
  const of = histories.sampled || histories.recorded;
  const which = histories.sampled ? `the first ${of} flights` : `the ${of} flights that are worst, and of no others`;
  const more = histories.sampled && histories.recorded > histories.sampled;
  const cards = histories.columns.map((column) => {
    const card = el(
      "section",
      { class: "card quantity", set: { "data-name": column.name } },
      el(
        "h2",
        { title: column.description },
        column.name,
        el("small", { class: "quiet" }, display_of(column.unit).unit ? ` ${display_of(column.unit).unit}` : ""),
      ),
    );
    return { card, column, drawn: false };
  });
  // those that come into view
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const one = cards.find(({ card }) => card === target);
      if (!one || one.drawn || !isIntersecting) continue;
      one.drawn = true;
      one.card.append(new BandsPlot(data, selection, histories, one.column, time, rows).element);
    }
  });
  for (const { card } of cards) seen.observe(card);
  const search = el("input", {
    set: { type: "search", placeholder: "Find a quantity", "aria-label": "Find a quantity" },
  });
  search.addEventListener("input", () => {
    for (const { card, column } of cards) card.hidden = !column.name.toLowerCase().includes(search.value.toLowerCase());
  });
  return el(
    "div",
    { class: "histories" },
    el(
      "div",
      { class: "bar" },
      el("span", { class: "key" }, swatch(0.3), "half of the flights"),
      el("span", { class: "key" }, swatch(0.2), "90 %"),
      el("span", { class: "key" }, swatch(0.1), "all"),
      el("span", { class: "spring" }),
      cards.length > 6 && search,
    ),
    el(
      "p",
      { class: "quiet" },
      `Median and bands of ${which}.${more ? ` Of ${histories.recorded - histories.sampled} more, which are worst, there are single lines.` : ""} Choose or select flights to see them one by one.`,
    ),
    ...cards.map(({ card }) => card),
  );
}

function swatch(alpha: number): HTMLElement {
  const box = el("i", { class: "swatch" });
  box.style.opacity = String(alpha * 2.6);
  return box;
}
