// One plot: curves of one unit over time or against another quantity, of one run or of several.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { nearest, type RunData } from "../data";
import { download, el, file_name, icon_button, icons } from "../dom";
import { theme_changed, theme_color } from "../theme";
import { brief, display_of, units_changed } from "../units";
import { axes_menu } from "./axes";
import { chart_options } from "./chart";
import { thin, type Curve } from "./curves";
import { entries_of, magnitudes, type Difference, type Entry, type PlotChoice } from "./entries";
import { csv_of, picture_of } from "./export";
import { draw_paths, instant_at, type Path } from "./paths";
import { listen_to_pointer } from "./pointer";
import type { Timeline } from "./timeline";

interface Drawn extends Entry {
  shown_curve: Curve; // of magnitudes, where the axis is logarithmic
  across: Float64Array | null; // the quantity that it is drawn against, or null: time
  chip: HTMLButtonElement;
  value: HTMLElement;
  dot: HTMLElement; // where it is now, drawn against a quantity
  shown: boolean;
}

const height = 190;

/// What plots have in common.
export interface PlotContext {
  runs: RunData[];
  clock: Clock;
  timeline: Timeline;
  difference: Difference;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly area = el("div", { class: "area", set: { role: "img" } });
  private readonly chips = el("div", { class: "chips" });
  private readonly now = el("div", { class: "now" });
  private readonly title = el("h3", {});
  private readonly unit = el("small", { class: "quiet" });
  private log = false;
  private against: string | null = null; // a column, or null: time
  private drawn: Drawn[] = [];
  private chart: uPlot | null = null;
  private loading: Promise<void> | null = null;
  private visible = false;
  private stale = true;
  private written = 0; // when values were last written [ms]
  private readonly ends: (() => void)[];

  constructor(
    readonly choice: PlotChoice,
    private readonly context: PlotContext,
    change: (plot: Plot) => void,
    remove: (plot: Plot) => void,
  ) {
    const { runs, clock, timeline, difference } = context;
    this.element = el(
      "article",
      { class: "plot", set: { "aria-label": choice.title } },
      el(
        "header",
        {},
        this.title,
        this.unit,
        el("span", { class: "spring" }),
        axes_menu(runs, (log, against) => this.set_axes(log, against)),
        icon_button(icons.edit, "Choose other curves", () => change(this)),
        icon_button(icons.table, "Save the numbers (CSV)", () => this.save_csv()),
        icon_button(icons.picture, "Save the plot (PNG)", () => this.save_png()),
        icon_button(icons.close, "Remove the plot", () => remove(this)),
      ),
      this.chips,
      this.area,
    );
    this.show_title();
    const seen = new IntersectionObserver(
      (entries) => {
        this.visible = entries.some((entry) => entry.isIntersecting);
        if (this.visible) void this.refresh();
      },
      { rootMargin: "150px" },
    );
    const sized = new ResizeObserver(() => this.resize());
    seen.observe(this.element);
    sized.observe(this.area);
    this.ends = [
      () => seen.disconnect(),
      () => sized.disconnect(),
      clock.moved.add(() => {
        this.show_now();
        this.show_values();
      }),
      timeline.zoomed.add(() => this.spoil()),
      timeline.hovered.add(() => this.show_values()),
      difference.changed.add(() => this.reload()),
      units_changed.add(() => this.rebuild()),
      theme_changed.add(() => this.chart?.redraw(false)),
    ];
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.chart?.destroy();
    this.element.remove();
  }

  private set_axes(log: boolean, against: string | null): void {
    this.log = log;
    this.against = against;
    this.show_title();
    this.reload();
  }
  private show_title(): void {
    const title = this.choice.title + (this.against === null ? "" : ` against ${this.against}`);
    this.title.textContent = title;
    this.title.title = title;
  }

  /// Curves and chart, when the plot comes into sight for the first time.
  private async refresh(): Promise<void> {
    await this.loaded();
    if (!this.chart) this.make_chart();
    else if (this.stale) this.fill();
  }

  private loaded(): Promise<void> {
    this.loading ??= this.load();
    return this.loading;
  }

