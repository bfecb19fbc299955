// Requirements with their verdicts, and how each measure is distributed.
import { el } from "../dom";
import type { CampaignRequirement, CampaignMeasure } from "../payload";
import { table } from "../summary/table";
import { count, display_of, units_changed } from "../units";
import { is_fulfilled, real, type CampaignData, type FlightColumn } from "./data";
import { Histogram } from "./histogram";
import type { Selection } from "./selection";
import { percent, shown, title_of } from "./text";

export function results_panel(data: CampaignData, selection: Selection): HTMLElement {
  const panel = el("div", { class: "results" });
  const { measures, requirements, inputs } = data.campaign;
  const histograms = measures.map((_, k) => {
    const bounds = requirements.flatMap(({ measure, below, above }) => (measure === k ? [below, above] : []));
    return new Histogram(
      data,
      selection,
      inputs + k,
      bounds.filter((x) => x !== null),
    ).element;
  });
  const cards = measures.map((_, k) => el("section", { class: "card measure" }, histograms[k]!));
  const of_requirements = el("section", { class: "card" });
  const write = (): void => {
    of_requirements.replaceChildren(el("h2", {}, "Requirements"), requirement_rows(data, selection));
    measures.forEach((measure, k) => {
      const column = data.measure(k);
      cards[k]!.replaceChildren(
        measure_head(column),
        histograms[k]!,
        numbers(measure, column, data.campaign.confidence),
      );
    });
  };
  write();
  units_changed.add(write);
  if (requirements.length) panel.append(of_requirements);
  panel.append(...cards);
  return panel;
}

const measure_head = (column: FlightColumn) =>
  el("h2", {}, title_of(column), el("small", { class: "quiet" }, ` ${column.description}`));

function requirement_rows(data: CampaignData, selection: Selection): HTMLElement {
  return el(
    "div",
    { class: "requirements" },
    ...data.campaign.requirements.map((r) => requirement_row(data, selection, r)),
  );
}

function requirement_row(data: CampaignData, selection: Selection, r: CampaignRequirement): HTMLElement {
  const column = data.measure(r.measure);
  const { unit } = display_of(column.unit);
  const bound = (word: string, x: number | null) => (x === null ? "" : `${word} ${shown(x, column)} ${unit}`.trim());
  const bounds = [bound("below", r.below), bound("above", r.above)].filter(Boolean).join(" and ");
  const kind = r.verdict === "met" ? "good" : r.verdict === "not met" ? "bad" : "care";
  const others = r.flights - r.fulfilled;
  const select = (): void =>
    selection.set_group({ label: `${column.name} not ${bounds}`, holds: (k) => !is_fulfilled(r, column.values[k]!) });
  const asked =
    r.in < 1 ? `in ${percent(r.in)} of flights, with ${percent(r.confidence)} confidence` : "in every flight";
  return el(
    "article",
    { class: "requirement" },
    el("span", { class: `verdict ${kind}` }, r.verdict),
    el("div", { class: "what" }, el("b", {}, `${column.name} ${bounds}`), el("span", { class: "quiet" }, asked)),
    el(
      "div",
      { class: "found" },
      el("b", {}, `${count(r.fulfilled)} of ${count(r.flights)}`),
      el(
        "span",
        { class: "quiet" },
        `${percent(real(r.fraction))}; at least ${percent(r.low)}, at most ${percent(r.high)}`,
      ),
    ),
    interval_bar(r),
    others > 0
      ? el("button", { set: { type: "button" }, on: { click: select } }, `Select ${count(others)}`)
      : el("span", { class: "quiet none" }, "no exception"),
  );
}

/// What was asked for against what was found, on a scale that shows both.
function interval_bar(r: CampaignRequirement): HTMLElement {
  const least = Math.min(r.in, r.low, real(r.fraction));
  const from = Math.max(0, 1 - 1.25 * Math.max(1 - least, 1e-4));
  const place = (x: number) => `${(100 * (x - from)) / (1 - from)}%`;
  const bar = el("div", { class: "interval", title: `${percent(from)} to 100 %: asked for, found, and its bounds` });
  const add = (name: string, left: number, right?: number): void => {
    const mark = el("i", { class: name });
    mark.style.left = place(left);
    if (right !== undefined) mark.style.width = `calc(${place(right)} - ${place(left)})`;
    bar.append(mark);
  };
  add("range", r.low, r.high);
  add("asked", r.in);
  add("found", real(r.fraction));
  return bar;
}

function numbers(measure: CampaignMeasure, column: FlightColumn, confidence: number): HTMLElement {
  const at = (x: number) => shown(x, column);
  const head = ["", "mean", "std", "min"];
  const values = [at(real(measure.mean)), at(real(measure.std)), at(real(measure.min))];
  const lows = ["", "", ""];
  const highs = ["", "", ""];
  for (const { fraction, value, low, high } of measure.percentiles) {
    head.push(fraction === 0.5 ? "median" : percent(fraction));
    values.push(at(real(value)));
    lows.push(at(real(low)));
    highs.push(at(real(high)));
  }
  head.push("max");
  values.push(at(real(measure.max)));
  lows.push("");
  highs.push("");
  const made = table(
    head,
    [
      ["value", ...values],
      [`from (${percent(confidence)})`, ...lows],
      [`to (${percent(confidence)})`, ...highs],
    ],
    { numbers: true },
  );
  made.classList.add("statistics");
  return made;
}
