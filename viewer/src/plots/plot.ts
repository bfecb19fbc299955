// One plot: curves of one unit over time, of one run or of two.
import uPlot from "uplot";
import type { Clock } from "../clock";
import { nearest, type RunData } from "../data";
import { download, el, file_name, icon_button, icons } from "../dom";
import { theme_changed, theme_color } from "../theme";
import { brief, display_of, units_changed } from "../units";
import { room, tick_labels } from "./axis";
import { thin, type Curve } from "./curves";
import { csv_of, picture_of, type Entry } from "./export";
import { listen_to_pointer } from "./pointer";
import type { Timeline } from "./timeline";

export interface PlotChoice {
  title: string;
  unit: string;
  names: string[]; // of columns of that unit
}

interface Drawn extends Entry {
  curve: Curve;
  chip: HTMLButtonElement;
  value: HTMLElement;
  shown: boolean;
}

const height = 190;
const curve_colors = 8;
const few_points = 30; // so few are marked

export class Plot {
  readonly element: HTMLElement;
  private readonly area = el("div", { class: "area", set: { role: "img" } });
  private readonly chips = el("div", { class: "chips" });
  private readonly now = el("div", { class: "now" });
  private drawn: Drawn[] = [];
  private readonly unit = el("small", { class: "quiet" });
  private chart: uPlot | null = null;
  private loading: Promise<void> | null = null;
  private visible = false;
  private stale = true;
  private written = 0; // when values were last written [ms]
  private readonly ends: (() => void)[];

