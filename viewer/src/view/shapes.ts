// Solids of a scene.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { SceneBody, SceneShape, SceneWheel } from "../payload";
import type { SceneData } from "../data";
import { seen_through } from "./arrows";

/// For bodies whose model gives no colour: calm, and told apart on light and dark.
const palette = [
  "#8d99ae",
  "#d4a24c",
  "#5b8fb9",
  "#b56b6b",
  "#6a9f7b",
  "#8f7bb5",
  "#c08552",
  "#5aa3a3",
  "#a3a36a",
  "#b07fa0",
];

export function body_color(k: number): string {
  return palette[k % palette.length]!;
}

/// In the shape's own axes.
export async function geometry_of(shape: SceneShape, data: SceneData): Promise<BufferGeometry> {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case "box":
      return new BoxGeometry(a, b, c);
    case "cylinder":
      return new CylinderGeometry(a, a, b, 40).rotateX(Math.PI / 2); // three's stands along y
    case "sphere":
      return new SphereGeometry(a, 32, 20);
    case "mesh": {
      const geometry = new BufferGeometry();
      const triangles = shape.mesh ? await data.f32(shape.mesh) : new Float32Array(0);
      geometry.setAttribute("position", new BufferAttribute(triangles, 3));
      geometry.computeVertexNormals();
      return geometry;
    }
  }
}

export interface Look {
  ghost: boolean; // translucent: the other run
}

/// From the axes of a shape to those of its body.
export function placement_of(shape: SceneShape): Matrix4 {
  const [w, x, y, z] = shape.orientation;
  return new Matrix4().compose(new Vector3(...shape.at), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
}

/// `k` is the number of the body; one without a shape has its colour too.
export function solid_material(shape: SceneShape | undefined, k: number, look: Look): MeshLambertMaterial {
  const material = new MeshLambertMaterial({
    color: new Color(shape?.color || body_color(k)),
    flatShading: shape?.kind === "mesh",
  });
  if (look.ghost) {
    material.transparent = true;
    material.opacity = 0.28;
    material.depthWrite = false;
  }
  return material;
}

export function edges_of(geometry: BufferGeometry, look: Look): LineSegments {
  return new LineSegments(
    new EdgesGeometry(geometry),
    new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: look.ghost ? 0.15 : 0.35 }),
  );
}

export async function solid_body(body: SceneBody, k: number, data: SceneData, look: Look): Promise<Group> {
  const group = new Group();
  group.name = body.name;
  for (const shape of body.shapes) {
    const geometry = await geometry_of(shape, data);
    const mesh = new Mesh(geometry, solid_material(shape, k, look));
    placement_of(shape).decompose(mesh.position, mesh.quaternion, mesh.scale);
    mesh.userData["body"] = k;
    if (shape.kind === "box") mesh.add(edges_of(geometry, look));
    group.add(mesh);
  }
  return group;
}

/// A disc with a bar across it, so that its turning is seen, through the body too. It turns about its own z.
export function solid_wheel(wheel: SceneWheel): Group {
  const rotor = new Group();
  rotor.name = wheel.name;
  const height = wheel.radius * 0.28;
  const disc = seen_through(
    new CylinderGeometry(wheel.radius, wheel.radius, height, 48).rotateX(Math.PI / 2),
    new MeshLambertMaterial({ color: "#9fb3c8" }),
  );
  const bar = seen_through(
    new BoxGeometry(wheel.radius * 1.8, wheel.radius * 0.22, height * 1.12),
    new MeshLambertMaterial({ color: "#d9480f" }),
  );
  rotor.add(disc, bar);
  return rotor;
}
