// Requirements with their verdicts, and how each measure is distributed.
import { el } from "../dom";
import type { CampaignRequirement, CampaignMeasure, RequirementResult, Verdict } from "../payload";
import { table } from "../summary/table";
import { count, display_of, units_changed } from "../units";
import { is_fulfilled, real, type CampaignData, type FlightColumn } from "./data";
import { Histogram } from "./histogram";
import type { Selection } from "./selection";
import { percent, shown, title_of } from "./text";

const most_combinations = 50; // in a table

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
      cards[k]!.replaceChildren(measure_head(column), histograms[k]!, numbers(data, measure, column));
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
    ...data.campaign.requirements.flatMap((r) => {
      const row = requirement_row(data, selection, r);
      return data.by_combination ? [row, results_table(data, r)] : [row];
    }),
  );
}

function requirement_row(data: CampaignData, selection: Selection, r: CampaignRequirement): HTMLElement {
  const column = data.measure(r.measure);
  const { unit } = display_of(column.unit);
  const bound = (word: string, x: number | null) => (x === null ? "" : `${word} ${shown(x, column)} ${unit}`.trim());
  const bounds = [bound("below", r.below), bound("above", r.above)].filter(Boolean).join(" and ");
  const result = r.results[r.worst]!;
  const others = r.results.reduce((sum, { flights, fulfilled }) => sum + flights - fulfilled, 0);
  const select = (): void =>
    selection.set_group({ label: `${column.name} not ${bounds}`, holds: (k) => !is_fulfilled(r, column.values[k]!) });
  const asked =
    (r.in < 1 ? `in ${percent(r.in)} of flights, with ${percent(r.confidence)} confidence` : "in every flight") +
    (data.by_combination ? `; worst with ${data.combination_name(r.worst)}` : "");
  return el(
    "article",
    { class: "requirement" },
    verdict_mark(r.verdict),
    el("div", { class: "what" }, el("b", {}, `${column.name} ${bounds}`), el("span", { class: "quiet" }, asked)),
    el(
      "div",
      { class: "found" },
      el("b", {}, `${count(result.fulfilled)} of ${count(result.flights)}`),
      el("span", { class: "quiet" }, bounds_of(result)),
    ),
    interval_bar(r.in, result),
    others > 0
      ? el("button", { set: { type: "button" }, on: { click: select } }, `Select ${count(others)}`)
      : el("span", { class: "quiet none" }, "no exception"),
  );
}

function verdict_mark(verdict: Verdict): HTMLElement {
  const kind = verdict === "met" ? "good" : verdict === "not met" ? "bad" : "care";
  return el("span", { class: `verdict ${kind}` }, verdict);
}

const bounds_of = (r: RequirementResult): string =>
  `${percent(real(r.fraction))}; at least ${percent(r.low)}, at most ${percent(r.high)}` +
  (r.missing ? `; ${count(r.missing)} have not ended` : "");

/// Of each combination of factors by itself.
function results_table(data: CampaignData, r: CampaignRequirement): HTMLElement {
  const rows = r.results
    .slice(0, most_combinations)
    .map((result, c) => [
      data.combination_name(c),
      verdict_mark(result.verdict),
      `${count(result.fulfilled)} of ${count(result.flights)}`,
      bounds_of(result),
    ]);
  const made = table(["with", "verdict", "fulfilled", "share"], rows);
  made.classList.add("combinations");
  return made;
}

/// What was asked for against what was found, on a scale that shows both.
function interval_bar(asked: number, r: RequirementResult): HTMLElement {
  const found = Number.isNaN(real(r.fraction)) ? r.low : real(r.fraction);
  const least = Math.min(asked, r.low, found);
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
  add("asked", asked);
  add("found", found);
  return bar;
}

function numbers(data: CampaignData, measure: CampaignMeasure, column: FlightColumn): HTMLElement {
  const at = (x: number) => shown(x, column);
  const confidence = percent(data.campaign.confidence);
  const all = measure.statistics.slice(0, most_combinations);
  const titles = all.reduce(
    (longest, s) => (s.percentiles.length > longest.length ? s.percentiles : longest),
    [...all[0]!.percentiles],
  );
  const rows = all.flatMap((s, c) => {
    const each = (what: "value" | "low" | "high") => titles.map((_, k) => at(real(s.percentiles[k]?.[what] ?? null)));
    const name = data.by_combination ? data.combination_name(c) : "value";
    return [
      [name, at(real(s.mean)), at(real(s.std)), at(real(s.min)), ...each("value"), at(real(s.max))],
      [`from (${confidence})`, "", "", "", ...each("low"), ""],
      [`to (${confidence})`, "", "", "", ...each("high"), ""],
    ];
  });
  const made = table(
    [
      "",
      "mean",
      "std",
      "min",
      ...titles.map(({ fraction }) => (fraction === 0.5 ? "median" : percent(fraction))),
      "max",
    ],
    rows,
    { numbers: true },
  );
  made.classList.add("statistics");
  return made;
}
