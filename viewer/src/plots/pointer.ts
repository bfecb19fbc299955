// What the pointer does in a plot: a press sets the time, a drag on a touch screen or Ctrl and the wheel zoom, a double
// press shows everything. (A drag of a mouse is uPlot's own.)
import type { Clock } from "../clock";
import type { Timeline } from "./timeline";

const still = 4; // a press that moves less is no drag [px]
const double_press = 600; // two presses within so long are one [ms]

export function listen_to_pointer(
  over: HTMLElement,
  clock: Clock,
  timeline: Timeline,
  time_at: (x: number) => number,
): void {
  const time_of = (client_x: number) => time_at(client_x - over.getBoundingClientRect().left);
  let pressed: { x: number; y: number } | null = null;
  let before = { t: clock.t, at: 0 }; // the first press of two [s, ms]

  over.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") timeline.point_at(time_of(event.clientX));
  });
  over.addEventListener("pointerleave", () => timeline.point_at(null));
  over.addEventListener("pointerdown", (event) => (pressed = { x: event.clientX, y: event.clientY }));
  over.addEventListener("pointerup", (event) => {
    const from = pressed;
    pressed = null;
    if (!from || event.button !== 0) return;
    const dx = event.clientX - from.x;
    if (Math.hypot(dx, event.clientY - from.y) < still) {
      if (event.timeStamp - before.at > double_press) before = { t: clock.t, at: event.timeStamp };
      clock.pause();
      clock.go_to(time_of(event.clientX));
    } else if (event.pointerType === "touch" && Math.abs(dx) > 6 * still) {
      timeline.zoom(time_of(from.x), time_of(event.clientX));
    }
  });
  over.addEventListener("dblclick", () => {
    timeline.reset();
    clock.go_to(before.t);
  });
  over.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
      event.preventDefault();
      timeline.scale(Math.exp(event.deltaY * 0.002), time_of(event.clientX));
    },
    { passive: false },
  );
}
