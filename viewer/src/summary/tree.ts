// The tree of bodies as a drawing: parents left of their children, joints on the branches. A joint that is cut is a dashed
// branch to a body that stands elsewhere as well. Nodes of flexible bodies are slim and have their names in that body.
import type { Clock } from "../clock";
import { svg } from "../dom";
import type { ModelSummary } from "../payload";
import { holding, type PhaseList } from "../phases";

const row = 46;
const column = 174;
const box = { width: 106, height: 28 };
const slim = 18; // height of a node

interface Place {
  x: number;
  y: number;
}

/// A joint and the body at its end.
interface Branch {
  parent: number; // the branch that carries it, or -1: the world
  body: number; // -1: the world
  joint: string;
  type: string;
  state: string; // how its joint moves, or that it is cut
}

/// Those of the tree, of which branch k carries body k; then those of cut joints.
function branches_of(model: ModelSummary): Branch[] {
  const joints = model.joints.map(({ name, type, parent, motion }, body) => {
    if (model.nodes?.includes(body)) return { parent, body, joint: "node", type: "", state: motion };
    return { parent, body, joint: name, type, state: motion };
  });
  const cuts = model.constraints
    .filter(({ cut }) => cut)
    .map(({ name, type, parent, child }) => ({ parent, body: child, joint: name, type, state: "cut" }));
  return [...joints, ...cuts];
}

/// Leaves of the tree stand one under another; a parent stands in the middle of its children. Bodies of cut joints stand where
/// there is room beside or below them.
function arrange(branches: Branch[]): { world: Place; places: Place[]; size: Place } {
  const children: number[][] = branches.map(() => []);
  const roots: number[] = [];
  const tree = branches.filter(({ state }) => state !== "cut");
  tree.forEach(({ parent }, k) => (parent < 0 ? roots : children[parent]!).push(k));
  const depth = branches.map(() => 1);
  branches.forEach(({ parent }, k) => (depth[k] = parent < 0 ? 1 : depth[parent]! + 1));
  const places: Place[] = branches.map((_, k) => ({ x: depth[k]! * column, y: -1 }));

  const leaves: number[] = [];
  const visit = [...roots].reverse();
  while (visit.length) {
    const k = visit.pop()!;
    if (!children[k]!.length) leaves.push(k);
    visit.push(...[...children[k]!].reverse());
  }
  leaves.forEach((k, n) => (places[k]!.y = n * row));
  const middle = (list: number[]) => (places[list[0]!]!.y + places[list[list.length - 1]!]!.y) / 2;
  // children have larger numbers than their parents, so theirs are known first
  for (let k = tree.length - 1; k >= 0; --k) if (children[k]!.length) places[k]!.y = middle(children[k]!);
  const world = { x: 0, y: roots.length ? middle(roots) : 0 };

  const columns = new Map<number, number[]>(); // what stands in each, by its y
  const stand = ({ x, y }: Place) => {
    const list = columns.get(x);
    if (list) list.push(y);
    else columns.set(x, [y]);
  };
  places.slice(0, tree.length).forEach(stand);
  for (let k = tree.length; k < branches.length; ++k) {
    const place = places[k]!;
    place.y = (places[branches[k]!.parent] ?? world).y;
    for (const y of (columns.get(place.x) ?? []).sort((a, b) => a - b))
      if (Math.abs(y - place.y) < row) place.y = y + row;
    stand(place);
  }
  const lowest = Math.max(world.y, ...places.map(({ y }) => y));
  return { world, places, size: { x: Math.max(1, ...depth) * column + box.width + 8, y: lowest + row } };
}

/// `colors` are those of the bodies in the picture.
export function tree_drawing(model: ModelSummary, colors: string[]): SVGElement {
  const branches = branches_of(model);
  const { world, places, size } = arrange(branches);
  const picture = svg("svg", {
    class: "tree",
    viewBox: `-4 -4 ${size.x + 8} ${size.y + 8}`,
    width: size.x + 8,
    height: size.y + 8,
    role: "img",
    "aria-label": "Tree of bodies and joints",
  });
  const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  const draw_node = (name: string, at: Place, state: string) => {
    const y = at.y + (box.height - slim) / 2;
    const short = name.slice(name.lastIndexOf(".") + 1);
    const text = svg("text", { x: at.x + box.width / 2, y: y + 13, "text-anchor": "middle" }, clip(short, 15));
    const shape = svg("rect", { x: at.x, y, width: box.width, height: slim, rx: slim / 2 });
    picture.appendChild(svg("g", { class: `body node ${state}` }, svg("title", {}, name), shape, text));
  };
  const draw_body = (body: number, at: Place, state: string) => {
    const name = model.bodies[body]?.name ?? "world";
    if (model.nodes?.includes(body)) return draw_node(name, at, state);
    const color = body < 0 ? null : (colors[body] ?? "none");
    const g = svg(
      "g",
      { class: `body ${color ? "" : "world"} ${state}` },
      svg("title", {}, name),
      svg("rect", { x: at.x, y: at.y, width: box.width, height: box.height, rx: 5 }),
    );
    if (color)
      g.appendChild(
        svg("rect", { x: at.x, y: at.y, width: 5, height: box.height, rx: 2, fill: color, stroke: "none" }),
      );
    g.appendChild(
      svg("text", { x: at.x + box.width / 2 + 2, y: at.y + 18.5, "text-anchor": "middle" }, clip(name, 15)),
    );
    picture.appendChild(g);
  };

  branches.forEach(({ parent, joint, type, state }, k) => {
    const from = parent < 0 ? world : places[parent]!;
    const to = places[k]!;
    const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
    const joint_number = state === "cut" ? {} : { "data-joint": k };
    picture.appendChild(
      svg("path", {
        class: `branch ${state}`,
        ...joint_number,
        d: `M${x1} ${y1}C${x1 + 14} ${y1} ${x1 - 4} ${y2} ${x1 + 12} ${y2}H${x2}`,
      }),
    );
    picture.appendChild(
      svg(
        "text",
        { class: `joint ${state}`, x: x2 - 6, y: y2 - 6, "text-anchor": "end" },
        svg("title", {}, type ? `${joint}: ${type}, ${state}` : "node of a flexible body"),
        clip(joint, 11),
      ),
    );
    picture.appendChild(
      svg(
        "text",
        { class: "joint quiet", ...joint_number, x: x2 - 6, y: y2 + 12, "text-anchor": "end" },
        clip(type, 11),
      ),
    );
  });
  draw_body(-1, world, "");
  branches.forEach(({ body, state }, k) => draw_body(body, places[k]!, state));
  return picture;
}

/// Joints that something holds now are marked, and say what in place of their type.
export function show_holding(tree: SVGElement, phases: PhaseList[], clock: Clock): void {
  const joints = phases
    .filter(({ of }) => of === "joint")
    .map((list) => {
      const branch = tree.querySelector(`path[data-joint="${list.number}"]`);
      const text = tree.querySelector(`text[data-joint="${list.number}"]`);
      return { list, branch, text, type: text?.textContent ?? "" };
    });
  const show = (): void => {
    for (const { list, branch, text, type } of joints) {
      const held = holding(list, clock.t);
      branch?.classList.toggle("held", held !== null);
      text?.classList.toggle("held", held !== null);
      if (text && text.textContent !== (held ?? type)) text.textContent = held ?? type;
    }
  };
  clock.moved.add(show);
  show();
}
