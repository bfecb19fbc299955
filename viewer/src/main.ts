// The page of a report: a picture that moves, plots, and what was simulated how.
import { show_campaign } from "./campaign/page";
import { Clock } from "./clock";
import { read_payload, RunData } from "./data";
import { el, icon_button, icons } from "./dom";
import { listen_to_keys, show_keys } from "./keyboard";
import { mode_bar, mode_caption } from "./linear/bar";
import { AnalysisData } from "./linear/data";
import { linear_panel } from "./linear/panel";
import { ModePlayer } from "./linear/player";
import { plots_panel } from "./plots/panel";
import { Timeline } from "./plots/timeline";
import { phases_of } from "./phases";
import { events_of, events_panel } from "./summary/events";
import { model_panel } from "./summary/model";
import { run_panel } from "./summary/run";
import { tabs, type Tab } from "./tabs";
import { toggle_theme } from "./theme";
import { transport_bar } from "./transport";
import { ModePoses } from "./view/mode_poses";
import { view_panel } from "./view/panel";
import type { View } from "./view/view";

declare global {
  interface Window {
    gyrostat?: unknown; // for tests: the parts of the page
  }
}

const page = () => document.getElementById("page")!;

async function build(): Promise<void> {
  const payload = read_payload();
  if (payload.campaign) return show_campaign(payload.campaign, payload.generator, page());
  const runs = payload.runs.map((run) => new RunData(run));
  const linear = payload.analysis ? new AnalysisData(payload.analysis) : null;
  await Promise.all([...runs, ...(linear ? [linear] : [])].map((data) => data.open()));
  const names = runs.map(({ run }) => run.model_name || run.label);
  if (linear && !runs.length) names.push(linear.analysis.model_name || file_of(linear.analysis.model_file));
  const title = names.filter((name, k, all) => all.indexOf(name) === k).join(" / ");
  document.title = `${title} – Gyrostat`;

  const recorded = runs.length ? runs : linear ? [linear] : [];
  const first = recorded[0];
  if (!first) throw new Error("this page has neither a run nor an analysis");
  const clock = new Clock(
    Math.min(...recorded.map((data) => data.start)),
    Math.max(...recorded.map((data) => data.end)),
  );
  const all_times =
    runs.length > 1 ? Float64Array.from(new Set(runs.flatMap(({ time }) => [...time]))).sort() : first.time;
  const timeline = new Timeline({ from: clock.start, to: clock.end > clock.start ? clock.end : clock.start + 1 });
  const still = linear && { data: linear, scene: linear.analysis.scene, warnings: linear.analysis.warnings };
  const { element: picture, view } = await view_panel(runs, still, clock);
  const player = linear && (await player_of(linear, view));

  const all_tabs: Tab[] = [];
  const bars: HTMLElement[] = [];
  if (runs[0]) {
    const events = await events_of(runs[0]);
    const phases = await phases_of(runs[0]);
    all_tabs.push(
      { id: "plots", title: "Plots", content: plots_panel(runs, phases, clock, timeline) },
      { id: "model", title: "Model", content: model_panel(runs[0].run, phases, clock) },
      { id: "run", title: "Run", content: run_panel(runs) },
      { id: "events", title: "Events", content: events_panel(events, clock) },
    );
    bars.push(transport_bar(clock, all_times, events.time));
  }
  if (linear && player) {
    const tab = { id: "linear", title: "Linear analysis", content: linear_panel(linear, player) };
    if (runs.length) all_tabs.push(tab);
    else all_tabs.push(tab, { id: "model", title: "Model", content: model_panel(linear.analysis) });
    picture.appendChild(mode_caption(player));
    bars.push(mode_bar(player));
    player.changed.add(() => {
      const [of_time, of_mode] = runs.length ? bars : [null, bars[0]];
      if (of_time) of_time.hidden = player.shown;
      of_mode!.hidden = !player.shown;
    });
  }
  if (payload.equations) {
    all_tabs.push({ id: "equations", title: "Equations", content: equations_panel(payload.equations) });
  }
  const side = tabs(all_tabs, (id) => {
    if (!player) return;
    if (id === "linear") clock.pause();
    player.show(id === "linear");
  });
  page().replaceChildren(
    header(title, runs, linear, payload.generator, (tab) => side.select(tab)),
    el("main", {}, picture, side.element),
    ...bars,
  );
  listen_to_keys(clock, all_times, {
    theme: toggle_theme,
    tab: (k) => all_tabs[k] && side.select(all_tabs[k].id),
    camera: (key) => view?.move_by_key(key) ?? false,
    mode: () => (player?.shown ? player : null),
  });
  clock.go_to(clock.start);
  window.gyrostat = { clock, timeline, view, player };
  document.documentElement.dataset["ready"] = "yes";
}

