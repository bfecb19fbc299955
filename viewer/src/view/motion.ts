// Where everything is at an instant, between the frames of a scene: positions and modal coordinates along a cubic through
// the frames about it, orientations along the arc.
import { Quaternion, Vector3 } from "three";
import type { Scene } from "../payload";
import { index_at, type SceneData } from "../data";
import { Deformation } from "./deformation";
import type { ModePoses } from "./mode_poses";
import { Outboard } from "./outboard";

export class Motion {
  readonly time: Float64Array;
  private k = 0; // frame before the instant
  private s = 0; // way to the next one, in [0, 1]
  private readonly weights = [0, 0, 0, 0]; // of frames k - 1 .. k + 2
  private readonly other = new Quaternion();
  private readonly outboard: Outboard | null; // null: nothing bends
  private readonly eta: Float64Array[]; // modal coordinates
  private factor = 1;
  private is_moved = true; // `outboard` is that of the instant
  private mode: ModePoses | null = null; // in place of what was recorded

  private constructor(
    time: Float64Array,
    private readonly centres: Float64Array,
    private readonly poses: Float32Array[],
    private readonly orbit: { nadir: Float32Array; along: Float32Array } | null,
    readonly deformations: Deformation[], // of flexible bodies
    scene: Scene,
  ) {
    this.time = time;
    this.outboard = deformations.length ? new Outboard(scene, deformations) : null;
    this.eta = deformations.map(({ scene: { modes } }) => new Float64Array(modes));
  }

  static async of(data: SceneData, scene: Scene): Promise<Motion> {
    const [time, centres, poses] = await Promise.all([
      data.f64(scene.time),
      data.f64(scene.centre),
      Promise.all(scene.bodies.map((body) => data.f32(body.pose))),
    ]);
    const orbit = scene.orbit && { nadir: await data.f32(scene.orbit.nadir), along: await data.f32(scene.orbit.along) };
    const deformations = await Promise.all((scene.flexible ?? []).map((body) => Deformation.of(data, body)));
    return new Motion(time, centres, poses, orbit, deformations, scene);
  }

  get frames(): number {
    return this.time.length;
  }

  go_to(t: number): void {
    const { time } = this;
    this.mode = null;
    this.k = Math.min(index_at(time, t), Math.max(0, time.length - 2));
    const from = time[this.k]!;
    const to = time[this.k + 1] ?? from;
    this.s = to > from ? Math.min(Math.max((t - from) / (to - from), 0), 1) : 0;
    this.weigh();
    this.deform();
  }
  go_to_frame(k: number): void {
    this.mode = null;
    this.k = k;
    this.s = 0;
    this.weigh();
    this.deform();
  }

  /// About an operating point, until the next call of these.
  go_to_mode(mode: ModePoses): void {
    this.mode = mode;
    this.deformations.forEach((deformation, j) => deformation.set_coordinates(mode.modal[j]!));
  }

  /// Of displacements and rotations of nodes. Bodies outboard of nodes are moved as these are. A mode has an amplitude of
  /// its own.
  get exaggeration(): number {
    return this.mode ? 1 : this.factor;
  }
  set exaggeration(factor: number) {
    this.factor = factor;
    this.is_moved = false;
  }

  /// The instant in frames; of a mode a negative number, which is another one after every change.
  get instant(): number {
    return this.mode ? this.mode.stamp : this.k + this.s;
  }

  private deform(): void {
    this.is_moved = false;
    this.deformations.forEach((deformation, j) => {
      const eta = this.eta[j]!;
      for (let a = 0; a < eta.length; ++a) eta[a] = this.blend_one(deformation.modal, eta.length, a);
      deformation.set_coordinates(eta);
    });
  }

  /// Weights of the cubic whose slope at a frame is that of the parabola through it and its neighbours. At the ends a
  /// straight line stands for the missing frame.
  private weigh(): void {
    const { time, k, s, weights } = this;
    const h = (time[k + 1] ?? time[k]!) - time[k]!;
    if (this.frames < 2 || h <= 0) {
      weights.splice(0, 4, 0, 1, 0, 0);
      return;
    }
    const h0 = k > 0 ? time[k]! - time[k - 1]! : 0;
    const h2 = k + 2 < this.frames ? time[k + 2]! - time[k + 1]! : 0;
    const s2 = s * s;
    const s3 = s2 * s;
    const out = s3 - 2 * s2 + s; // of the slope at frame k, times h
    const into = s3 - s2; // and at k + 1
    weights.splice(0, 4, 0, 2 * s3 - 3 * s2 + 1, 3 * s2 - 2 * s3, 0);
    this.add_slope(out, 0, h0, h);
    this.add_slope(into, 1, h, h2);
  }

