// Play, pause, scrub, speed.
import type { Clock } from "./clock";
import { el, icon_button, icons, set_icon } from "./dom";
import { theme_changed, theme_color } from "./theme";
import { decimals_for, seconds } from "./units";

/// `time` has the records of all runs.
export function transport_bar(clock: Clock, time: Float64Array, events: Float64Array): HTMLElement {
  const decimals = decimals_for(time);

  const play = icon_button(icons.play, "Play", () => clock.toggle());
  play.classList.add("play");
  const slider = el("input", {
    class: "slider",
    set: { type: "range", min: clock.start, max: clock.end, step: "any", value: clock.start, "aria-label": "Time" },
  });
  slider.addEventListener("input", () => {
    clock.pause();
    clock.go_to(Number(slider.value));
  });
  const now = el("span", { class: "time" });
  const speed = el(
    "select",
    { title: "Simulated seconds each second", set: { "aria-label": "Speed" } },
    ...clock.speeds.map((s) => el("option", { set: { value: s, selected: s === clock.speed } }, `${s}×`)),
  );
  speed.addEventListener("change", () => clock.set_speed(Number(speed.value)));

  const show = (): void => {
    slider.value = String(clock.t);
    now.textContent = `${seconds(clock.t, decimals)} s`;
    slider.setAttribute("aria-valuetext", now.textContent);
  };
  clock.moved.add(show);
  clock.changed.add(() => {
    set_icon(play, clock.playing ? icons.pause : icons.play, clock.playing ? "Pause" : "Play");
    speed.value = String(clock.speed);
  });
  show();
  return el(
    "footer",
    { class: "transport", set: { role: "toolbar", "aria-label": "Time" } },
    icon_button(icons.start, "Back to the start", () => clock.go_to(clock.start)),
    play,
    el("div", { class: "track" }, slider, ticks(events, clock)),
    now,
    speed,
  );
}

/// A mark under the slider for every event.
function ticks(events: Float64Array, clock: Clock): HTMLCanvasElement {
  const canvas = el("canvas", { class: "ticks", set: { "aria-hidden": "true" } });
  const draw = (): void => {
    canvas.width = Math.max(1, canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.max(1, canvas.clientHeight * devicePixelRatio);
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = theme_color("--quiet");
    pen.globalAlpha = 0.7;
    const length = clock.end - clock.start || 1;
    let last = -1;
    for (const t of events) {
      const x = Math.round(((t - clock.start) / length) * (canvas.width - 1));
      if (x !== last) pen.fillRect(x, 0, Math.max(1, devicePixelRatio * 0.75), canvas.height);
      last = x;
    }
  };
  new ResizeObserver(draw).observe(canvas);
  theme_changed.add(draw);
  return canvas;
}