/// A page in the page, under the same policy: no script of its own runs, and nothing is loaded.
function equations_panel(html: string) {
  const frame = el("iframe", {
    class: "equations",
    set: { srcdoc: html, title: "Equations of motion" },
    on: { load: () => frame.contentDocument?.addEventListener("click", lead_within) },
  });
  return frame;
}

/// Links and symbols of a page in the page lead to places in it; by themselves they would lead to the report's address.
function lead_within(event: MouseEvent) {
  const page = event.currentTarget as Document,
    from = event.target as Element;
  const link = from.closest("a[href^='#']")?.getAttribute("href")?.slice(1);
  const symbol = from.closest(".s")?.getAttribute("data-s");
  const to = page.getElementById(link ?? (symbol ? `s-${symbol}` : ""));
  if (!to) return;
  event.preventDefault();
  page.querySelector(".lit")?.classList.remove("lit");
  if (to.tagName.toLowerCase() !== "section") to.classList.add("lit");
  to.scrollIntoView();
}

const file_of = (path: string) => path.split(/[\\/]/).pop() ?? path;

/// With the first mode that is not neutral chosen.
async function player_of(linear: AnalysisData, view: View | null): Promise<ModePlayer> {
  const { scene, modes } = linear.analysis;
  const player = new ModePlayer(linear, view, scene && (await ModePoses.of(linear, scene)));
  const moving = modes.findIndex((mode) => !mode.neutral && mode.motion !== null);
  await player.choose(moving >= 0 ? moving : modes.findIndex(({ motion }) => motion !== null));
  return player;
}

function header(
  title: string,
  runs: RunData[],
  linear: AnalysisData | null,
  generator: string,
  select: (tab: string) => void,
): HTMLElement {
  const pill = (text: string, kind: "good" | "bad" | "care", tab = "run") =>
    el("button", { class: `pill ${kind}`, set: { type: "button" }, on: { click: () => select(tab) } }, text);
  const finished = runs.every(({ run }) => run.status === "finished");
  const ledgers = runs.flatMap(({ run }) => run.ledger ?? []);
  const warnings = runs.reduce((sum, { run }) => sum + run.warnings.length, 0);
  const growing = linear?.analysis.modes.filter(({ grows }) => grows).length ?? 0;
  return el(
    "header",
    { class: "top" },
    el("h1", { title }, title),
    runs.length > 1 && el("span", { class: "quiet labels" }, runs.map(({ short_label }) => short_label).join(" and ")),
    el("span", { class: "spring" }),
    runs.length > 0 && pill(finished ? "finished" : "not finished", finished ? "good" : "bad"),
    ledgers.length > 0 &&
      (ledgers.some(({ balanced }) => !balanced)
        ? pill("ledger does not balance", "bad")
        : ledgers.some(({ exempt }) => exempt)
          ? pill("ledger need not balance", "care")
          : pill("ledger balances", "good")),
    warnings > 0 && pill(warnings === 1 ? "1 warning" : `${warnings} warnings`, "care"),
    linear && (growing > 0 ? pill("linearly unstable", "bad", "linear") : pill("no mode grows", "good", "linear")),
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
