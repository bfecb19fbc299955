// Bands over time: the named states of state machines, and what holds joints and wheels. They show the same stretch of time
// as the plots.
import type { Clock } from "../clock";
import { index_at } from "../data";
import { el } from "../dom";
import { state_at, type PhaseList } from "../phases";
import { theme_changed, theme_color } from "../theme";
import { listen_to_pointer } from "./pointer";
import type { Timeline } from "./timeline";

const height = 20; // [px]
const curves = 8; // colours there are

export function bands_card(list: PhaseList[], clock: Clock, timeline: Timeline): HTMLElement | null {
  if (!list.length) return null;
  return el(
    "article",
    { class: "plot bands", set: { "aria-label": "States" } },
    ...list.map((phases) => band(phases, clock, timeline)),
  );
}

/// One that is held by nothing has no colour.
const color_of = ({ of }: PhaseList, state: number): string | null =>
  of === "signal" ? `--curve-${state % curves}` : state > 0 ? `--curve-${state % curves}` : null;

function band(phases: PhaseList, clock: Clock, timeline: Timeline): HTMLElement {
  const canvas = el("canvas", { set: { "aria-hidden": "true" } });
  const now = el("div", { class: "now" });
  const over = el("div", { class: "band" }, canvas, now);
  const value = el("span", { class: "value" });
  const element = el(
    "div",
    { class: "phases", set: { "data-name": phases.name } },
    el("div", { class: "caption" }, el("b", {}, phases.name), value),
    over,
  );
  const share = (t: number) => (t - timeline.window.from) / (timeline.window.to - timeline.window.from);
  const show = (): void => {
    const t = timeline.hover ?? clock.t;
    const text = phases.states[state_at(phases, t)] ?? "";
    if (value.textContent !== text) value.textContent = text;
    const at = share(clock.t);
    now.hidden = at < 0 || at > 1;
    now.style.left = `calc(${(100 * at).toFixed(4)}% - 0.75px)`;
  };
  const draw = (): void => {
    paint(canvas, phases, timeline);
    show();
  };
  listen_to_pointer(over, clock, timeline, (x) => {
    const { from, to } = timeline.window;
    return from + (x / Math.max(1, over.clientWidth)) * (to - from);
  });
  new ResizeObserver(draw).observe(canvas);
  theme_changed.add(draw);
  timeline.zoomed.add(draw);
  timeline.hovered.add(show);
  clock.moved.add(show);
  return element;
}

/// A piece for each stretch in a state, with its name where there is room.
function paint(canvas: HTMLCanvasElement, phases: PhaseList, { window: { from, to } }: Timeline): void {
  const ratio = devicePixelRatio;
  const width = canvas.clientWidth;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d")!;
  pen.scale(ratio, ratio);
  pen.fillStyle = theme_color("--grid");
  pen.fillRect(0, 0, width, height);
  pen.font = "600 11.5px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.textAlign = "center";
  const { time, state } = phases;
  let drawn = -1; // up to where [px]: of many pieces within a pixel the last is seen
  for (let k = index_at(time, from); k < time.length && time[k]! <= to; ++k) {
    const x1 = Math.max(0, ((time[k]! - from) / (to - from)) * width);
    const end = k + 1 < time.length ? time[k + 1]! : Infinity;
    const x2 = Math.min(width, ((end - from) / (to - from)) * width);
    if (x2 - drawn < 0.25) continue;
    const color = color_of(phases, state[k]!);
    if (color) {
      pen.globalAlpha = 0.3;
      pen.fillStyle = theme_color(color);
      pen.fillRect(x1, 0, Math.max(x2 - x1, 1), height);
      pen.globalAlpha = 1;
      pen.fillRect(x1, 0, 1.5, height);
      pen.fillRect(x1, height - 2, Math.max(x2 - x1, 1), 2);
    }
    const text = phases.states[state[k]!] ?? "";
    if (pen.measureText(text).width + 8 < x2 - x1) {
      pen.fillStyle = theme_color(color ? "--text" : "--quiet");
      pen.fillText(text, (x1 + x2) / 2, height / 2);
    }
    drawn = x2;
  }
}
