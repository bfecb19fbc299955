// A flexible body at one instant: displacements and rotations of its nodes from modal coordinates.
import { Quaternion, Vector3 } from "three";
import type { SceneData } from "../data";
import type { SceneFlexible } from "../payload";

/// What colours show of a flexible body.
export type Coloring = "none" | "displacement" | "strain";

export class Deformation {
  readonly count: number; // of nodes
  readonly displacement: Float64Array; // 3 a node, body axes, not exaggerated [m]
  readonly rotation: Float64Array; // rotation vectors, the same [rad]
  readonly rotates: boolean; // the data have rotations of nodes
  private readonly terms: Float64Array;
  private readonly turn = new Vector3();

  private constructor(
    readonly scene: SceneFlexible,
    readonly nodes: Float32Array, // 3 each
    readonly lines: Uint32Array, // 2 each
    private readonly translations: Float32Array,
    private readonly rotations: Float32Array,
    readonly modal: Float32Array, // by frame
  ) {
    this.count = nodes.length / 3;
    this.displacement = new Float64Array(nodes.length);
    this.rotation = new Float64Array(nodes.length);
    this.terms = new Float64Array(scene.terms);
    this.rotates = rotations.some((x) => x !== 0);
  }

  static async of(data: SceneData, scene: SceneFlexible): Promise<Deformation> {
    const [nodes, translations, rotations, modal] = await Promise.all(
      [scene.nodes, scene.translation, scene.rotation, scene.modal].map((block) => data.f32(block)),
    );
    return new Deformation(scene, nodes!, await data.u32(scene.lines), translations!, rotations!, modal!);
  }

  /// Nodes keep what they had until `bend_node` or `bend`.
  set_coordinates(eta: Float64Array): void {
    const { terms } = this;
    const { modes } = this.scene;
    for (let a = 0; a < modes; ++a) terms[a] = eta[a]!;
    if (terms.length === modes) return;
    let k = modes;
    for (let a = 0; a < modes; ++a) {
      for (let b = 0; b < a; ++b) terms[k++] = eta[a]! * eta[b]!;
      terms[k++] = (eta[a]! * eta[a]!) / 2;
    }
  }

  bend_node(i: number): void {
    sum(this.translations, this.terms, this.displacement, i);
    sum(this.rotations, this.terms, this.rotation, i);
  }
  bend(): void {
    for (let i = 0; i < this.count; ++i) this.bend_node(i);
  }

  /// Where a node is in the body's frame, and how its axes are turned.
  pose(i: number, exaggeration: number, position: Vector3, orientation: Quaternion): void {
    position.fromArray(this.displacement, 3 * i).multiplyScalar(exaggeration);
    position.x += this.nodes[3 * i]!;
    position.y += this.nodes[3 * i + 1]!;
    position.z += this.nodes[3 * i + 2]!;
    const angle = this.turn.fromArray(this.rotation, 3 * i).length();
    orientation.setFromAxisAngle(angle > 0 ? this.turn.divideScalar(angle) : this.turn, angle * exaggeration);
  }

  /// What is shown by colour, at each node. Strain: curvature and twist, the change of rotation along a line by its
  /// length, the mean of the lines that meet there.
  values(coloring: Coloring, to: Float64Array): void {
    to.fill(0);
    if (coloring === "displacement") {
      for (let i = 0; i < this.count; ++i) to[i] = length_at(this.displacement, 3 * i);
    } else if (coloring === "strain") {
      const { lines, rotation, nodes } = this;
      const meeting = new Uint16Array(this.count);
      for (let k = 0; k < lines.length; k += 2) {
        const [a, b] = [lines[k]!, lines[k + 1]!];
        const strain = distance(rotation, a, b) / distance(nodes, a, b);
        to[a]! += strain;
        to[b]! += strain;
        ++meeting[a]!;
        ++meeting[b]!;
      }
      for (let i = 0; i < this.count; ++i) to[i]! /= Math.max(1, meeting[i]!);
    }
  }
}

/// Three components of the shapes at node i, each times its term.
function sum(shapes: Float32Array, terms: Float64Array, to: Float64Array, i: number): void {
  let [x, y, z] = [0, 0, 0];
  let at = i * terms.length * 3;
  for (let k = 0; k < terms.length; ++k, at += 3) {
    const term = terms[k]!;
    x += shapes[at]! * term;
    y += shapes[at + 1]! * term;
    z += shapes[at + 2]! * term;
  }
  to[3 * i] = x;
  to[3 * i + 1] = y;
  to[3 * i + 2] = z;
}

const length_at = (v: Float64Array, at: number) => Math.hypot(v[at]!, v[at + 1]!, v[at + 2]!);

function distance(v: Float64Array | Float32Array, a: number, b: number): number {
  return Math.hypot(v[3 * a]! - v[3 * b]!, v[3 * a + 1]! - v[3 * b + 1]!, v[3 * a + 2]! - v[3 * b + 2]!);
}
