// The list of plots.
import type { Clock } from "../clock";
import type { RunData } from "../data";
import { el, icon, icons } from "../dom";
import type { Column } from "../payload";
import { set_degrees } from "../units";
import { pick_columns } from "./picker";
import { Plot, type PlotChoice } from "./plot";
import type { Timeline } from "./timeline";

export function plots_panel(runs: RunData[], clock: Clock, timeline: Timeline): HTMLElement {
  const list = el("div", { class: "plots" });
  const plots: Plot[] = [];

  const make = (choice: PlotChoice, before: Plot | null): void => {
    const plot = new Plot(choice, runs, clock, timeline, (p) => void change(p), remove);
    const at = before ? plots.indexOf(before) : plots.length;
    plots.splice(at, 0, plot);
    list.insertBefore(plot.element, before?.element ?? null);
  };
  const remove = (plot: Plot): void => {
    plots.splice(plots.indexOf(plot), 1);
    plot.dispose();
  };
  const change = async (plot: Plot): Promise<void> => {
    const columns = await pick_columns(runs, plot.choice.names);
    if (!columns) return;
    for (const choice of by_unit(columns)) make(choice, plot);
    remove(plot);
  };
  const add_plot = async (): Promise<void> => {
    const columns = await pick_columns(runs, []);
    const first = plots[0] ?? null;
    for (const choice of by_unit(columns ?? [])) make(choice, first);
    list.scrollIntoView({ block: "nearest" });
  };

  for (const choice of first_choices(runs)) make(choice, null);

  const degrees = el("input", { set: { type: "checkbox" } });
  degrees.addEventListener("change", () => set_degrees(degrees.checked));
  const whole = el(
    "button",
    { set: { type: "button", hidden: true }, on: { click: () => timeline.reset() } },
    "Whole time",
  );
  timeline.zoomed.add(() => (whole.hidden = !timeline.is_zoomed));
  return el(
    "div",
    {},
    el(
      "div",
      { class: "bar" },
      el(
        "button",
        { class: "primary", set: { type: "button" }, on: { click: () => void add_plot() } },
        icon(icons.plus),
        "Plot",
      ),
      el("label", { class: "choice" }, degrees, "Degrees"),
      whole,
      el("span", { class: "spring" }),
      el("span", { class: "quiet hint" }, "click: set the time · drag: zoom · double click: all"),
    ),
    list,
  );
}

/// The program's groups of the first run, and groups that only the second has.
function first_choices(runs: RunData[]): PlotChoice[] {
  const choices: PlotChoice[] = [];
  for (const { run } of runs) {
    for (const { title, columns } of run.plots) {
      const names = columns.flatMap((k) => run.columns[k]?.name ?? []);
      const same = choices.find((choice) => choice.title === title);
      if (!same) choices.push({ title, names });
    }
  }
  return choices;
}

function by_unit(columns: Column[]): PlotChoice[] {
  const groups = new Map<string, string[]>();
  for (const { name, unit } of columns) groups.set(unit, [...(groups.get(unit) ?? []), name]);
  return [...groups.values()].map((names) => ({
    title: names.length > 3 ? `${names.slice(0, 3).join(", ")}, ..` : names.join(", "),
    names,
  }));
}
