// What the reader can choose about flexible bodies; nothing where there are none.
import { el, menu } from "../dom";
import type { Coloring } from "./deformation";
import { Legend } from "./legend";
import type { View } from "./view";

const factors = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export function flexible_menu(view: View): HTMLElement | null {
  const { craft } = view;
  if (!craft.flexible.length) return null;
  const legend = (view.legend = new Legend());
  const title = el("span", {}, "Deformation");

  const factor = el(
    "select",
    { set: { "aria-label": "Exaggeration of deformations" } },
    ...factors.map((x) => el("option", { set: { value: x } }, `${x} ×`)),
  );
  factor.addEventListener("change", () => {
    view.set_exaggeration(Number(factor.value));
    title.textContent = factor.value === "1" ? "Deformation" : `Deformation ${factor.value} ×`;
  });

  const colorings: [Coloring, string][] = [
    ["none", "none"],
    ["displacement", "displacement"],
  ];
  if (craft.largest("strain") > 0) colorings.push(["strain", "curvature and twist"]);
  const color = el(
    "select",
    { set: { "aria-label": "Colour of flexible bodies" } },
    ...colorings.map(([value, name]) => el("option", { set: { value } }, name)),
  );
  color.addEventListener("change", () => {
    const coloring = color.value as Coloring;
    view.set_coloring(coloring);
    legend.show(coloring, coloring === "none" ? 0 : craft.largest(coloring));
  });
  return menu(
    title,
    el(
      "label",
      {
        class: "choice",
        title:
          "Displacements and rotations of nodes are drawn this many times as large. What is attached to a node moves along",
      },
      "Exaggeration",
      factor,
    ),
    el(
      "label",
      {
        class: "choice",
        title:
          "Of nodes and of lines between them, not exaggerated. The last colour is the largest value of the whole run",
      },
      "Colour",
      color,
    ),
  );
}
