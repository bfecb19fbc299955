// Which inputs matter for which measure: rank correlations, and Sobol indices where the flights allow them.
import { el } from "../dom";
import type { Correlation, MeasureStatistics } from "../payload";
import { brief, units_changed } from "../units";
import { real, type CampaignData } from "./data";
import { Histogram } from "./histogram";
import type { Selection } from "./selection";
import { title_of } from "./text";

const by_chance = 0.01; // what is more probable than that is shown faint
const most_histograms = 24;
const most_combinations = 12; // whose bars are shown

export function sensitivity_panel(
  data: CampaignData,
  selection: Selection,
  plot: (input: number, measure: number) => void,
): HTMLElement {
  const { measures } = data.campaign;
  const { sampled } = data.campaign;
  const cards = measures.map((measure, k) => {
    const first = measure.statistics[0]!;
    const indices = first.indices.length > 0;
    const press = (input: number): void => plot(input, k);
    return el(
      "section",
      { class: "card" },
      el("h2", {}, data.measure(k).name),
      indices && el("h3", {}, "Share of the variance"),
      indices &&
        el(
          "p",
          { class: "quiet keys" },
          el("span", { class: "key" }, el("i", { class: "swatch first" }), "of the input alone"),
          el("span", { class: "key" }, el("i", { class: "swatch" }), "with all that it interacts with"),
        ),
      indices && sobol_bars(data, first, press),
      indices && el("h3", {}, "Rank correlation"),
      ...(data.by_combination
        ? [
            el("h3", {}, "Factors, of the same samples"),
            correlation_bars(data, measure.factors, sampled, press),
            ...measure.statistics
              .slice(0, sampled > 0 ? most_combinations : 0)
              .flatMap(({ correlations }, c) => [
                el("h3", {}, `with ${data.combination_name(c)}`),
                correlation_bars(data, correlations.slice(0, sampled), 0, press),
              ]),
          ]
        : [correlation_bars(data, first.correlations, 0, press)]),
    );
  });
  const drawn = data.inputs.slice(0, most_histograms).map((column, k) => {
    const head = el("h3", {}, title_of(column));
    units_changed.add(() => (head.textContent = title_of(column)));
    return el("div", { class: "input" }, head, new Histogram(data, selection, k, [], 92).element);
  });
  return el(
    "div",
    { class: "sensitivity" },
    el(
      "p",
      { class: "quiet" },
      data.inputs.length
        ? "Rank correlation: 1 where a measure always rises with an input, −1 where it always falls; faint where as much would come by chance in one of a hundred cases. Press a bar to see the flights."
        : "Nothing was varied in this campaign but noise.",
    ),
    ...(data.inputs.length ? cards : []),
    drawn.length > 0 && el("section", { class: "card" }, el("h2", {}, "What was drawn"), ...drawn),
  );
}

function row(
  name: string,
  what: string,
  bars: HTMLElement,
  value: string,
  press: () => void,
  faint = false,
): HTMLElement {
  return el(
    "button",
    {
      class: faint ? "influence faint" : "influence",
      set: { type: "button", "aria-label": `${name}: ${what}` },
      on: { click: press },
    },
    el("span", { class: "name", title: name }, name),
    bars,
    el("span", { class: "value" }, value),
  );
}

function sorted(count: number, size: (k: number) => number): number[] {
  const order = Array.from({ length: count }, (_, k) => k);
  return order.sort((a, b) => (size(b) || 0) - (size(a) || 0) || a - b);
}

/// Of the inputs from the one with number `first` on.
function correlation_bars(
  data: CampaignData,
  correlations: Correlation[],
  first: number,
  press: (input: number) => void,
): HTMLElement {
  const values = correlations.map(({ value }) => real(value));
  const rows = sorted(values.length, (k) => Math.abs(values[k]!)).map((k) => {
    const value = values[k]!;
    const bar = el("i", { class: value < 0 ? "down" : "up" });
    bar.style.width = `${50 * Math.min(Math.abs(value) || 0, 1)}%`;
    const text = Number.isNaN(value) ? "–" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
    const faint = !(real(correlations[k]!.chance) < by_chance);
    const { name } = data.inputs[first + k]!;
    return row(name, text, el("span", { class: "bars both" }, bar), text, () => press(first + k), faint);
  });
  return el("div", { class: "influences" }, ...rows);
}

function sobol_bars(data: CampaignData, measure: MeasureStatistics, press: (input: number) => void): HTMLElement {
  const total = measure.indices.map(({ total }) => real(total));
  const rows = sorted(total.length, (k) => total[k]!).map((k) => {
    const index = measure.indices[k]!;
    const bars = el("span", { class: "bars sobol" });
    for (const [name, value, error] of [
      ["total", real(index.total), real(index.total_error)],
      ["first", real(index.first), real(index.first_error)],
    ] as const) {
      const bar = el("i", { class: name });
      bar.style.width = `${100 * Math.min(Math.max(value || 0, 0), 1)}%`;
      const whisker = el("i", { class: `error ${name}` });
      const [from, to] = [value - error, value + error].map((x) => 100 * Math.min(Math.max(x || 0, 0), 1));
      whisker.style.left = `${from}%`;
      whisker.style.width = `${to! - from!}%`;
      bars.append(bar, whisker);
    }
    const text = (x: number, error: number) => `${brief(Number(x.toFixed(2)))} ± ${brief(Number(error.toFixed(2)))}`;
    const first = text(real(index.first), real(index.first_error));
    const all = text(real(index.total), real(index.total_error));
    return row(data.inputs[k]!.name, `${first} alone, ${all} in all`, bars, `${first}; ${all}`, () => press(k));
  });
  return el("div", { class: "influences wide" }, ...rows);
}