  private spoil(): void {
    this.stale = true;
    if (this.visible) void this.refresh();
  }
  private rebuild(): void {
    this.chart?.destroy();
    this.chart = null;
    if (this.visible) void this.refresh();
  }
  private reload(): void {
    this.loading = null;
    this.rebuild();
  }

  private async load(): Promise<void> {
    const { runs, difference } = this.context;
    const { log, against } = this;
    const hidden = new Set(this.drawn.filter(({ shown }) => !shown).map(({ label }) => label));
    const drawn: Drawn[] = [];
    for (const entry of await entries_of(this.choice, runs, difference.on)) {
      const other = against === null ? null : entry.data.find(against);
      if (other === undefined) continue; // the run does not have it
      drawn.push(
        this.with_chip({
          ...entry,
          shown_curve: log ? magnitudes(entry.curve) : entry.curve,
          across: other && (await entry.data.values(other)),
          shown: !hidden.has(entry.label),
        }),
      );
    }
    this.drawn = drawn;
    this.chips.replaceChildren(...drawn.map((entry) => entry.chip));
    if (!drawn.length) this.area.replaceChildren(el("p", { class: "quiet" }, "No run has all of these quantities."));
  }

  private with_chip(entry: Omit<Drawn, "chip" | "value" | "dot">): Drawn {
    const color = `var(--curve-${entry.color})`;
    const value = el("span", { class: "value" });
    const dot = el("div", { class: "dot", set: { style: `--chip: ${color}` } });
    const chip = el(
      "button",
      {
        class: entry.dash ? (entry.dash[0]! > 2 ? "chip dashed" : "chip dotted") : "chip",
        title: entry.column.description || entry.label,
        set: { type: "button", "aria-pressed": String(entry.shown), style: `--chip: ${color}` },
      },
      el("i"),
      el("span", {}, entry.label),
      value,
    );
    const drawn: Drawn = { ...entry, value, chip, dot };
    chip.addEventListener("click", () => this.toggle(drawn));
    return drawn;
  }

  private toggle(entry: Drawn): void {
    entry.shown = !entry.shown;
    entry.chip.setAttribute("aria-pressed", String(entry.shown));
    if (this.against !== null) this.rebuild();
    else this.chart?.setSeries(this.drawn.indexOf(entry) + 1, { show: entry.shown });
  }

  private make_chart(): void {
    const width = this.area.clientWidth;
    if (width === 0 || !this.drawn.length) return;
    const { clock, timeline } = this.context;
    const display = display_of(this.choice.unit);
    this.unit.textContent = [display.unit && `[${display.unit}]`, this.log && "magnitude"].filter(Boolean).join(" ");
    const paths = this.paths();
    const options = chart_options({
      size: { width, height },
      log: this.log,
      entries: this.drawn,
      paths,
      window: timeline.window,
      across: this.against === null ? "" : this.label_across(),
      drawn: (chart) => {
        if (paths) draw_paths(chart, paths, timeline.window);
        this.show_now();
      },
      selected: (chart) => this.take_selection(chart),
    });
    const over = this.against === null ? "time" : this.against;
    this.area.setAttribute("aria-label", `Curves over ${over}: ${this.drawn.map(({ label }) => label).join(", ")}`);
    this.area.replaceChildren();
    const chart = new uPlot(options, paths ? [[0, 1]] : this.table(), this.area);
    this.chart = chart;
    if (paths) {
      chart.over.append(...this.drawn.map(({ dot }) => dot));
      chart.over.addEventListener("click", (event) => {
        const t = instant_at(chart, paths, timeline.window, event.offsetX, event.offsetY);
        clock.pause();
        if (t !== null) clock.go_to(t);
      });
    } else {
      chart.setScale("x", { min: timeline.window.from, max: timeline.window.to });
      chart.over.appendChild(this.now);
      listen_to_pointer(chart.over, clock, timeline, (x) => chart.posToVal(x, "x"));
    }
    this.stale = false;
    this.show_now();
    this.show_values();
  }

  private label_across(): string {
    const column = this.drawn[0]!.data.find(this.against!)!;
    const { unit } = display_of(column.unit);
    return unit ? `${column.name} [${unit}]` : column.name;
  }

