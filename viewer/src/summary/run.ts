// How it was simulated, and whether the physics was kept.
import type { RunData } from "../data";
import { download, el, file_name } from "../dom";
import type { Ledger } from "../payload";
import { csv_of } from "../plots/export";
import { brief, count, display_of } from "../units";
import { card, facts, table } from "./table";

export function run_panel(runs: RunData[]): HTMLElement {
  return el(
    "div",
    {},
    ...runs.map((data) => {
      const { run } = data;
      return el(
        "div",
        {},
        runs.length > 1 && el("h2", { class: "run" }, run.label),
        run.warnings.length > 0 &&
          card("Warnings", el("ul", { class: "warnings" }, ...run.warnings.map((text) => el("li", {}, text)))),
        run.ledger && card("Ledger", ledger_table(run.ledger)),
        card(
          "Run",
          facts([
            ["results", run.label],
            ["status", run.status || "not ended"],
            ["formulation", run.formulation],
            ["integrator", run.integrator],
            [
              "records",
              `${count(data.time.length)} from ${brief(data.start, 9)} to ${brief(data.end, 9)} s, ${run.columns.length} quantities`,
            ],
            ...run.statistics
              .filter(([name]) => name !== "seconds")
              .map(([name, value]): [string, string] => [
                name.replaceAll("_", " "),
                value === null ? "–" : count(value),
              ]),
            ["computed in", `${brief(run.statistics.find(([name]) => name === "seconds")?.[1], 3)} s`],
            ["version", run.version],
            ["command", el("code", {}, run.command)],
          ]),
          el("button", { set: { type: "button" }, on: { click: () => void save_all(data) } }, "Save all numbers (CSV)"),
        ),
      );
    }),
  );
}

function ledger_table(ledger: Ledger): HTMLElement {
  const { balanced } = ledger;
  const verdict = ledger.exempt
    ? `Momentum and energy are not expected to balance: ${ledger.exempt}.`
    : balanced
      ? `The ledger balances: relative residuals are below ${brief(ledger.allowed, 2)}, which the tolerance explains.`
      : "The ledger does not balance: see the warnings.";
  return el(
    "div",
    {},
    el("p", { class: balanced ? "good" : "bad" }, verdict),
    table(
      ["", "residual", "scale", "relative residual"],
      [
        ...ledger.lines.map((line) => [
          line.name,
          `${brief(line.left_over, 3)} ${display_of(line.unit).unit}`,
          `${brief(line.scale, 4)} ${display_of(line.unit).unit}`,
          `${brief(line.relative, 2)}${line.rounding ? ", rounding" : ""}`,
        ]),
        ["attitudes", brief(ledger.attitude, 3), "from unit length", ""],
        ...(ledger.constraints
          ? [
              [
                "constraints",
                `${brief(ledger.constraints.position, 3)} m or rad`,
                `${brief(ledger.constraints.speed, 3)} m/s or rad/s`,
                `of ${count(ledger.constraints.rows)} rows`,
              ],
            ]
          : []),
        ...(ledger.redundant ? [["redundant rows", ledger.redundant, "", ""]] : []),
        [
          "accelerations",
          brief(ledger.accelerations, 3),
          `from ${ledger.other_formulation || "another formulation"}`,
          "",
        ],
      ],
      { numbers: true },
    ),
  );
}

async function save_all(data: RunData): Promise<void> {
  const entries = await Promise.all(
    data.run.columns.map(async (column) => ({
      data,
      column,
      label: column.name,
      color: 0,
      dash: null,
      curve: { time: data.time, values: await data.values(column) },
    })),
  );
  download(`${file_name(data.run.label)}.csv`, new Blob([csv_of(entries)], { type: "text/csv" }));
}
