// Shapes of a flexible body, carried by its nodes; or tubes along the lines between them.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  CylinderGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { SceneData } from "../data";
import type { SceneBody, SceneShape } from "../payload";
import { Carried } from "./carried";
import { paint } from "./color_scale";
import type { Coloring, Deformation } from "./deformation";
import { divided_triangles } from "./divide";
import { edges_of, geometry_of, placement_of, solid_material, type Look } from "./shapes";

const pieces = 48; // of the longest edge of a shape, so that it can bend
const tube_pieces = 96; // of all tubes together, at least
const sides = 14; // of a tube
const most_triangles = 10_000; // of a mesh: with more, it is divided no further

/// What moves with the nodes: the geometry of a mesh, or of lines.
class CarriedGeometry {
  private readonly carried: Carried;
  private readonly normals: Float32Array | undefined; // without deformation

  constructor(
    by: Deformation,
    readonly geometry: BufferGeometry,
  ) {
    this.carried = new Carried(by, geometry.getAttribute("position").array.slice() as Float32Array);
    this.normals = geometry.getAttribute("normal")?.array.slice() as Float32Array | undefined;
  }

  move(exaggeration: number): void {
    const position = this.geometry.getAttribute("position");
    const normal = this.geometry.getAttribute("normal");
    this.carried.move(
      exaggeration,
      position.array as Float32Array,
      this.normals,
      normal?.array as Float32Array | undefined,
    );
    position.needsUpdate = true;
    if (normal) normal.needsUpdate = true;
    this.geometry.boundingSphere = this.geometry.boundingBox = null; // found anew when they are asked for
  }

  color(values: Float64Array, largest: number): void {
    if (!this.geometry.hasAttribute("color"))
      this.geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * this.carried.count), 3));
    const color = this.geometry.getAttribute("color");
    this.carried.spread(values, (i, value) => paint(value / largest, color.array as Float32Array, 3 * i));
    color.needsUpdate = true;
  }
}

export class FlexibleSolid extends Group {
  readonly node_lines = new Group(); // for the reader to show
  private readonly parts: CarriedGeometry[] = [];
  private readonly meshes: { part: CarriedGeometry; material: MeshLambertMaterial; plain: Color }[] = [];
  private readonly values: Float64Array;
  private coloring: Coloring = "none";
  private largest = 1;
  readonly outline: Carried; // nodes, and corners of the box about the shapes
  private last = ""; // what is drawn

  static async of(by: Deformation, body: SceneBody, data: SceneData, look: Look): Promise<FlexibleSolid> {
    const geometries = await Promise.all(body.shapes.map((shape) => divided(shape, data)));
    return new FlexibleSolid(by, body, geometries, look);
  }

  private constructor(
    private readonly by: Deformation,
    body: SceneBody,
    geometries: BufferGeometry[],
    look: Look,
  ) {
    super();
    this.name = body.name;
    this.values = new Float64Array(by.count);
    const corners: number[] = [...by.nodes];
    const all = body.shapes.length ? geometries : [tubes(by)];
    all.forEach((geometry, k) => {
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!;
      for (let c = 0; c < 8; ++c) corners.push(c & 1 ? max.x : min.x, c & 2 ? max.y : min.y, c & 4 ? max.z : min.z);
      this.add_mesh(geometry, body.shapes[k], look);
    });
    this.outline = new Carried(by, new Float32Array(corners));
    if (!look.ghost) this.add_node_lines();
  }

  private add_mesh(geometry: BufferGeometry, shape: SceneShape | undefined, look: Look): void {
    const { body } = this.by.scene;
    const material = solid_material(shape, body, look);
    const part = this.carry(geometry);
    const mesh = new Mesh(geometry, material);
    mesh.userData["body"] = body;
    mesh.frustumCulled = false;
    this.meshes.push({ part, material, plain: material.color.clone() });
    if (shape?.kind === "box") {
      const edges = edges_of(geometry, look);
      this.carry(edges.geometry);
      edges.frustumCulled = false;
      mesh.add(edges);
    }
    this.add(mesh);
  }

  private carry(geometry: BufferGeometry): CarriedGeometry {
    const part = new CarriedGeometry(this.by, geometry);
    this.parts.push(part);
    return part;
  }

