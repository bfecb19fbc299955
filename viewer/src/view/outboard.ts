// Bodies outboard of nodes of flexible bodies, moved along where deformations are exaggerated: what is attached to a node
// stays attached.
import { Quaternion, Vector3 } from "three";
import type { Scene } from "../payload";
import type { Deformation } from "./deformation";

interface Node {
  of: number; // the flexible body
  deformation: Deformation;
  node: number;
}

export class Outboard {
  private readonly parents: number[];
  private readonly nodes = new Map<number, Node>(); // by body
  private readonly carried: boolean[] = []; // by body: it is a node, or outboard of one
  private readonly positions: Vector3[];
  private readonly orientations: Quaternion[];

  constructor(scene: Scene, deformations: Deformation[]) {
    this.parents = scene.joints.filter(({ cut }) => !cut).map(({ parent }) => parent);
    for (const deformation of deformations) {
      const { body, attached } = deformation.scene;
      for (const node of attached) this.nodes.set(node.body, { of: body, deformation, node: node.node });
    }
    scene.bodies.forEach((_, k) => {
      this.carried.push(this.nodes.has(k) || (this.carried[this.parents[k]!] ?? false));
    });
    this.positions = this.carried.map(() => new Vector3());
    this.orientations = this.carried.map(() => new Quaternion());
  }

  carries(body: number): boolean {
    return this.carried[body] ?? false;
  }
  position(body: number): Vector3 {
    return this.positions[body]!;
  }
  orientation(body: number): Quaternion {
    return this.orientations[body]!;
  }

  /// From the recorded poses. A body keeps its pose relative to its parent; a node adds to that what takes its deformed pose
  /// to the exaggerated one.
  move(
    exaggeration: number,
    position: (body: number, to: Vector3) => Vector3,
    orientation: (body: number, to: Quaternion) => Quaternion,
  ): void {
    const [p, p_parent, r, r_far] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
    const [q, q_parent, turn, turn_far] = [new Quaternion(), new Quaternion(), new Quaternion(), new Quaternion()];
    this.carried.forEach((is_carried, k) => {
      if (!is_carried) return;
      const parent = this.parents[k]!;
      const moved = this.carries(parent);
      // pose in the parent's frame, as recorded
      position(parent, p_parent);
      orientation(parent, q_parent);
      q.copy(q_parent).invert();
      position(k, p).sub(p_parent).applyQuaternion(q);
      q.multiply(orientation(k, turn));
      const node = this.nodes.get(k);
      if (node) {
        node.deformation.bend_node(node.node);
        node.deformation.pose(node.node, 1, r, turn);
        node.deformation.pose(node.node, exaggeration, r_far, turn_far);
        turn_far.multiply(turn.invert());
        p.sub(r).applyQuaternion(turn_far).add(r_far);
        q.premultiply(turn_far);
      }
      if (moved) {
        p_parent.copy(this.positions[parent]!);
        q_parent.copy(this.orientations[parent]!);
      }
      this.positions[k]!.copy(p).applyQuaternion(q_parent).add(p_parent);
      this.orientations[k]!.copy(q_parent).multiply(q).normalize();
    });
  }
}
