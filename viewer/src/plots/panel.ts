// The list of plots.
import type { Clock } from "../clock";
import type { RunData } from "../data";
import { el, icon, icons } from "../dom";
import type { Column } from "../payload";
import type { PhaseList } from "../phases";
import { set_degrees } from "../units";
import { bands_card } from "./bands";
import { pick_columns } from "./picker";
import { Difference, type PlotChoice } from "./entries";
import { Plot } from "./plot";
import type { Timeline } from "./timeline";

/// `phases` are those of the first run.
export function plots_panel(runs: RunData[], phases: PhaseList[], clock: Clock, timeline: Timeline): HTMLElement {
  const list = el("div", { class: "plots" });
  const plots: Plot[] = [];
  const difference = new Difference();

  const make = (choice: PlotChoice, before: Plot | null): void => {
    const plot = new Plot(choice, { runs, clock, timeline, difference }, (p) => void change(p), remove);
    const at = before ? plots.indexOf(before) : plots.length;
    plots.splice(at, 0, plot);
    list.insertBefore(plot.element, before?.element ?? null);
  };
  const remove = (plot: Plot): void => {
    const at = plots.indexOf(plot);
    plots.splice(at, 1);
    plot.dispose();
    const next = plots[Math.min(at, plots.length - 1)]?.element ?? bar;
    next.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  };
  const change = async (plot: Plot): Promise<void> => {
    const columns = await pick_columns(runs, plot.choice.names);
    const same =
      columns &&
      columns
        .map(({ name }) => name)
        .sort()
        .join() === [...plot.choice.names].sort().join();
    if (!columns || same) return;
    for (const choice of by_unit(columns)) make(choice, plot);
    remove(plot);
  };
  const add_plot = async (): Promise<void> => {
    const columns = await pick_columns(runs, []);
    const first = plots[0] ?? null;
    for (const choice of by_unit(columns ?? [])) make(choice, first);
    list.closest(".panel")?.scrollTo({ top: 0 });
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
  const bar = el(
    "div",
    { class: "bar" },
    el(
      "button",
      { class: "primary", set: { type: "button" }, on: { click: () => void add_plot() } },
      icon(icons.plus),
      "Plot",
    ),
    el("label", { class: "choice" }, degrees, "Degrees"),
    runs.length > 1 && difference_choice(runs, difference),
    whole,
    el("span", { class: "spring" }),
    el("span", { class: "quiet hint" }, "click: set the time · drag: zoom · double click: all"),
  );
  return el("div", {}, bar, bands_card(phases, clock, timeline), list);
}

function difference_choice(runs: RunData[], difference: Difference): HTMLElement {
  const box = el("input", { set: { type: "checkbox" } });
  box.addEventListener("change", () => difference.set(box.checked));
  const title = `What is plotted less the same of ${runs[0]!.run.label}, at the instants of that run`;
  return el("label", { class: "choice", title }, box, "Difference");
}

/// The program's groups, those of all runs together, each quantity once. A unit in a title is left to the plot to write.
function first_choices(runs: RunData[]): PlotChoice[] {
  const choices: PlotChoice[] = [];
  const done = new Set<string>();
  for (const { run } of runs) {
    const of_run: string[] = [];
    for (const group of run.plots) {
      const title = group.title.replace(/ \[[^\]]*\]$/, "");
      const columns = group.columns.flatMap((k) => run.columns[k] ?? []);
      const names = columns.map(({ name }) => name).filter((name) => !done.has(name));
      if (!names.length) continue;
      const unit = columns[0]?.unit ?? "";
      const choice = choices.find((other) => other.title === title && other.unit === unit);
      if (choice) choice.names.push(...names);
      else choices.push({ title, unit, names });
      of_run.push(...names);
    }
    for (const name of of_run) done.add(name);
  }
  return choices;
}

function by_unit(columns: Column[]): PlotChoice[] {
  const groups = new Map<string, string[]>();
  for (const { name, unit } of columns) groups.set(unit, [...(groups.get(unit) ?? []), name]);
  return [...groups].map(([unit, names]) => ({
    title: names.length > 3 ? `${names.slice(0, 3).join(", ")}, ..` : names.join(", "),
    unit,
    names,
  }));
}
