// Margins of the loops that are opened.
import { el } from "../dom";
import type { Crossover, Margins } from "../payload";
import { table } from "../summary/table";
import { brief } from "../units";
import { most_named } from "./chosen_curves";
import type { BodeCurve } from "./data";

export function margins_tables(curves: BodeCurve[]): HTMLElement {
  const loops = curves.flatMap(({ margins }) => margins ?? []);
  return el("div", {}, ...loops.map((margins) => of_loop(margins)));
}

function of_loop(margins: Margins): HTMLElement {
  const at = ({ frequency }: Crossover) => [brief(frequency, 5), brief(frequency / (2 * Math.PI), 5)];
  const gains = [...margins.gain]
    .sort((a, b) => Math.abs(Math.log(a.margin)) - Math.abs(Math.log(b.margin)))
    .slice(0, most_named)
    .sort((a, b) => a.frequency - b.frequency);
  const rows = [
    ...gains.map((c) => ["gain", `${brief(20 * Math.log10(c.margin), 4)} dB, × ${brief(c.margin, 4)}`, ...at(c)]),
    ...margins.phase.map((c) => ["phase", `${brief((c.margin * 180) / Math.PI, 4)}°`, ...at(c)]),
    ...(margins.delay ? [["delay", `${brief(margins.delay.margin, 4)} s`, ...at(margins.delay)]] : []),
    ...(margins.modulus ? [["least |1 + L|", brief(margins.modulus.margin, 4), ...at(margins.modulus)]] : []),
  ];
  const missing = [
    !margins.gain.length && "The loop gain is never real and negative: no gain margin.",
    !margins.phase.length && "The loop gain never has magnitude one: no phase margin.",
    margins.gain.length > most_named &&
      `${margins.gain.length - most_named} more gain margins are further from the limit.`,
  ].filter((text) => text !== false);
  return el(
    "div",
    { class: "loop" },
    el(
      "h3",
      {},
      `Loop at ${margins.signal}: `,
      el(
        "span",
        { class: margins.stable ? "good" : "bad" },
        margins.stable ? "stable when closed" : "unstable when closed",
      ),
    ),
    table(["margin", "", "at [rad/s]", "[Hz]"], rows, { numbers: true }),
    ...missing.map((text) => el("p", { class: "quiet" }, text)),
  );
}
