// Points of a flexible body that its nodes carry: each takes displacement and rotation from the nearest line between
// two nodes.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Deformation } from "./deformation";

const steps = 1 << 14; // of the way along a line, so that corners of one section are at one place of it

export class Carried {
  readonly count: number;
  private readonly line: Uint32Array; // for each point: where in `lines` its two nodes stand
  private readonly share: Float32Array; // way from the first of them to the second, in [0, 1]
  // of the point of the line that is in hand:
  private readonly place = new Vector3(); // without deformation
  private readonly u = new Vector3(); // its displacement
  private readonly w = new Vector3(); // its rotation vector
  private readonly turn = new Quaternion(); // the same, exaggerated
  private readonly motion = new Matrix4(); // what moves points about it
  private readonly along = new Vector3();
  private readonly first = new Vector3();
  private readonly second = new Vector3();

  /// `rest`: three components each, body axes, without deformation.
  constructor(
    private readonly by: Deformation,
    private readonly rest: Float32Array,
  ) {
    this.count = rest.length / 3;
    this.line = new Uint32Array(this.count);
    this.share = new Float32Array(this.count);
    for (let i = 0; i < this.count; ++i) this.attach(i);
  }

  private attach(i: number): void {
    const { lines, nodes } = this.by;
    const [px, py, pz] = [this.rest[3 * i]!, this.rest[3 * i + 1]!, this.rest[3 * i + 2]!];
    let least = Infinity;
    for (let k = 0; k < lines.length; k += 2) {
      const a = 3 * lines[k]!;
      const b = 3 * lines[k + 1]!;
      const [x, y, z] = [px - nodes[a]!, py - nodes[a + 1]!, pz - nodes[a + 2]!];
      const [dx, dy, dz] = [nodes[b]! - nodes[a]!, nodes[b + 1]! - nodes[a + 1]!, nodes[b + 2]! - nodes[a + 2]!];
      const s = Math.min(Math.max((x * dx + y * dy + z * dz) / (dx * dx + dy * dy + dz * dz), 0), 1);
      const apart = (x - s * dx) ** 2 + (y - s * dy) ** 2 + (z - s * dz) ** 2;
      if (apart >= least) continue;
      least = apart;
      this.line[i] = k;
      this.share[i] = Math.round(s * steps) / steps;
    }
  }

  /// Places of all points. Displacements are multiplied by the factor of exaggeration, rotations too, as angles: sections
  /// keep their size. `directions`, of which there are as many, turn along and go to `turned`.
  move(exaggeration: number, to: Float32Array, directions?: Float32Array, turned?: Float32Array): void {
    const { line, share, rest } = this;
    const m = this.motion.elements;
    for (let i = 0, k = 0; i < this.count; ++i, k += 3) {
      const is_new = i === 0 || line[i] !== line[i - 1] || share[i] !== share[i - 1];
      if (is_new) this.interpolate(i, exaggeration);
      multiply(m, rest, to, k);
      to[k]! += m[12];
      to[k + 1]! += m[13];
      to[k + 2]! += m[14];
      if (directions && turned) multiply(m, directions, turned, k);
    }
  }

  /// Numbers of nodes, evenly between them.
  spread(values: Float64Array, to: (i: number, value: number) => void): void {
    const { lines } = this.by;
    for (let i = 0; i < this.count; ++i) {
      const a = values[lines[this.line[i]!]!]!;
      const b = values[lines[this.line[i]! + 1]!]!;
      to(i, a + this.share[i]! * (b - a));
    }
  }

  /// The displacement across a line is the cubic whose slopes are the rotations of its nodes, and that along it is linear;
  /// without rotations in the data all is linear.
  private interpolate(i: number, exaggeration: number): void {
    const { lines, nodes, displacement, rotation, rotates } = this.by;
    const { place, u, w, along, first, second } = this;
    const a = 3 * lines[this.line[i]!]!;
    const b = 3 * lines[this.line[i]! + 1]!;
    const s = this.share[i]!;
    place.fromArray(nodes, a);
    along.fromArray(nodes, b).sub(place);
    place.addScaledVector(along, s);

    u.fromArray(displacement, a);
    second.fromArray(displacement, b).sub(u); // its change along the line
    u.addScaledVector(second, s);
    first.fromArray(rotation, a);
    w.fromArray(rotation, b);
    if (rotates) {
      const [out, into] = [s * (1 - s) ** 2, -s * s * (1 - s)];
      second.addScaledVector(along, -second.dot(along) / along.lengthSq()); // across
      u.addScaledVector(second, s * s * (3 - 2 * s) - s);
      second.copy(first).multiplyScalar(out).addScaledVector(w, into).cross(along);
      u.add(second);
    }
    w.sub(first).multiplyScalar(s).add(first);
    const angle = w.length();
    this.turn.setFromAxisAngle(angle > 0 ? w.divideScalar(angle) : w, angle * exaggeration);
    this.motion.makeRotationFromQuaternion(this.turn);
    first.copy(place).applyQuaternion(this.turn);
    this.motion.setPosition(place.addScaledVector(u, exaggeration).sub(first));
  }
}

/// The three numbers from k on, turned by a matrix that stands by columns.
function multiply(m: ArrayLike<number>, from: Float32Array, to: Float32Array, k: number): void {
  const x = from[k]!;
  const y = from[k + 1]!;
  const z = from[k + 2]!;
  to[k] = m[0]! * x + m[4]! * y + m[8]! * z;
  to[k + 1] = m[1]! * x + m[5]! * y + m[9]! * z;
  to[k + 2] = m[2]! * x + m[6]! * y + m[10]! * z;
}
