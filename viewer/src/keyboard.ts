// Keys, and the dialog that lists them.
import type { Clock } from "./clock";
import { nearest } from "./data";
import { el } from "./dom";

const keys: [key: string, what: string][] = [
  ["Space", "play, pause"],
  ["← →", "one record back, forward; ten with Shift"],
  ["Home End", "to the start, to the end"],
  ["< >", "slower, faster"],
  ["1 2 3 ..", "plots, model, run, events, linear analysis"],
  ["W A S D + −", "go round the spacecraft, closer, away"],
  ["T", "light, dark"],
  ["?", "this list"],
];

interface Actions {
  theme: () => void;
  tab: (k: number) => void;
  camera: (key: string) => boolean; // was it a key of the camera's?
  mode: () => { toggle: () => void } | null; // what is shown moving in a mode, in place of the run
}

/// `time` has the records of all runs.
export function listen_to_keys(clock: Clock, time: Float64Array, actions: Actions): void {
  const step = (by: number): void => {
    clock.pause();
    const k = Math.min(Math.max(nearest(time, clock.t) + by, 0), time.length - 1);
    clock.go_to(time[k] ?? clock.t);
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input:not([type=checkbox]):not([type=range]), select, textarea")) return;
    if (target.matches("pre") && !event.key.startsWith(" ")) return; // it scrolls
    const on_control = target.matches("button, summary, input");
    const act: Record<string, () => void> = {
      ArrowLeft: () => step(event.shiftKey ? -10 : -1),
      ArrowRight: () => step(event.shiftKey ? 10 : 1),
      Home: () => clock.go_to(clock.start),
      End: () => clock.go_to(clock.end),
      "<": () => clock.faster(-1),
      ">": () => clock.faster(1),
      t: actions.theme,
      T: actions.theme,
      "?": show_keys,
    };
    if (!on_control) act[" "] = () => (actions.mode() ?? clock).toggle();
    if (/^[1-9]$/.test(event.key)) act[event.key] = () => actions.tab(Number(event.key) - 1);
    const action = act[event.key];
    if (!action && actions.camera(event.key)) return event.preventDefault();
    if (!action || (target.getAttribute("role") === "tab" && event.key.startsWith("Arrow"))) return;
    event.preventDefault();
    action();
  });
}

export function show_keys(): void {
  keys_dialog(
    keys,
    "Picture: drag to turn, wheel or pinch to come closer, right button to move. " +
      "Plots: click to set the time, drag to zoom, Ctrl and wheel to zoom, double click for everything.",
  );
}

export function keys_dialog(list: [key: string, what: string][], note: string): void {
  const dialog = el(
    "dialog",
    { class: "keys", set: { "aria-label": "Keys" } },
    el("h2", {}, "Keys"),
    el(
      "dl",
      { class: "facts" },
      ...list.flatMap(([key, what]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)]),
    ),
    el("p", { class: "quiet" }, note),
    el("form", { set: { method: "dialog" } }, el("button", { class: "primary" }, "Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.appendChild(dialog);
  dialog.showModal();
}
