// Eigenvalues in the complex plane. A press on one chooses its mode.
import { el } from "../dom";
import type { Analysis } from "../payload";
import { mode_name } from "./data";
import { Diagram, marks, type Pen } from "./diagram";
import type { ModePlayer } from "./player";
import { best_kind, draw_plane, nearest_point, plane_scales } from "./s_plane";
import { kind_choice } from "./kind_choice";
import { eigenvalue_text, mode_text } from "./words";

const near = 16; // [px]

export function pole_map(analysis: Analysis, player: ModePlayer): HTMLElement {
  const poles = analysis.modes.map(({ eigenvalue }) => eigenvalue);
  const first_of: number[] = poles.map(([x, y]) => poles.findIndex(([a, b]) => a === x && b === y));
  let kind = best_kind(poles);
  let last_pen: Pen | null = null;
  const draw = (pen: Pen): void => {
    last_pen = pen;
    draw_plane(pen);
    analysis.modes.forEach((mode, k) => {
      if (first_of[k] !== k && k !== player.chosen) return; // at the same place as another
      const look = `pole${mode.grows ? " bad" : ""}${k === player.chosen ? " chosen" : ""}`;
      if (k === player.chosen) pen.mark(...mode.eigenvalue, marks.ring, { class: "ring" });
      pen.mark(...mode.eigenvalue, marks.cross, { class: look, "data-mode": k });
    });
  };
  const diagram = new Diagram({
    label: "Pole map: eigenvalues in the complex plane",
    height: 300,
    x: { scale: plane_scales(poles, kind).x, title: "real part [1/s]" },
    y: { scale: plane_scales(poles, kind).y, title: "imaginary part [1/s]" },
    draw,
    hover: (point, pen) => {
      const k = point ? nearest_point(pen, poles, point.px, point.py, near) : -1;
      diagram.element.classList.toggle("pressable", k >= 0);
      const mode = analysis.modes[k];
      if (!mode) return [];
      pen.mark(...mode.eigenvalue, marks.ring, { class: "ring" });
      const same = poles.filter((_, j) => first_of[j] === first_of[k]).length;
      return [
        same > 1 ? `${same} modes here, ${mode_name(analysis.modes, k)} the first` : mode_name(analysis.modes, k),
        mode.neutral ? "zero" : eigenvalue_text(mode.eigenvalue),
        mode_text(mode),
        mode.what,
      ];
    },
    click: ({ px, py }) => {
      const k = last_pen ? nearest_point(last_pen, poles, px, py, near) : -1;
      if (k >= 0) void player.choose(k);
    },
  });
  let chosen = player.chosen;
  player.changed.add(() => {
    if (chosen === player.chosen) return;
    chosen = player.chosen;
    diagram.redraw();
  });
  return el(
    "div",
    {},
    diagram.element,
    el(
      "div",
      { class: "bar" },
      kind_choice(kind, (chosen_kind) => {
        kind = chosen_kind;
        const { x, y } = plane_scales(poles, kind);
        diagram.set_scales(x, y);
      }),
      el(
        "span",
        { class: "quiet hint" },
        "Lines: equal damping ratio, equal natural frequency. The lower half is a mirror image. Drag to zoom, double click for everything.",
      ),
    ),
  );
}