  /// Nothing where the curves are over time.
  private paths(): Path[] | null {
    if (this.against === null) return null;
    const { factor } = display_of(this.choice.unit);
    return this.drawn
      .filter(({ shown }) => shown)
      .map(({ data, shown_curve, across, color, dash }) => {
        const { factor: factor_across } = display_of(data.find(this.against!)!.unit);
        return {
          time: shown_curve.time,
          x: across!.map((x) => x * factor_across),
          y: shown_curve.values.map((y) => y * factor),
          color: () => theme_color(`--curve-${color}`),
          dash,
        };
      });
  }

  /// The plot in which the reader drags zooms them all; the others are told of the selection and only drop it.
  private take_selection(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 4) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (u.cursor.event) this.context.timeline.zoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  private table(): uPlot.AlignedData {
    const { factor } = display_of(this.choice.unit);
    const buckets = Math.max(50, Math.round(this.area.clientWidth * Math.min(devicePixelRatio, 2)));
    const curves = this.drawn.map((entry) => entry.shown_curve);
    return thin(curves, this.context.timeline.window, buckets, factor) as uPlot.AlignedData;
  }

  private fill(): void {
    this.stale = false;
    if (!this.chart) return;
    if (this.against !== null) return this.rebuild(); // the ranges of both axes are others
    const { from, to } = this.context.timeline.window;
    this.chart.batch(() => {
      this.chart!.setData(this.table(), false);
      this.chart!.setScale("x", { min: from, max: to });
    });
  }

  private resize(): void {
    if (!this.chart || this.area.clientWidth === 0 || this.chart.width === this.area.clientWidth) return;
    this.chart.setSize({ width: this.area.clientWidth, height: this.chart.height });
    if (this.against === null) this.fill();
  }

  private show_now(): void {
    if (!this.chart || !this.visible) return;
    const { from, to } = this.context.timeline.window;
    const { t } = this.context.clock;
    if (this.against === null) {
      this.now.hidden = t < from || t > to;
      if (!this.now.hidden) this.now.style.transform = `translateX(${this.chart.valToPos(t, "x")}px)`;
      return;
    }
    const { factor } = display_of(this.choice.unit);
    for (const { dot, shown, shown_curve, across, data } of this.drawn) {
      const k = nearest(shown_curve.time, t);
      const x = across![k]! * display_of(data.find(this.against)!.unit).factor;
      const place = [this.chart.valToPos(x, "x"), this.chart.valToPos(shown_curve.values[k]! * factor, "y")] as const;
      dot.hidden = !shown || !Number.isFinite(place[0] + place[1]);
      if (!dot.hidden) dot.style.transform = `translate(${place[0].toFixed(1)}px, ${place[1].toFixed(1)}px)`;
    }
  }

  private show_values(): void {
    const { clock, timeline } = this.context;
    const playing = clock.playing && timeline.hover === null;
    if (!this.visible || (playing && performance.now() - this.written < 100)) return; // fast enough to read
    this.written = performance.now();
    const t = timeline.hover ?? clock.t;
    const display = display_of(this.choice.unit);
    for (const { curve, value } of this.drawn) {
      const inside = curve.time[0]! <= t + 1e-9 && t <= curve.time[curve.time.length - 1]! + 1e-9;
      value.textContent = inside ? brief(curve.values[nearest(curve.time, t)]! * display.factor) : "–";
    }
  }

  private save_csv(): void {
    void this.loaded().then(() =>
      download(`${file_name(this.choice.title)}.csv`, new Blob([csv_of(this.numbers())], { type: "text/csv" })),
    );
  }
  /// Those of the curves, and before each run's the quantity that they are drawn against.
  private numbers(): Entry[] {
    const done = new Set<RunData>();
    return this.drawn.flatMap((entry) => {
      const { data, across } = entry;
      if (!across || done.has(data)) return [entry];
      done.add(data);
      const column = data.find(this.against!)!;
      const label = this.context.runs.length > 1 ? `${column.name} · ${data.short_label}` : column.name;
      return [{ ...entry, column, label, curve: { time: data.time, values: across } }, entry];
    });
  }
  private save_png(): void {
    if (!this.chart) return;
    void picture_of(
      this.chart.ctx.canvas,
      `${this.title.textContent} ${this.unit.textContent}`,
      this.drawn.filter((entry) => entry.shown),
    ).then((png) => png && download(`${file_name(this.choice.title)}.png`, png));
  }
}
