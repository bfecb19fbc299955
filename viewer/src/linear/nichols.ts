// Gain over phase: a Nichols diagram, with lines of equal closed-loop magnitude.
import { brief } from "../units";
import { room } from "../plots/axis";
import { most_named, value_at, type ChosenCurves } from "./chosen_curves";
import { Diagram, marks, type Pen } from "./diagram";
import { Scale } from "./scale";

const magnitudes = [12, 6, 3, 0, -3, -6, -12, -20, -40]; // of L/(1 + L) [dB]
const near = 30; // [px]

export function nichols(curves: ChosenCurves): HTMLElement {
  const scales = () => {
    const [phase, gain] = [range(curves, "phase"), range(curves, "gain")];
    return {
      x: new Scale("linear", ...phase, 1, 45),
      y: new Scale("linear", ...gain, 1, 20),
    };
  };
  const first = scales();
  const diagram = new Diagram({
    label: "Nichols diagram: gain over phase",
    height: 340,
    x: { scale: first.x, title: "phase [deg]" },
    y: { scale: first.y, title: "gain [dB]" },
    draw: (pen) => draw(pen, curves),
    hover: (point, pen) => {
      if (!point) return [];
      const found = find(pen, curves, point.px, point.py);
      if (!found) return [];
      pen.mark(found.phase, found.gain, marks.dot, { style: `fill: ${found.color}` });
      return [
        ...(curves.list.length > 1 ? [found.title] : []),
        `${brief(found.w, 4)} rad/s, ${brief(found.w / (2 * Math.PI), 4)} Hz`,
        `${found.gain.toFixed(2)} dB, ${found.phase.toFixed(1)}°`.replaceAll("-", "−"),
      ];
    },
  });
  curves.changed.add(() => {
    const { x, y } = scales();
    diagram.set_scales(x, y);
  });
  return diagram.element;
}

/// With the point that margins are measured from, where a loop is shown. The gain is seen from -60 dB on, unless all of it
/// is below.
function range(curves: ChosenCurves, of: "phase" | "gain"): [number, number] {
  const values = curves.list.flatMap(({ curve }) => [...curve[of]].filter(Number.isFinite));
  const loops = curves.list.some(({ curve }) => curve.margins);
  let [least, largest] = [Math.min(...values), Math.max(...values)];
  if (of === "gain" && loops) {
    [least, largest] = [Math.min(least, -10), Math.max(largest, 10)];
    if (largest > -50) least = Math.max(least, -60);
    largest = Math.min(largest, 80);
  }
  if (of === "phase" && loops && values.length) {
    const critical = -180 + 360 * Math.round(((least + largest) / 2 + 180) / 360);
    [least, largest] = [Math.min(least, critical - 30), Math.max(largest, critical + 30)];
  }
  return room(least, largest);
}

function draw(pen: Pen, curves: ChosenCurves): void {
  const loops = curves.list.filter(({ curve }) => curve.margins);
  if (loops.length) draw_grid(pen);
  for (const { curve, color } of curves.list) {
    pen.curve(curve.phase, curve.gain, { class: "curve", style: `stroke: ${color}` });
  }
  for (const { curve, color } of loops) {
    const style = `stroke: ${color}; fill: ${color}`;
    const at = (w: number): [number, number] => [
      value_at(curve.frequency, curve.phase, w),
      value_at(curve.frequency, curve.gain, w),
    ];
    const label = (w: number, text: string) => pen.note(...at(w), text, color);
    for (const { frequency, margin } of curve.margins!.phase) {
      pen.mark(...at(frequency), marks.dot, { class: "crossover", style });
      label(frequency, `PM ${brief((margin * 180) / Math.PI, 3)}°`);
    }
    const gains = [...curve.margins!.gain].sort((a, b) => Math.abs(Math.log(a.margin)) - Math.abs(Math.log(b.margin)));
    gains.forEach(({ frequency, margin }, k) => {
      pen.mark(...at(frequency), marks.dot, { class: "crossover", style });
      if (k < most_named) label(frequency, `GM ${brief(20 * Math.log10(margin), 3)} dB`);
    });
  }
}

/// |L/(1 + L)| = m along the phase: g^2 (1 - 1/m^2) + 2 g cos(phase) + 1 = 0 for the gain g = |L|.
function draw_grid(pen: Pen): void {
  for (let turn = Math.floor(pen.x.from / 360); turn * 360 < pen.x.to + 360; ++turn) {
    for (const decibels of magnitudes) draw_contour(pen, decibels, turn * 360);
    const critical = turn * 360 - 180;
    if (pen.sees(critical, 0)) pen.mark(critical, 0, marks.plus, { class: "limit" }, "L = −1");
  }
}

function draw_contour(pen: Pen, decibels: number, turn: number): void {
  const m = 10 ** (decibels / 20);
  const a = 1 - 1 / (m * m);
  const [phases, gains]: [number[], number[]] = [[], []];
  const branches = Math.abs(a) < 1e-12 ? [0] : a > 0 ? [1, -1] : [1];
  for (const sign of branches) {
    for (let k = 0; k <= 360; ++k) {
      const degrees = sign > 0 ? k : 360 - k;
      const c = Math.cos((degrees * Math.PI) / 180);
      const root = c * c - a;
      let g = NaN;
      if (Math.abs(a) < 1e-12) g = c < 0 ? -1 / (2 * c) : NaN;
      else if (root >= 0 && a > 0) g = c < 0 ? (-c + sign * Math.sqrt(root)) / a : NaN;
      else if (root >= 0) g = (-c - Math.sqrt(root)) / a;
      phases.push(turn - 360 + degrees);
      gains.push(g > 0 ? 20 * Math.log10(g) : NaN);
    }
  }
  pen.curve(phases, gains, { class: "guide" });
  const text = `${String(decibels).replace("-", "−")} dB`;
  const look = { class: "guide", "text-anchor": "middle" };
  if (a > 0) {
    const top = Math.max(...gains.filter(Number.isFinite));
    if (pen.sees(turn - 180, top)) pen.text(turn - 180, top, text, look, [0, -3]);
  } else if (a < 0) {
    const gain = -10 * Math.log10(-a); // at right angles
    const at = [turn - 90, turn - 270].find((phase) => pen.sees(phase, gain));
    if (at !== undefined) pen.text(at, gain, text, look, [0, -3]);
  }
}

function find(pen: Pen, curves: ChosenCurves, px: number, py: number) {
  let best: { w: number; gain: number; phase: number; color: string; title: string } | null = null;
  let least = near;
  for (const { curve, color } of curves.list) {
    for (let k = 0; k + 1 < curve.frequency.length; ++k) {
      const [ax, ay] = [pen.px(curve.phase[k]!), pen.py(curve.gain[k]!)];
      const [bx, by] = [pen.px(curve.phase[k + 1]!) - ax, pen.py(curve.gain[k + 1]!) - ay];
      const square = bx * bx + by * by;
      const s = square > 0 ? Math.min(Math.max(((px - ax) * bx + (py - ay) * by) / square, 0), 1) : 0;
      const distance = Math.hypot(px - ax - s * bx, py - ay - s * by);
      if (!(distance < least)) continue;
      least = distance;
      const mix = (v: Float64Array) => v[k]! + (v[k + 1]! - v[k]!) * s;
      const w = curve.frequency[k]! * (curve.frequency[k + 1]! / curve.frequency[k]!) ** s;
      best = { w, gain: mix(curve.gain), phase: mix(curve.phase), color, title: curve.title };
    }
  }
  return best;
}