  constructor(
    readonly choice: PlotChoice,
    private readonly runs: RunData[],
    private readonly clock: Clock,
    private readonly timeline: Timeline,
    change: (plot: Plot) => void,
    remove: (plot: Plot) => void,
  ) {
    this.element = el(
      "article",
      { class: "plot", set: { "aria-label": choice.title } },
      el(
        "header",
        {},
        el("h3", {}, choice.title),
        this.unit,
        el("span", { class: "spring" }),
        icon_button(icons.edit, "Choose other curves", () => change(this)),
        icon_button(icons.table, "Save the numbers (CSV)", () => this.save_csv()),
        icon_button(icons.picture, "Save the plot (PNG)", () => this.save_png()),
        icon_button(icons.close, "Remove the plot", () => remove(this)),
      ),
      this.chips,
      this.area,
    );
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
      units_changed.add(() => this.rebuild()),
      theme_changed.add(() => this.chart?.redraw(false)),
    ];
  }

  dispose(): void {
    for (const end of this.ends) end();
    this.chart?.destroy();
    this.element.remove();
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

  private async load(): Promise<void> {
    const drawn: Drawn[] = [];
    for (const [r, data] of this.runs.entries()) {
      for (const [k, name] of this.choice.names.entries()) {
        const column = data.find(name);
        if (!column || column.unit !== this.choice.unit) continue;
        const value = el("span", { class: "value" });
        const label = this.runs.length > 1 ? `${name} · ${data.short_label}` : name;
        const again = k >= curve_colors; // colours are used twice: dotted
        const chip = el(
          "button",
          {
            class: r ? "chip dashed" : again ? "chip dotted" : "chip",
            title: column.description || name,
            set: { type: "button", "aria-pressed": "true", style: `--chip: var(--curve-${k % curve_colors})` },
          },
          el("i"),
          el("span", {}, label),
          value,
        );
        const entry: Drawn = {
          data,
          column,
          label,
          color: k % curve_colors,
          dash: r ? [6, 4] : again ? [2, 3] : null,
          value,
          chip,
          shown: true,
          curve: { time: data.time, values: await data.values(column) },
        };
        chip.addEventListener("click", () => this.toggle(entry));
        drawn.push(entry);
      }
    }
    this.drawn = drawn;
    this.chips.replaceChildren(...drawn.map((entry) => entry.chip));
  }

  private toggle(entry: Drawn): void {
    entry.shown = !entry.shown;
    entry.chip.setAttribute("aria-pressed", String(entry.shown));
    this.chart?.setSeries(this.drawn.indexOf(entry) + 1, { show: entry.shown });
  }

  private make_chart(): void {
    const width = this.area.clientWidth;
    if (width === 0 || !this.drawn.length) return;
    const display = display_of(this.choice.unit);
    this.unit.textContent = display.unit && `[${display.unit}]`;
    const axis = (): Partial<uPlot.Axis> => ({
      stroke: () => theme_color("--quiet"),
      grid: { stroke: () => theme_color("--grid"), width: 1 },
      ticks: { stroke: () => theme_color("--grid"), width: 1, size: 4 },
      font: "11px system-ui, sans-serif",
    });
    const options: uPlot.Options = {
      width,
      height,
      padding: [8, 22, 0, 4],
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, least, largest) => room(least, largest) } },
      cursor: {
        sync: { key: "time", scales: ["x", null] },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        y: false,
      },
      axes: [
        {
          ...axis(),
          size: 30,
          space: 60,
          values: (_, ticks) => tick_labels(ticks).map((label, k) => (k === 0 ? `${label} s` : label)),
        },
        {
          ...axis(),
          size: (_, labels) => Math.max(66, 14 + 6.6 * Math.max(0, ...(labels ?? []).map((label) => label.length))),
          values: (_, ticks) => tick_labels(ticks),
        },
      ],
      series: [
        {},
        ...this.drawn.map((entry): uPlot.Series => ({
          show: entry.shown,
          stroke: () => theme_color(`--curve-${entry.color}`),
          width: 1.4,
          points: { show: (u, _, from, to) => to - from < few_points && u.data[0].length < few_points, size: 4 },
          ...(entry.dash ? { dash: entry.dash } : {}),
        })),
      ],
      hooks: {
        draw: [() => this.show_now()],
        setSelect: [(u) => this.take_selection(u)],
      },
    };
    this.area.setAttribute("aria-label", `Curves over time: ${this.drawn.map(({ label }) => label).join(", ")}`);
    this.area.replaceChildren();
    this.chart = new uPlot(options, this.table(), this.area);
    this.chart.setScale("x", { min: this.timeline.window.from, max: this.timeline.window.to });
    this.chart.over.appendChild(this.now);
    const chart = this.chart;
    listen_to_pointer(chart.over, this.clock, this.timeline, (x) => chart.posToVal(x, "x"));
    this.stale = false;
    this.show_values();
  }

  /// The plot in which the reader drags zooms them all; the others are told of the selection and only drop it.
  private take_selection(u: uPlot): void {
    const { left, width } = u.select;
    if (width < 4) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (u.cursor.event) this.timeline.zoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  private table(): uPlot.AlignedData {
    const { factor } = display_of(this.choice.unit);
    const buckets = Math.max(50, Math.round(this.area.clientWidth * Math.min(devicePixelRatio, 2)));
    return thin(
      this.drawn.map((entry) => entry.curve),
      this.timeline.window,
      buckets,
      factor,
    ) as uPlot.AlignedData;
  }

  private fill(): void {
    this.stale = false;
    if (!this.chart) return;
    const { from, to } = this.timeline.window;
    this.chart.batch(() => {
      this.chart!.setData(this.table(), false);
      this.chart!.setScale("x", { min: from, max: to });
    });
  }

  private resize(): void {
    if (!this.chart || this.area.clientWidth === 0) return;
    this.chart.setSize({ width: this.area.clientWidth, height });
    this.fill();
  }

  private show_now(): void {
    if (!this.chart || !this.visible) return;
    const { from, to } = this.timeline.window;
    const { t } = this.clock;
    this.now.hidden = t < from || t > to;
    if (!this.now.hidden) this.now.style.transform = `translateX(${this.chart.valToPos(t, "x")}px)`;
  }

  private show_values(): void {
    const playing = this.clock.playing && this.timeline.hover === null;
    if (!this.visible || (playing && performance.now() - this.written < 100)) return; // fast enough to read
    this.written = performance.now();
    const t = this.timeline.hover ?? this.clock.t;
    const display = display_of(this.choice.unit);
    for (const { curve, value } of this.drawn) {
      const inside = curve.time[0]! <= t + 1e-9 && t <= curve.time[curve.time.length - 1]! + 1e-9;
      value.textContent = inside ? brief(curve.values[nearest(curve.time, t)]! * display.factor) : "–";
    }
  }

  private save_csv(): void {
    void this.loaded().then(() =>
      download(`${file_name(this.choice.title)}.csv`, new Blob([csv_of(this.drawn)], { type: "text/csv" })),
    );
  }
  private save_png(): void {
    if (!this.chart) return;
    void picture_of(
      this.chart.ctx.canvas,
      `${this.choice.title} ${this.unit.textContent}`,
      this.drawn.filter((entry) => entry.shown),
    ).then((png) => png && download(`${file_name(this.choice.title)}.png`, png));
  }
}
