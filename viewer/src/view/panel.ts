// The picture with what the reader can choose about it.
import type { Clock } from "../clock";
import type { RunData, SceneData } from "../data";
import { download, el, file_name, icon_button, icons, menu } from "../dom";
import { brief } from "../units";
import { Craft, type Layer } from "./craft";
import { flexible_menu } from "./flexible_menu";
import type { Scene } from "../payload";
import type { Frame } from "./frames";
import { View } from "./view";

const layers: [layer: Layer, label: string, shown: boolean][] = [
  ["bodies", "Bodies", true],
  ["nodes", "Nodes of flexible bodies", false],
  ["wheels", "Wheels", true],
  ["joints", "Joint axes", true],
  ["constraints", "Constraints", true],
  ["axes", "Body axes", false],
  ["loads", "Thrusters, forces, torques", true],
  ["momentum", "Angular momentum H", true],
  ["directions", "Orbit and sun", true],
  ["centre", "Mass centre", true],
];

/// A spacecraft that stands still, where there is no run.
export interface Still {
  data: SceneData;
  scene: Scene | null;
  warnings: string[];
}

/// Shows the first run; the second, if there is one, as a ghost. Without a run that can be shown, what stands still.
export async function view_panel(
  runs: RunData[],
  still: Still | null,
  clock: Clock,
): Promise<{ element: HTMLElement; view: View | null }> {
  const second = runs[1];
  const of_run = runs[0]?.run.scene ? { data: runs[0], scene: runs[0].run.scene } : null;
  const first = of_run?.data ?? still?.data;
  const scene = of_run?.scene ?? still?.scene;
  if (!first || !scene) {
    const warnings = runs[0]?.run.warnings ?? still?.warnings ?? [];
    return { element: nothing(`There is no picture of this ${runs.length ? "run" : "model"}.`, warnings), view: null };
  }
  const craft = await Craft.of(first, scene, { ghost: false });
  const other = second?.run.scene ? await Craft.of(second, second.run.scene, { ghost: true }) : null;
  let view: View;
  try {
    view = new View(craft, other, clock);
  } catch {
    return { element: nothing("This browser has no WebGL, so there is no picture.", []), view: null };
  }

  const firing = el("div", { class: "firing", set: { "aria-live": "off" } });
  view.painted.add(() => {
    const ended = runs.length > 1 && clock.t > first.end + 1e-9;
    const text = ended ? `${runs[0]!.short_label} ended at ${brief(first.end, 8)} s` : craft.acting.join(", ");
    if (firing.textContent !== text) firing.textContent = text;
  });
  const element = el(
    "section",
    { class: "view", set: { "aria-label": "Picture" } },
    view.element,
    toolbar(view, second && other ? second.short_label : null, first, of_run !== null),
    view.legend?.element,
    firing,
  );
  for (const [layer, , shown] of layers) view.set_visible(layer, shown);
  return { element, view };
}

function nothing(text: string, warnings: string[]): HTMLElement {
  return el(
    "section",
    { class: "view empty" },
    el("p", {}, text),
    ...warnings.map((warning) => el("p", { class: "quiet" }, warning)),
  );
}

/// What stands still has no trails, and no deformations to be exaggerated.
function toolbar(view: View, ghost: string | null, data: SceneData, moves: boolean): HTMLElement {
  return el(
    "div",
    { class: "toolbar" },
    ...frame_choices(view),
    layer_menu(view, ghost),
    moves && trail_menu(view),
    moves && flexible_menu(view),
    el("span", { class: "spring" }),
    icon_button(icons.unzoom, "Camera back to its place", () => view.reset_camera()),
    icon_button(icons.picture, "Save this picture (PNG)", () => {
      void view.picture().then((png) => png && download(`${file_name(data.label)}.png`, png));
    }),
  );
}

function frame_choices(view: View): HTMLElement[] {
  const frames: [string, Frame][] = [["World", { kind: "world" }]];
  if (view.craft.scene.orbit) frames.push(["Orbit", { kind: "orbit" }]);
  view.craft.scene.bodies.forEach((body, k) => frames.push([body.name, { kind: "body", body: k }]));
  const select = el(
    "select",
    { title: "The frame that stands still", set: { "aria-label": "Frame of the camera" } },
    ...frames.map(([name], k) => el("option", { set: { value: k } }, name)),
  );
  const follow = el("input", { set: { type: "checkbox", checked: true } });
  select.addEventListener("change", () => {
    const [, frame] = frames[Number(select.value)]!;
    follow.disabled = frame.kind === "body"; // which is followed anyway
    view.set_frame(frame);
  });
  follow.addEventListener("change", () => view.set_follow(follow.checked));
  return [
    el("label", { class: "choice" }, "Seen from", select),
    el("label", { class: "choice", title: "Keep the mass centre in the middle" }, follow, "Follow"),
  ];
}

function check(label: string, on: boolean, change: (on: boolean) => void): HTMLElement {
  const box = el("input", { set: { type: "checkbox", checked: on } });
  box.addEventListener("change", () => change(box.checked));
  return el("label", { class: "choice" }, box, label);
}

function layer_menu(view: View, ghost: string | null): HTMLElement {
  const items = layers
    .filter(([layer]) => view.craft.has(layer))
    .map(([layer, label, shown]) => check(label, shown, (on) => view.set_visible(layer, on)));
  if (ghost) items.push(check(`Ghost of ${ghost}`, true, (on) => view.set_ghost(on)));
  return menu("Show", ...items);
}

function trail_menu(view: View): HTMLElement {
  const whole = view.craft.data.end - view.craft.data.start;
  const rounded = (t: number) => Number(t.toPrecision(1));
  const lengths: [string, number][] = [["from the start", Infinity]];
  for (const share of [3, 10, 30, 100]) lengths.push([`${rounded(whole / share)} s`, rounded(whole / share)]);
  const length = el(
    "select",
    { set: { "aria-label": "Length of the trails" } },
    ...lengths.map(([name], k) => el("option", { set: { value: k } }, name)),
  );
  length.addEventListener("change", () => {
    view.trails.length = lengths[Number(length.value)]![1];
    view.request();
  });
  const points = view.trails.points.map(({ name }) =>
    check(name, false, (on) => {
      if (on) view.trails.chosen.add(name);
      else view.trails.chosen.delete(name);
      view.renew_trails();
    }),
  );
  return menu("Trails", el("label", { class: "choice" }, "Length", length), ...points);
}
