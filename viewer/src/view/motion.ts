// Where everything is at an instant, between the frames of a scene: positions along a cubic through the frames about it,
// orientations along the arc.
import { Quaternion, Vector3 } from "three";
import type { Scene } from "../payload";
import { index_at, type RunData } from "../data";

export class Motion {
  readonly time: Float64Array;
  private k = 0; // frame before the instant
  private s = 0; // way to the next one, in [0, 1]
  private readonly weights = [0, 0, 0, 0]; // of frames k - 1 .. k + 2
  private readonly other = new Quaternion();

  private constructor(
    time: Float64Array,
    private readonly centres: Float64Array,
    private readonly poses: Float32Array[],
    private readonly orbit: { nadir: Float32Array; along: Float32Array } | null,
  ) {
    this.time = time;
  }

  static async of(data: RunData, scene: Scene): Promise<Motion> {
    const [time, centres, poses] = await Promise.all([
      data.f64(scene.time),
      data.f64(scene.centre),
      Promise.all(scene.bodies.map((body) => data.f32(body.pose))),
    ]);
    const orbit = scene.orbit && { nadir: await data.f32(scene.orbit.nadir), along: await data.f32(scene.orbit.along) };
    return new Motion(time, centres, poses, orbit);
  }

  get frames(): number {
    return this.time.length;
  }

  go_to(t: number): void {
    const { time } = this;
    this.k = Math.min(index_at(time, t), Math.max(0, time.length - 2));
    const from = time[this.k]!;
    const to = time[this.k + 1] ?? from;
    this.s = to > from ? Math.min(Math.max((t - from) / (to - from), 0), 1) : 0;
    this.weigh();
  }
  go_to_frame(k: number): void {
    this.k = k;
    this.s = 0;
    this.weigh();
  }

  /// Catmull and Rom's weights; at the ends a straight line takes over from the missing frame.
  private weigh(): void {
    const { s, weights } = this;
    const s2 = s * s;
    const s3 = s2 * s;
    weights[0] = (-s3 + 2 * s2 - s) / 2;
    weights[1] = (3 * s3 - 5 * s2 + 2) / 2;
    weights[2] = (-3 * s3 + 4 * s2 + s) / 2;
    weights[3] = (s3 - s2) / 2;
    if (this.k === 0) {
      weights[1] += 2 * weights[0];
      weights[2] -= weights[0];
      weights[0] = 0;
    }
    if (this.k + 2 >= this.frames) {
      weights[2] += 2 * weights[3];
      weights[1] -= weights[3];
      weights[3] = 0;
    }
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

  /// Origin of a body from the mass centre of the whole, world axes.
  position(body: number, to: Vector3): Vector3 {
    return this.blend(this.poses[body]!, 7, to);
  }
  orientation(body: number, to: Quaternion): Quaternion {
    const pose = this.poses[body]!;
    const at = this.k * 7 + 3;
    to.set(pose[at + 1]!, pose[at + 2]!, pose[at + 3]!, pose[at]!);
    if (this.s > 0) {
      this.other.set(pose[at + 8]!, pose[at + 9]!, pose[at + 10]!, pose[at + 7]!);
      to.slerp(this.other, this.s);
    }
    return to.normalize();
  }
  /// Mass centre from where it was at the first frame, world axes.
  centre(to: Vector3): Vector3 {
    this.blend(this.centres, 3, to);
    to.x -= this.centres[0]!;
    to.y -= this.centres[1]!;
    to.z -= this.centres[2]!;
    return to;
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
    const k = index_at(this.time, t);
    const at = this.time[k]! < t && k + 1 < this.time.length ? k + 1 : k;
    return this.values[at] ?? 0;
  }
}
