// What was simulated: the tree, masses, parameters and the model file itself.
import type { Clock } from "../clock";
import { download, el, file_name } from "../dom";
import type { MassSummary, ModelSummary, Run } from "../payload";
import type { PhaseList } from "../phases";
import { brief } from "../units";
import { body_color } from "../view/shapes";
import { card, facts, table } from "./table";
import { show_holding, tree_drawing } from "./tree";

/// Of a run, whose tree shows what is held now; or of an analysis.
export function model_panel(
  of: Pick<Run, "model" | "scene" | "model_file" | "model_text">,
  phases: PhaseList[] = [],
  clock: Clock | null = null,
): HTMLElement {
  const { model, model_file, model_text } = of;
  const colors = of.scene?.bodies.map((body, k) => body.shapes[0]?.color || body_color(k)) ?? [];
  const tree = model && tree_drawing(model, colors);
  if (tree && clock) show_holding(tree, phases, clock);
  return el(
    "div",
    {},
    model && tree && card("Tree", el("div", { class: "scroll" }, tree), degrees_of_freedom(model)),
    model &&
      card(
        "Mass properties",
        masses(model),
        el(
          "p",
          { class: "quiet" },
          "com from the origin of each body, in its axes; inertia about the com: matrix elements. " +
            "The whole: at the start, world axes.",
        ),
      ),
    model &&
      model.wheels.length > 0 &&
      card(
        "Wheels",
        table(
          ["wheel", "body", "axis", "inertia [kg·m²]"],
          model.wheels.map((wheel) => [
            wheel.name,
            model.bodies[wheel.body]?.name ?? "",
            vector(wheel.axis),
            brief(wheel.inertia),
          ]),
        ),
      ),
    model &&
      model.constraints.length > 0 &&
      card(
        "Constraints",
        table(
          ["name", "what"],
          model.constraints.map(({ name, what, cut }) => [name, cut ? `cut joint: ${what}` : what]),
        ),
      ),
    model &&
      model.parameters.length > 0 &&
      card("Parameters", facts(model.parameters.map(({ name, value }) => [name, brief(value, 8)]))),
    card(
      "Model file",
      facts([["file", model_file]]),
      el(
        "button",
        {
          set: { type: "button" },
          on: {
            click: () => download(file_name(model_file.split(/[\\/]/).pop() ?? "model.yaml"), new Blob([model_text])),
          },
        },
        "Save the model file",
      ),
      el("pre", { class: "model", set: { tabindex: 0 } }, model_text),
    ),
  );
}

const vector = (v: readonly number[]) => v.map((x) => brief(x, 4)).join(", ");

function masses(model: ModelSummary): HTMLElement {
  const bodies = model.bodies.filter(({ mass }, k) => mass > 0 || !model.nodes?.includes(k));
  const rows = [...bodies, { ...model.total, name: "the whole" }];
  const at = (m: MassSummary, i: number, j: number) => brief(m.inertia[i]?.[j], 4);
  return table(
    ["body", "mass [kg]", "com x, y, z [m]", "xx [kg·m²]", "yy", "zz", "xy", "xz", "yz"],
    rows.map((m) => [
      m.name,
      brief(m.mass),
      vector(m.com),
      at(m, 0, 0),
      at(m, 1, 1),
      at(m, 2, 2),
      at(m, 0, 1),
      at(m, 0, 2),
      at(m, 1, 2),
    ]),
    { numbers: true },
  );
}

function degrees_of_freedom(model: ModelSummary): HTMLElement {
  const { free, locked, prescribed, wheels, wheels_prescribed, modes } = model.degrees_of_freedom;
  const parts = [
    `${free} free`,
    locked && `${locked} locked`,
    prescribed && `${prescribed} prescribed`,
    wheels && `${wheels} ${wheels === 1 ? "wheel" : "wheels"}`,
    wheels_prescribed && `${wheels_prescribed} wheel speeds prescribed`,
    modes && `${modes} ${modes === 1 ? "mode" : "modes"} of flexible bodies`,
  ];
  return el("p", { class: "quiet" }, `Degrees of freedom: ${parts.filter(Boolean).join(", ")}`);
}
