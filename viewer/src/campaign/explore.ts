// The two views that are always there: a scatter plot of two columns, and parallel coordinates of many.
import { el, menu } from "../dom";
import { set_degrees, units_changed } from "../units";
import { standing_color } from "./colors";
import { real, type CampaignData } from "./data";
import { Parallel } from "./parallel";
import { Scatter } from "./scatter";
import type { Selection } from "./selection";
import { title_of } from "./text";
import { theme_changed } from "../theme";

const most_axes = 9; // at first

export interface Explore {
  element: HTMLElement;
  scatter: Scatter;
  parallel: Parallel;
  plot: (x: number, y: number) => void; // columns
}

export function explore(data: CampaignData, selection: Selection): Explore {
  const { campaign } = data;
  const first = campaign.inputs + (campaign.requirements[0]?.measure ?? 0);
  const axes = { x: strongest(data, first - campaign.inputs)[0] ?? data.columns.length - 1, y: first };
  const scatter = new Scatter(data, selection, axes);
  const parallel = new Parallel(data, selection, first_axes(data));
  const choice = (label: string, at: "x" | "y") => {
    const select = el("select", { set: { "aria-label": label } });
    const fill = (): void => {
      const group = (title: string, kind: string) =>
        el(
          "optgroup",
          { set: { label: title } },
          ...data.columns.flatMap((column, k) =>
            column.kind === kind ? [el("option", { set: { value: k } }, title_of(column))] : [],
          ),
        );
      select.replaceChildren(group("Measures", "measure"), group("Inputs", "input"), group("Other", "number"));
      select.value = String(axes[at]);
    };
    fill();
    units_changed.add(fill);
    select.addEventListener("change", () => {
      axes[at] = Number(select.value);
      scatter.show(axes.x, axes.y);
    });
    return select;
  };
  const [up, across] = [choice("Upwards", "y"), choice("Across", "x")];
  const plot = (x: number, y: number): void => {
    [axes.x, axes.y] = [x, y];
    [across.value, up.value] = [String(x), String(y)];
    scatter.show(x, y);
  };
  const degrees = el("input", { set: { type: "checkbox" } });
  degrees.addEventListener("change", () => set_degrees(degrees.checked));
  const angles = data.columns.some(({ unit }) => unit.startsWith("rad"));
  const element = el(
    "section",
    { class: "explore" },
    el(
      "div",
      { class: "bar" },
      up,
      el("span", { class: "quiet" }, "over"),
      across,
      el("span", { class: "spring" }),
      legend(data),
    ),
    scatter.element,
    el(
      "div",
      { class: "bar second" },
      el("span", { class: "quiet hint" }, "Drag along an axis to select, press a line to choose its flight"),
      el("span", { class: "spring" }),
      angles && el("label", { class: "choice" }, degrees, "Degrees"),
      axes_menu(data, parallel),
    ),
    parallel.element,
  );
  return { element, scatter, parallel, plot };
}

/// Inputs by how strongly a measure follows them.
function strongest(data: CampaignData, measure: number): number[] {
  const correlations = data.influences(measure);
  const size = (k: number) => Math.abs(real(correlations[k]!.value)) || 0;
  return correlations.map((_, k) => k).sort((a, b) => size(b) - size(a) || a - b);
}

/// The measures, and the inputs that matter most for any of them.
function first_axes(data: CampaignData): number[] {
  const { inputs, measures } = data.campaign;
  const of_measures = measures.map((_, k) => inputs + k).slice(0, most_axes - Math.min(3, inputs));
  const influences = measures.map((_, m) => data.influences(m));
  const size = (k: number) =>
    Math.max(0, ...influences.map((correlations) => Math.abs(real(correlations[k]?.value ?? null)) || 0));
  const by_size = Array.from({ length: inputs }, (_, k) => k).sort((a, b) => size(b) - size(a) || a - b);
  const of_inputs = by_size.slice(0, Math.max(0, most_axes - of_measures.length)).sort((a, b) => a - b);
  const list = [...of_inputs, ...of_measures];
  return list.length > 1 ? list : [data.columns.length - 1, ...list];
}

function axes_menu(data: CampaignData, parallel: Parallel): HTMLElement {
  const boxes = data.columns.map((column, k) => {
    const box = el("input", { set: { type: "checkbox", checked: parallel.columns.includes(k) } });
    box.addEventListener("change", () => {
      const shown = data.columns.map((_, i) => i).filter((i) => boxes[i]!.box.checked);
      if (shown.length) parallel.show(shown);
    });
    return { box, label: el("label", { class: "choice" }, box, column.name) };
  });
  return menu("Axes", ...boxes.map(({ label }) => label));
}

function legend(data: CampaignData): HTMLElement {
  const kinds: [standing: number, text: string][] = [
    [0, data.campaign.requirements.length ? "fulfils" : "finished"],
    [1, "violates a requirement"],
    [2, "failed"],
  ];
  const list = el("span", { class: "legend-row" });
  const write = (): void => {
    const there = kinds.filter(([standing]) => data.standing.includes(standing));
    list.replaceChildren(
      ...(there.length > 1 ? there : []).map(([standing, text]) => {
        const dot = el("i", { class: "dot-key" });
        dot.style.background = standing_color(standing);
        return el("span", { class: "key" }, dot, text);
      }),
    );
  };
  write();
  theme_changed.add(write);
  return list;
}
