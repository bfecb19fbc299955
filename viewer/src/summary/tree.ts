// The tree of bodies as a drawing: parents left of their children, joints on the branches.
import { svg } from "../dom";
import type { ModelSummary } from "../payload";

const row = 46;
const column = 174;
const box = { width: 106, height: 28 };

interface Place {
  x: number;
  y: number;
}

/// Leaves stand one under another; a parent stands in the middle of its children.
function arrange(model: ModelSummary): { world: Place; bodies: Place[]; size: Place } {
  const children: number[][] = model.bodies.map(() => []);
  const roots: number[] = [];
  model.joints.forEach((joint, k) => (joint.parent < 0 ? roots : children[joint.parent]!).push(k));
  const depth = model.bodies.map(() => 1);
  model.joints.forEach((joint, k) => (depth[k] = joint.parent < 0 ? 1 : depth[joint.parent]! + 1));
  const bodies: Place[] = model.bodies.map((_, k) => ({ x: depth[k]! * column, y: -1 }));

  const leaves: number[] = [];
  const visit = [...roots].reverse();
  while (visit.length) {
    const k = visit.pop()!;
    if (!children[k]!.length) leaves.push(k);
    visit.push(...[...children[k]!].reverse());
  }
  leaves.forEach((k, n) => (bodies[k]!.y = n * row));
  const middle = (list: number[]) => (bodies[list[0]!]!.y + bodies[list[list.length - 1]!]!.y) / 2;
  // children have larger numbers than their parents, so theirs are known first
  for (let k = bodies.length - 1; k >= 0; --k) if (children[k]!.length) bodies[k]!.y = middle(children[k]!);
  const size = { x: Math.max(1, ...depth) * column + box.width + 8, y: Math.max(1, leaves.length) * row };
  return { world: { x: 0, y: roots.length ? middle(roots) : 0 }, bodies, size };
}

/// `colors` are those of the bodies in the picture.
export function tree_drawing(model: ModelSummary, colors: string[]): SVGElement {
  const { world, bodies, size } = arrange(model);
  const picture = svg("svg", {
    class: "tree",
    viewBox: `-4 -4 ${size.x + 8} ${size.y + 8}`,
    width: size.x + 8,
    height: size.y + 8,
    role: "img",
    "aria-label": "Tree of bodies and joints",
  });
  const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  const draw_body = (name: string, at: Place, color: string | null) => {
    const g = svg(
      "g",
      { class: color ? "body" : "body world" },
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

  model.joints.forEach((joint, k) => {
    const from = joint.parent < 0 ? world : bodies[joint.parent]!;
    const to = bodies[k]!;
    const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
    picture.appendChild(
      svg("path", {
        class: `branch ${joint.motion}`,
        d: `M${x1} ${y1}C${x1 + 14} ${y1} ${x1 - 4} ${y2} ${x1 + 12} ${y2}H${x2}`,
      }),
    );
    picture.appendChild(
      svg(
        "text",
        { class: "joint", x: x2 - 6, y: y2 - 6, "text-anchor": "end" },
        svg("title", {}, `${joint.name}: ${joint.type}, ${joint.motion}`),
        clip(joint.name, 11),
      ),
    );
    picture.appendChild(
      svg("text", { class: "joint quiet", x: x2 - 6, y: y2 + 12, "text-anchor": "end" }, clip(joint.type, 11)),
    );
  });
  draw_body("world", world, null);
  model.bodies.forEach((body, k) => draw_body(body.name, bodies[k]!, colors[k] ?? "none"));
  return picture;
}