  /// Adds `factor` times h times the slope at frame k + which, which has these intervals before and after it.
  private add_slope(factor: number, which: 0 | 1, before: number, after: number): void {
    const { weights } = this;
    const h = which === 0 ? after : before;
    const share = before > 0 && after > 0 ? before / (before + after) : before > 0 ? 0 : 1; // of the later interval's slope
    const late = after > 0 ? (factor * share * h) / after : 0;
    const early = before > 0 ? (factor * (1 - share) * h) / before : 0;
    weights[which + 2]! += late;
    weights[which + 1]! += early - late;
    weights[which]! -= early;
  }

  private blend(numbers: Float32Array | Float64Array, stride: number, to: Vector3): Vector3 {
    to.set(0, 0, 0);
    for (let j = 0; j < 4; ++j) {
      const weight = this.weights[j]!;
      if (weight === 0) continue;
      const at = Math.min(Math.max(this.k + j - 1, 0), this.frames - 1) * stride;
      to.x += weight * numbers[at]!;
      to.y += weight * numbers[at + 1]!;
      to.z += weight * numbers[at + 2]!;
    }
    return to;
  }

  private blend_one(numbers: Float32Array, stride: number, part: number): number {
    let sum = 0;
    for (let j = 0; j < 4; ++j) {
      const weight = this.weights[j]!;
      if (weight === 0) continue;
      sum += weight * numbers[Math.min(Math.max(this.k + j - 1, 0), this.frames - 1) * stride + part]!;
    }
    return sum;
  }

  /// Origin of a body from the mass centre of the whole, world axes.
  position(body: number, to: Vector3): Vector3 {
    const carried = this.carried(body);
    return carried ? to.copy(carried.position(body)) : this.recorded_position(body, to);
  }
  orientation(body: number, to: Quaternion): Quaternion {
    const carried = this.carried(body);
    return carried ? to.copy(carried.orientation(body)) : this.recorded_orientation(body, to);
  }

  /// What moves a body elsewhere than recorded, because nodes inboard of it are; null: it is where it was recorded.
  private carried(body: number): Outboard | null {
    const { outboard, exaggeration: factor } = this;
    if (factor === 1 || !outboard?.carries(body)) return null;
    if (!this.is_moved) {
      this.is_moved = true;
      outboard.move(
        factor,
        (k, to) => this.recorded_position(k, to),
        (k, to) => this.recorded_orientation(k, to),
      );
    }
    return outboard;
  }

  private recorded_position(body: number, to: Vector3): Vector3 {
    if (this.mode) return to.copy(this.mode.position(body));
    return this.blend(this.poses[body]!, 7, to);
  }
  private recorded_orientation(body: number, to: Quaternion): Quaternion {
    if (this.mode) return to.copy(this.mode.orientation(body));
    const pose = this.poses[body]!;
    const at = this.k * 7 + 3;
    to.set(pose[at + 1]!, pose[at + 2]!, pose[at + 3]!, pose[at]!);
    if (this.s > 0) {
      this.other.set(pose[at + 8]!, pose[at + 9]!, pose[at + 10]!, pose[at + 7]!);
      to.slerp(this.other, this.s);
    }
    return to.normalize();
  }
  /// Mass centre, world axes.
  centre(to: Vector3): Vector3 {
    if (this.mode) return to.copy(this.mode.centre);
    return this.blend(this.centres, 3, to);
  }
  /// Where it was at the first frame.
  first_centre(to: Vector3): Vector3 {
    if (this.mode) return to.copy(this.mode.centre);
    return to.set(this.centres[0]!, this.centres[1]!, this.centres[2]!);
  }
  nadir(to: Vector3): Vector3 {
    return this.orbit ? this.blend(this.orbit.nadir, 3, to).normalize() : to.set(0, 0, -1);
  }
  along(to: Vector3): Vector3 {
    return this.orbit ? this.blend(this.orbit.along, 3, to).normalize() : to.set(1, 0, 0);
  }
}

/// A recorded column at any instant.
export class Signal {
  constructor(
    private readonly time: Float64Array,
    private readonly values: Float64Array,
  ) {}

  between(t: number): number {
    const k = index_at(this.time, t);
    const from = this.values[k] ?? 0;
    const to = this.values[k + 1];
    if (to === undefined) return from;
    const length = this.time[k + 1]! - this.time[k]!;
    return length > 0 ? from + ((to - from) * Math.min(Math.max(t - this.time[k]!, 0), length)) / length : from;
  }

  /// The record at or after t: loads have their largest value since the record before.
  upcoming(t: number): number {
    if (t > (this.time[this.time.length - 1] ?? 0) + 1e-9) return 0; // nothing acts after the end
    const k = index_at(this.time, t);
    const at = this.time[k]! < t && k + 1 < this.time.length ? k + 1 : k;
    return this.values[at] ?? 0;
  }
}
