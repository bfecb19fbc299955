// The page of a report: a picture that moves, plots, and what was simulated how.
import { Clock } from "./clock";
import { read_payload, RunData } from "./data";
import { el, icon_button, icons } from "./dom";
import { listen_to_keys, show_keys } from "./keyboard";
import { plots_panel } from "./plots/panel";
import { Timeline } from "./plots/timeline";
import { events_of, events_panel } from "./summary/events";
import { model_panel } from "./summary/model";
import { run_panel } from "./summary/run";
import { tabs, type Tab } from "./tabs";
import { toggle_theme } from "./theme";
import { transport_bar } from "./transport";
import { view_panel } from "./view/panel";

declare global {
  interface Window {
    gyrostat?: unknown; // for tests: the parts of the page
  }
}

const page = () => document.getElementById("page")!;

async function build(): Promise<void> {
  const payload = read_payload();
  const runs = payload.runs.map((run) => new RunData(run));
  await Promise.all(runs.map((data) => data.open()));
  const first = runs[0]!;
  const title = runs
    .map(({ run }) => run.model_name || run.label)
    .filter((name, k, all) => all.indexOf(name) === k)
    .join(" / ");
  document.title = `${title} – Gyrostat`;

  const clock = new Clock(Math.min(...runs.map((data) => data.start)), Math.max(...runs.map((data) => data.end)));
  const all_times =
    runs.length > 1 ? Float64Array.from(new Set(runs.flatMap(({ time }) => [...time]))).sort() : first.time;
  const timeline = new Timeline({ from: clock.start, to: clock.end > clock.start ? clock.end : clock.start + 1 });
  const events = await events_of(first);
  const { element: picture, view } = await view_panel(runs, clock);

  // Linear analyses will add theirs here: pole maps, root loci, Bode plots, mode shapes.
  const all_tabs: Tab[] = [
    { id: "plots", title: "Plots", content: plots_panel(runs, clock, timeline) },
    { id: "model", title: "Model", content: model_panel(first) },
    { id: "run", title: "Run", content: run_panel(runs) },
    { id: "events", title: "Events", content: events_panel(events, clock) },
  ];
  const side = tabs(all_tabs);
  const bar = transport_bar(clock, all_times, events.time);
  page().replaceChildren(
    header(title, runs, payload.generator, (tab) => side.select(tab)),
    el("main", {}, picture, side.element),
    bar,
  );
  listen_to_keys(clock, all_times, {
    theme: toggle_theme,
    tab: (k) => all_tabs[k] && side.select(all_tabs[k].id),
    camera: (key) => view?.move_by_key(key) ?? false,
  });
  clock.go_to(clock.start);
  window.gyrostat = { clock, timeline, view };
  document.documentElement.dataset["ready"] = "yes";
}

function header(title: string, runs: RunData[], generator: string, select: (tab: string) => void): HTMLElement {
  const pill = (text: string, kind: "good" | "bad" | "care") =>
    el("button", { class: `pill ${kind}`, set: { type: "button" }, on: { click: () => select("run") } }, text);
  const finished = runs.every(({ run }) => run.status === "finished");
  const ledgers = runs.flatMap(({ run }) => run.ledger ?? []);
  const warnings = runs.reduce((sum, { run }) => sum + run.warnings.length, 0);
  return el(
    "header",
    { class: "top" },
    el("h1", { title }, title),
    runs.length > 1 && el("span", { class: "quiet labels" }, runs.map(({ short_label }) => short_label).join(" and ")),
    el("span", { class: "spring" }),
    pill(finished ? "finished" : "not finished", finished ? "good" : "bad"),
    ledgers.length > 0 &&
      (ledgers.some(({ balanced }) => !balanced)
        ? pill("ledger does not balance", "bad")
        : ledgers.some(({ exempt }) => exempt)
          ? pill("ledger need not balance", "care")
          : pill("ledger balances", "good")),
    warnings > 0 && pill(warnings === 1 ? "1 warning" : `${warnings} warnings`, "care"),
    el("span", { class: "quiet generator" }, generator),
    icon_button(icons.theme, "Light or dark (T)", toggle_theme),
    icon_button(icons.help, "Keys (?)", show_keys),
  );
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const old = typeof DecompressionStream === "undefined";
  page().replaceChildren(
    el(
      "main",
      { class: "failure" },
      el("h1", {}, "This report cannot be shown"),
      el("p", {}, old ? "The browser is too old for it: one of 2023 or later is needed." : text),
    ),
  );
  console.error(error);
}

build().catch(fail);
