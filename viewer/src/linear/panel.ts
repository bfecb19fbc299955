// The tab of a linear analysis: operating point, modes, pole map, root locus, Bode and Nichols diagrams, margins.
import { el } from "../dom";
import { card, facts } from "../summary/table";
import { brief, count } from "../units";
import { bode } from "./bode";
import { ChosenCurves } from "./chosen_curves";
import type { AnalysisData } from "./data";
import { margins_tables } from "./margins";
import { modes_table } from "./modes_table";
import { nichols } from "./nichols";
import type { ModePlayer } from "./player";
import { pole_map } from "./pole_map";
import { root_locus } from "./root_locus";

export function linear_panel(data: AnalysisData, player: ModePlayer): HTMLElement {
  const { analysis } = data;
  const cards: HTMLElement[] = [card("Modes", ...modes_content(data, player))];
  if (data.locus) cards.push(card(`Root locus over ${data.locus.locus.parameter}`, root_locus(analysis, data.locus)));
  if (analysis.modes.length) cards.push(card("Pole map", pole_map(analysis, player)));
  if (data.bodes.length) {
    const curves = new ChosenCurves(data.bodes);
    cards.push(
      card("Bode diagram", curves.chips(), bode(curves)),
      card("Nichols diagram", curves.chips(), nichols(curves)),
    );
    if (data.bodes.some(({ margins }) => margins)) cards.push(card("Margins", margins_tables(data.bodes)));
  }
  cards.push(card("Linear model", point_facts(data)));
  const shortcuts = el(
    "nav",
    { class: "shortcuts", set: { "aria-label": "Parts of the analysis" } },
    ...cards.map((one) =>
      el(
        "button",
        { class: "link", set: { type: "button" }, on: { click: () => one.scrollIntoView({ block: "start" }) } },
        one.querySelector("h2")?.textContent ?? "",
      ),
    ),
  );
  return el("div", { class: "linear" }, shortcuts, ...cards);
}

function modes_content(data: AnalysisData, player: ModePlayer): HTMLElement[] {
  const { analysis } = data;
  if (!analysis.modes.length)
    return [el("p", {}, analysis.zeros || "Nothing is free to move or has a state: no modes.")];
  const open = analysis.opened.length ? `Loops are open at ${analysis.opened.join(", ")}. ` : "";
  const discrete = analysis.period > 0 ? `In discrete time, every ${brief(analysis.period)} s. ` : "";
  const growing = analysis.modes.filter(({ grows }) => grows).length;
  return [
    growing > 0
      ? el("p", { class: "bad" }, `Unstable: ${growing} ${growing === 1 ? "mode grows" : "modes grow"}.`)
      : el(
          "p",
          { class: "good" },
          analysis.zeros ? "Stable but for what is neutral: no mode grows." : "Stable: every mode decays or stays.",
        ),
    el(
      "p",
      { class: "quiet" },
      `${open}${discrete}${analysis.zeros ? `${analysis.zeros}. ` : ""}Choose a mode: the picture moves in it.`,
    ),
    modes_table(analysis.modes, player),
  ];
}

function point_facts({ analysis }: AnalysisData): HTMLElement {
  return el(
    "div",
    {},
    facts([
      ["from", analysis.label],
      ["model", analysis.model_file],
      ["set", analysis.set.join(", ")],
      ["operating point", `t = ${brief(analysis.t, 6)} s`],
      ["states", `${count(analysis.states.length)}${analysis.states.length ? ": " : ""}${analysis.states.join(", ")}`],
    ]),
    analysis.notes.length > 0 && el("ul", { class: "notes" }, ...analysis.notes.map((text) => el("li", {}, text))),
    analysis.warnings.length > 0 &&
      el("ul", { class: "warnings" }, ...analysis.warnings.map((text) => el("li", {}, text))),
  );
}