  private add_node_lines(): void {
    const { nodes, lines } = this.by;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(nodes.slice(), 3));
    geometry.setIndex([...lines]);
    this.carry(geometry);
    const color = "#e03131";
    const drawn = [
      new LineSegments(geometry, new LineBasicMaterial({ color, depthTest: false })),
      new Points(geometry, new PointsMaterial({ color, size: 3, sizeAttenuation: false, depthTest: false })),
    ];
    for (const object of drawn) {
      object.frustumCulled = false;
      object.renderOrder = 1;
      this.node_lines.add(object);
    }
    this.node_lines.name = "nodes";
  }

  get body(): number {
    return this.by.scene.body;
  }

  /// `largest` is the value of the last colour.
  set_coloring(coloring: Coloring, largest: number): void {
    this.coloring = coloring;
    this.largest = largest;
    for (const { material, plain } of this.meshes) {
      material.vertexColors = coloring !== "none";
      material.color.copy(plain);
      if (coloring !== "none") material.color.set("#ffffff");
      material.needsUpdate = true;
    }
  }

  /// As the deformation is now; `instant` says of what time it is.
  move(exaggeration: number, instant: number): void {
    const now = `${instant} ${exaggeration} ${this.coloring} ${this.largest}`;
    if (now === this.last) return;
    this.last = now;
    for (const part of this.parts) part.move(exaggeration);
    if (this.coloring === "none") return;
    this.by.values(this.coloring, this.values);
    for (const { part } of this.meshes) part.color(this.values, this.largest > 0 ? this.largest : 1);
  }
}

/// A shape in the body's axes, with corners enough to bend.
async function divided(shape: SceneShape, data: SceneData): Promise<BufferGeometry> {
  const [a, b, c] = shape.size;
  const parts = (edge: number) => Math.max(1, Math.ceil((pieces * edge) / Math.max(a, b, c)));
  let geometry: BufferGeometry;
  if (shape.kind === "box") geometry = new BoxGeometry(a, b, c, parts(a), parts(b), parts(c));
  else if (shape.kind === "cylinder") geometry = new CylinderGeometry(a, a, b, 40, pieces).rotateX(Math.PI / 2);
  else geometry = await geometry_of(shape, data);
  if (shape.kind === "mesh") geometry = tessellated(geometry);
  return geometry.applyMatrix4(placement_of(shape));
}

function tessellated(mesh: BufferGeometry): BufferGeometry {
  mesh.computeBoundingBox();
  const longest = mesh.boundingBox!.getSize(new Vector3()).length() / pieces;
  const corners = divided_triangles(mesh.getAttribute("position").array as Float32Array, longest, most_triangles);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function tubes(by: Deformation): BufferGeometry {
  const { lines, nodes } = by;
  const { tube } = by.scene;
  const up = new Vector3(0, 1, 0);
  const [from, to, along] = [new Vector3(), new Vector3(), new Vector3()];
  const turn = new Quaternion();
  const parts = Math.ceil((2 * tube_pieces) / lines.length);
  const goes_on = straight_nodes(by);
  const list: BufferGeometry[] = [];
  for (let k = 0; k < lines.length; k += 2) {
    const [a, b] = [lines[k]!, lines[k + 1]!];
    along.subVectors(to.fromArray(nodes, 3 * b), from.fromArray(nodes, 3 * a));
    const is_open = goes_on[a]! && goes_on[b]!;
    const piece = new CylinderGeometry(tube, tube, along.length(), sides, parts, is_open);
    piece.applyQuaternion(turn.setFromUnitVectors(up, along.normalize()));
    from.add(to).divideScalar(2);
    list.push(piece.translate(from.x, from.y, from.z));
  }
  return mergeGeometries(list);
}

/// Nodes through which a line goes straight on, so that tubes need no end there.
function straight_nodes({ lines, nodes, count }: Deformation): boolean[] {
  const directions: Vector3[][] = Array.from({ length: count }, () => []);
  const [from, to] = [new Vector3(), new Vector3()];
  for (let k = 0; k < lines.length; k += 2) {
    const [a, b] = [lines[k]!, lines[k + 1]!];
    from.fromArray(nodes, 3 * a);
    to.fromArray(nodes, 3 * b)
      .sub(from)
      .normalize();
    directions[a]!.push(to.clone());
    directions[b]!.push(to.clone().negate());
  }
  return directions.map((list) => list.length === 2 && list[0]!.dot(list[1]!) < -0.9999);
}
