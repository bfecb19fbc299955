// Gain and phase over frequency, with crossovers and margins.
import { el } from "../dom";
import { brief } from "../units";
import { room } from "../plots/axis";
import { critical_phase, most_named, value_at, type ChosenCurves } from "./chosen_curves";
import type { BodeCurve } from "./data";
import { Diagram, marks, type Pen, type PointerPlace } from "./diagram";
import { Scale } from "./scale";

export function bode(curves: ChosenCurves): HTMLElement {
  const range = (): [number, number] => {
    const list = curves.list.length ? curves.list : [{ curve: curves.all[0]! }];
    return [
      Math.min(...list.map(({ curve }) => curve.frequency[0] ?? 0.1)),
      Math.max(...list.map(({ curve }) => curve.frequency[curve.frequency.length - 1] ?? 10)),
    ];
  };
  const across = () => new Scale("logarithmic", ...range());
  const gain_scale = () => new Scale("linear", ...room(...limits(curves, "gain", 0)), 1, 20);
  const phase_scale = () => new Scale("linear", ...room(...limits(curves, "phase", null)), 1, 45);

  const hover = (of: "gain" | "phase") => (point: PointerPlace | null, pen: Pen) => {
    if (!point || !curves.list.length) return [];
    const w = point.x;
    pen.line(w, pen.y.from, w, pen.y.to, { class: "cursor-line" });
    const lines = [`${brief(w, 4)} rad/s, ${brief(w / (2 * Math.PI), 4)} Hz`];
    for (const { curve, color } of curves.list) {
      const [gain, phase] = (["gain", "phase"] as const).map((k) => value_at(curve.frequency, curve[k], w));
      if (Number.isNaN(gain!)) continue;
      pen.mark(w, of === "gain" ? gain! : phase!, marks.dot, { style: `fill: ${color}` });
      lines.push(`${curves.list.length > 1 ? `${curve.title}: ` : ""}${gain!.toFixed(2)} dB, ${phase!.toFixed(1)}°`);
    }
    return lines.map((line) => line.replaceAll("-", "−"));
  };
  const frequency = "frequency [rad/s]";
  const gain = new Diagram({
    label: "Bode diagram: gain over frequency",
    height: 230,
    x: { scale: across(), title: frequency },
    y: { scale: gain_scale(), title: "gain [dB]" },
    draw: (pen) => draw(pen, curves, "gain"),
    hover: hover("gain"),
  });
  const phase = new Diagram({
    label: "Bode diagram: phase over frequency",
    height: 230,
    x: { scale: across(), title: frequency },
    y: { scale: phase_scale(), title: "phase [deg]" },
    draw: (pen) => draw(pen, curves, "phase"),
    hover: hover("phase"),
  });
  gain.link(phase);
  curves.changed.add(() => {
    gain.set_scales(across(), gain_scale());
    phase.set_scales(across(), phase_scale());
  });
  return el("div", {}, gain.element, phase.element);
}

/// Of what is shown; of a loop with the line that margins are measured from.
function limits(curves: ChosenCurves, of: "gain" | "phase", include: number | null): [number, number] {
  let [least, largest] = [Infinity, -Infinity];
  const see = (y: number) => {
    if (!Number.isFinite(y)) return;
    least = Math.min(least, y);
    largest = Math.max(largest, y);
  };
  for (const { curve } of curves.list) {
    curve[of].forEach(see);
    if (!curve.margins) continue;
    if (include !== null) see(include);
    else {
      const middle = curve.phase[Math.floor(curve.phase.length / 2)] ?? -180;
      see(critical_phase(middle, 0));
      curve.margins.phase.forEach(({ frequency, margin }) => {
        see(critical_phase(value_at(curve.frequency, curve.phase, frequency), (margin * 180) / Math.PI));
      });
    }
  }
  return [least, largest];
}

function draw(pen: Pen, curves: ChosenCurves, of: "gain" | "phase"): void {
  const loops = curves.list.some(({ curve }) => curve.margins);
  if (of === "gain" && loops) pen.line(pen.x.from, 0, pen.x.to, 0, { class: "limit" });
  if (of === "phase" && loops) {
    for (let k = Math.floor(pen.y.from / 360) - 1; k * 360 - 180 < pen.y.to; ++k) {
      if (k * 360 - 180 > pen.y.from) pen.line(pen.x.from, k * 360 - 180, pen.x.to, k * 360 - 180, { class: "limit" });
    }
  }
  for (const { curve, color } of curves.list) {
    pen.curve(curve.frequency, curve[of], { class: "curve", style: `stroke: ${color}` });
  }
  for (const { curve, color } of curves.list) mark_margins(pen, curve, color, of);
}

function mark_margins(pen: Pen, curve: BodeCurve, color: string, of: "gain" | "phase"): void {
  const { margins } = curve;
  if (!margins) return;
  const style = `stroke: ${color}; fill: ${color}`;
  for (const { frequency: w, margin } of margins.phase) {
    const degrees = (margin * 180) / Math.PI;
    const at = value_at(curve.frequency, curve.phase, w);
    if (of === "gain") pen.mark(w, 0, marks.dot, { class: "crossover", style }, `|L| = 1 at ${brief(w, 5)} rad/s`);
    else {
      const limit = critical_phase(at, degrees);
      pen.line(w, limit, w, at, { class: "margin phase", style });
      pen.mark(w, at, marks.dot, { class: "crossover", style });
      pen.note(w, (limit + at) / 2, `PM ${brief(degrees, 3)}°`, color);
    }
  }
  const named = [...margins.gain]
    .sort((a, b) => Math.abs(Math.log(a.margin)) - Math.abs(Math.log(b.margin)))
    .slice(0, most_named);
  for (const crossover of margins.gain) {
    const { frequency: w, margin } = crossover;
    const decibels = 20 * Math.log10(margin);
    const phase = value_at(curve.frequency, curve.phase, w);
    if (of === "phase") {
      pen.mark(w, phase, marks.dot, { class: "crossover", style }, `L is negative at ${brief(w, 5)} rad/s`);
      continue;
    }
    pen.line(w, -decibels, w, 0, { class: "margin gain", style });
    pen.mark(w, -decibels, marks.dot, { class: "crossover", style });
    if (named.includes(crossover)) pen.note(w, -decibels, `GM ${brief(decibels, 3)} dB`, color);
  }
}
