// Single flights: the one that is chosen, those that are worst, and why flights failed.
import { el } from "../dom";
import { card, facts, table } from "../summary/table";
import { brief, count, units_changed } from "../units";
import type { CampaignData, FlightColumn } from "./data";
import { copy_button } from "./copy";
import type { Selection } from "./selection";
import { percent, shown, title_of } from "./text";

export const command_of = (data: CampaignData, k: number) => `${data.campaign.replay} ${data.number[k]}`;

export function flights_panel(data: CampaignData, selection: Selection): HTMLElement {
  const chosen = el("section", { class: "card chosen" });
  const others = el("div");
  const write_chosen = (): void => {
    const k = selection.chosen;
    chosen.replaceChildren(...(k < 0 ? nothing_chosen() : chosen_flight(data, k)));
  };
  const write = (): void => {
    write_chosen();
    others.replaceChildren(worst_card(data, selection), failures_card(data, selection));
  };
  write();
  units_changed.add(write);
  selection.chosen_changed.add(write_chosen);
  return el("div", { class: "flights" }, chosen, others);
}

const nothing_chosen = (): HTMLElement[] => [
  el("h2", {}, "No flight is chosen"),
  el(
    "p",
    { class: "quiet" },
    "Press a point, a line or the number of a flight. Here are then its values, and the command that flies it again.",
  ),
];

function chosen_flight(data: CampaignData, k: number): HTMLElement[] {
  const reason = data.reason[k]!;
  const command = command_of(data, k);
  const outcome = reason
    ? `failed at t = ${brief(data.end_time[k]!)} s: ${data.campaign.failures[reason - 1]?.reason ?? ""}`
    : `finished at t = ${brief(data.end_time[k]!)} s`;
  return [
    el("h2", {}, `Flight ${data.number[k]}`),
    el("p", { class: reason ? "bad" : "quiet" }, outcome),
    el(
      "div",
      { class: "command" },
      el("code", {}, command),
      copy_button(() => command),
    ),
    el("div", { class: "values" }, values_table("Measures", data.measures, k), values_table("Inputs", data.inputs, k)),
  ];
}

/// With how many of the flights are below it.
function values_table(title: string, columns: FlightColumn[], k: number): HTMLElement {
  const rows = columns.map((column) => {
    const x = column.values[k]!;
    let [below, all] = [0, 0];
    for (const other of column.values) {
      if (Number.isNaN(other)) continue;
      ++all;
      if (other < x) ++below;
    }
    const rank = Number.isNaN(x) || all < 2 ? "–" : percent(below / (all - 1), 3);
    return [title_of(column), shown(x, column, 6), rank];
  });
  return table([title, "value", "above"], rows, { numbers: true });
}

function worst_card(data: CampaignData, selection: Selection): HTMLElement {
  const rows = data.campaign.measures.map(({ worst, more_is_worse }, m) => {
    const column = data.measure(m);
    return el(
      "div",
      { class: "worst" },
      el(
        "h3",
        {},
        title_of(column),
        el("small", { class: "quiet" }, more_is_worse ? " largest first" : " smallest first"),
      ),
      el(
        "div",
        { class: "numbers" },
        ...worst.map((flight) => flight_button(data, selection, flight, column)),
        worst.length === 0 && el("span", { class: "quiet" }, "no flight has a number"),
      ),
    );
  });
  return card("Worst flights", ...rows);
}

function flight_button(data: CampaignData, selection: Selection, flight: number, column: FlightColumn): HTMLElement {
  const k = data.place_of(flight);
  return el(
    "button",
    { class: "flight", set: { type: "button", disabled: k < 0 }, on: { click: () => selection.choose(k) } },
    el("b", {}, String(flight)),
    el("span", { class: "quiet" }, k < 0 ? "" : shown(column.values[k]!, column)),
  );
}

function failures_card(data: CampaignData, selection: Selection): HTMLElement {
  const { campaign } = data;
  if (!campaign.failures.length) return card("Failures", el("p", { class: "good" }, "No flight failed."));
  const rows = campaign.failures.map(({ reason, count: times }, k) => {
    const select = (): void => selection.set_group({ label: reason, holds: (i) => data.reason[i] === k + 1 });
    return el(
      "article",
      { class: "failure-reason" },
      el("b", {}, count(times)),
      el("span", {}, reason),
      el("button", { set: { type: "button" }, on: { click: select } }, "Select"),
    );
  });
  return card(
    "Failures",
    el(
      "p",
      { class: "quiet" },
      `${count(campaign.failed)} of ${count(campaign.ended)} flights failed. They have no measures, and fulfil no requirement.`,
    ),
    ...rows,
  );
}

/// What was flown, and how.
export function campaign_panel(data: CampaignData): HTMLElement {
  const { campaign } = data;
  const text = (content: string) => el("pre", { class: "model", set: { tabindex: 0 } }, content);
  return el(
    "div",
    {},
    campaign.warnings.length > 0
      ? card("Warnings", el("ul", { class: "warnings" }, ...campaign.warnings.map((w) => el("li", {}, w))))
      : null,
    card(
      "Campaign",
      facts([
        ["results", campaign.label],
        ["campaign", campaign.file],
        ["model", campaign.model_file],
        [
          "flights",
          `${count(campaign.flights)}, of which ${count(campaign.ended)} have ended and ${count(campaign.failed)} failed`,
        ],
        ["samples", `${campaign.method}, seed ${campaign.seed}`],
        ["status", campaign.status || "not ended"],
        ["integrator", campaign.integrator],
        ["formulation", campaign.formulation],
        ["flown one by one", campaign.not_packed],
        ["command", campaign.command],
        ["version", campaign.version],
      ]),
    ),
    card(campaign.file.split(/[\\/]/).pop() || "Campaign file", text(campaign.text)),
    card(campaign.model_file.split(/[\\/]/).pop() || "Model", text(campaign.model_text)),
  );
}
