// The upper half of the plane of eigenvalues, with lines of equal damping ratio and of equal natural frequency.
import { brief } from "../units";
import type { Pen } from "./diagram";
import { Scale, type AxisKind } from "./scale";

const ratios = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/// Axes that show these points; logarithmic on both sides of zero where their magnitudes are far from each other.
export function plane_scales(points: [real: number, imaginary: number][], kind: AxisKind): { x: Scale; y: Scale } {
  const finite = points.filter((p) => p.every(Number.isFinite));
  const real = finite.map(([x]) => x);
  const high = Math.max(...finite.map(([, y]) => Math.abs(y)), 0);
  let [from, to] = [Math.min(0, ...real), Math.max(0, ...real)];
  if (from === 0 && to === 0) [from, to] = [-(high || 1), high || 1];
  const threshold = smallest(finite) / 3;
  const grow = (x: number) => (kind === "signed" ? x * 2 + Math.sign(x) * threshold : x * 1.12);
  const width = Math.max(-from, to);
  const least = kind === "signed" ? 2 * threshold : 0.08 * width;
  const up = high > 0 ? grow(high) : kind === "signed" ? grow(width) : width;
  return {
    x: new Scale(kind, Math.min(grow(from), -least), Math.max(grow(to), least), threshold),
    y: new Scale(kind, kind === "signed" ? -threshold / 2 : -0.06 * up, up, threshold),
  };
}

function smallest(points: [number, number][]): number {
  const sizes = points.map((p) => Math.hypot(...p)).filter((size) => size > 0);
  return sizes.length ? Math.min(...sizes) : 1;
}

/// The kind that shows all of them apart.
export function best_kind(points: [number, number][]): AxisKind {
  const sizes = points.map((p) => Math.hypot(...p)).filter((size) => size > 0 && Number.isFinite(size));
  return sizes.length && Math.max(...sizes) > 60 * Math.min(...sizes) ? "signed" : "linear";
}

export function draw_plane(pen: Pen): void {
  const { x, y } = pen;
  const far = 2 * Math.max(Math.abs(x.from), Math.abs(x.to), y.to);
  const near = far * 1e-9;
  const radii = Array.from({ length: 160 }, (_, k) => near * (far / near) ** (k / 159));
  const labels: [px: number, py: number][] = [];
  for (const ratio of ratios) {
    const across = Math.sqrt(1 - ratio * ratio);
    const [xs, ys] = [radii.map((r) => -r * ratio), radii.map((r) => r * across)];
    pen.curve(xs, ys, { class: "guide" });
    label_end(pen, xs, ys, brief(ratio, 2), labels);
  }
  const circles = y.ticks(4).map(({ at }) => at);
  for (const radius of circles.filter((r) => r > 0)) {
    const angles = Array.from({ length: 61 }, (_, k) => Math.PI / 2 + (k / 60) * (Math.PI / 2));
    pen.curve(
      angles.map((a) => radius * Math.cos(a)),
      angles.map((a) => radius * Math.sin(a)),
      { class: "guide" },
    );
  }
  pen.line(0, Math.min(0, y.from), 0, y.to, { class: "zero" });
  pen.line(x.from, 0, x.to, 0, { class: "zero" });
}

/// At the last point of a line that is seen, unless another label is there.
function label_end(pen: Pen, xs: number[], ys: number[], text: string, others: [px: number, py: number][]): void {
  for (let k = xs.length - 1; k > 0; --k) {
    const [a, b] = [pen.x.place(xs[k]!), pen.y.place(ys[k]!)];
    if (a < 0.02 || a > 0.97 || b < 0.05 || b > 0.95) continue;
    const [px, py] = [pen.px(xs[k]!), pen.py(ys[k]!)];
    if (others.some(([x, y]) => Math.abs(x - px) < 28 && Math.abs(y - py) < 11)) return;
    others.push([px, py]);
    const begin = a < 0.08;
    pen.text(xs[k]!, ys[k]!, text, { class: "guide", "text-anchor": begin ? "start" : "end" }, [begin ? 2 : -3, -3]);
    return;
  }
}

/// Among points, the one nearest to a place on the screen, if it is near.
export function nearest_point(pen: Pen, points: [number, number][], px: number, py: number, within: number): number {
  let best = -1;
  let least = within;
  points.forEach(([x, y], k) => {
    const distance = Math.hypot(pen.px(x) - px, pen.py(y) - py);
    if (distance < least) [best, least] = [k, distance];
  });
  return best;
}
