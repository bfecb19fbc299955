// Eigenvalues as a parameter varies. The pointer shows the value of the parameter, and where all eigenvalues are with it.
import { el, svg } from "../dom";
import type { Analysis } from "../payload";
import { brief, display_of } from "../units";
import type { LocusCurves } from "./data";
import { Diagram, marks, type Pen } from "./diagram";
import { kind_choice } from "./kind_choice";
import { best_kind, draw_plane, plane_scales } from "./s_plane";
import { eigenvalue_text, pole_text } from "./words";

const near = 30; // [px]

interface Place {
  branch: number;
  at: number; // in values: between two of them
}

export function root_locus(analysis: Analysis, curves: LocusCurves): HTMLElement {
  const { locus, values, branches } = curves;
  const points: [number, number][] = branches.flatMap(({ real, imaginary }) =>
    Array.from(real, (x, k): [number, number] => [x, Math.abs(imaginary[k]!)]),
  );
  const unit = display_of(locus.unit).unit;
  const with_unit = (x: number) => `${locus.parameter} = ${brief(x, 5)}${unit ? ` ${unit}` : ""}`;
  const seen = branches
    .map(({ imaginary }, k) => ({ k, upper: imaginary.some((y) => y >= 0) }))
    .filter(({ upper }) => upper);
  let kind = best_kind(points);
  const first = plane_scales(points, kind);

  const draw = (pen: Pen): void => {
    draw_plane(pen);
    const last = values.length - 1;
    for (const { k } of seen) {
      const { real, imaginary } = branches[k]!;
      const style = `stroke: var(--curve-${k % 8})`;
      pen.curve(
        real,
        imaginary.map((y) => (y < 0 ? NaN : y)),
        { class: "branch", style },
      );
      if (imaginary[0]! >= 0) pen.mark(real[0]!, imaginary[0]!, marks.cross, { class: "begin", style });
      if (imaginary[last]! >= 0) pen.mark(real[last]!, imaginary[last]!, marks.circle, { class: "end", style });
    }
    if (locus.nominal === null) return;
    for (const { eigenvalue } of analysis.modes) pen.mark(...eigenvalue, marks.diamond, { class: "nominal" });
  };

  const diagram = new Diagram({
    label: `Root locus: eigenvalues as ${locus.parameter} varies`,
    height: 340,
    x: { scale: first.x, title: "real part [1/s]" },
    y: { scale: first.y, title: "imaginary part [1/s]" },
    draw,
    hover: (point, pen) => {
      const place = point && find(pen, curves, point.px, point.py);
      if (!place) return [];
      const value = between(values, place.at);
      for (const { k } of seen) {
        const [x, y] = on(curves, k, place.at);
        if (y >= 0) pen.mark(x, y, marks.dot, { class: "cursor", style: `fill: var(--curve-${k % 8})` });
      }
      const here = on(curves, place.branch, place.at);
      pen.mark(...here, marks.ring, { class: "ring" });
      return [with_unit(value), eigenvalue_text(here, false), pole_text(...here)];
    },
  });
  const [from, to] = [values[0] ?? 0, values[values.length - 1] ?? 0];
  const key = (path: string, look: string, label: string) => el("span", { class: "key" }, symbol(path, look), label);
  return el(
    "div",
    {},
    el(
      "div",
      { class: "chips" },
      key(marks.cross, "begin", with_unit(from)),
      key(marks.circle, "end", with_unit(to)),
      locus.nominal !== null && key(marks.diamond, "nominal", `${with_unit(locus.nominal)}, the model`),
    ),
    diagram.element,
    el(
      "div",
      { class: "bar" },
      kind_choice(kind, (chosen) => {
        kind = chosen;
        const { x, y } = plane_scales(points, kind);
        diagram.set_scales(x, y);
      }),
      el(
        "span",
        { class: "quiet hint" },
        "Rest the pointer on a branch for the parameter's value. Drag to zoom, double click for everything.",
      ),
    ),
  );
}

function symbol(path: string, look: string): SVGElement {
  return svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, svg("path", { d: path, class: look }));
}

const between = (list: Float64Array, at: number): number => {
  const k = Math.min(Math.floor(at), list.length - 2);
  if (k < 0) return list[0] ?? 0;
  return list[k]! + (list[k + 1]! - list[k]!) * (at - k);
};
const on = ({ branches }: LocusCurves, branch: number, at: number): [number, number] => {
  const { real, imaginary } = branches[branch]!;
  return [between(real, at), between(imaginary, at)];
};

/// The nearest place on any branch.
function find(pen: Pen, { branches, values }: LocusCurves, px: number, py: number): Place | null {
  let best: Place | null = null;
  let least = near;
  branches.forEach(({ real, imaginary }, branch) => {
    for (let k = 0; k + 1 < values.length; ++k) {
      if (imaginary[k]! < 0 || imaginary[k + 1]! < 0) continue;
      const [ax, ay] = [pen.px(real[k]!), pen.py(imaginary[k]!)];
      const [bx, by] = [pen.px(real[k + 1]!) - ax, pen.py(imaginary[k + 1]!) - ay];
      const square = bx * bx + by * by;
      const s = square > 0 ? Math.min(Math.max(((px - ax) * bx + (py - ay) * by) / square, 0), 1) : 0;
      const distance = Math.hypot(px - ax - s * bx, py - ay - s * by);
      if (distance < least) [best, least] = [{ branch, at: k + s }, distance];
    }
  });
  return best;
}
