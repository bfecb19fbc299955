// Where everything is while the spacecraft moves in a mode about an operating point: the pose of each body there, with a
// displacement and a rotation added. A mode is linear, and drawn so large that bodies would come apart at their joints:
// where a joint has no slide, the body outboard of it is moved so that the joint stays together.
import { Quaternion, Vector3 } from "three";
import type { PageNumbers } from "../data";
import type { Scene, SceneJoint } from "../payload";

export class ModePoses {
  readonly centre = new Vector3(); // mass centre at the operating point, world axes
  readonly modal: Float64Array[]; // modal coordinates, as in Scene.flexible
  readonly wheels: Float64Array; // angles from the operating point, as in Scene.wheels [rad]
  stamp = 0; // another one after every change
  private readonly offsets: Float64Array; // as in Mode.motion, real
  private readonly positions: Vector3[];
  private readonly orientations: Quaternion[];
  private readonly joints: (SceneJoint | null)[]; // by body: that holds it to its parent at a point
  private readonly turn = new Vector3();
  private readonly lever = new Vector3();
  private readonly unturned = new Quaternion();

  private constructor(
    scene: Scene,
    private readonly poses: Float32Array[], // at the operating point, 7 numbers each
    private readonly rest: Float32Array[], // modal coordinates there
    centre: Float64Array,
  ) {
    this.centre.fromArray(centre);
    this.modal = rest.map((eta) => Float64Array.from(eta));
    this.wheels = new Float64Array(scene.wheels.length);
    this.positions = poses.map(() => new Vector3());
    this.orientations = poses.map(() => new Quaternion());
    const modes = rest.reduce((sum, eta) => sum + eta.length, 0);
    this.offsets = new Float64Array(6 * poses.length + modes + scene.wheels.length);
    const nodes = new Set((scene.flexible ?? []).flatMap(({ attached }) => attached.map(({ body }) => body)));
    this.joints = scene.joints
      .filter(({ cut }) => !cut)
      .map((joint) => {
        const held = joint.type !== "free" && !joint.translations.length && joint.parent >= 0;
        return held && !nodes.has(joint.body) ? joint : null;
      });
    this.set(null, 0, 0);
  }

  /// `scene` has one frame: the operating point.
  static async of(numbers: PageNumbers, scene: Scene): Promise<ModePoses> {
    const [poses, rest, centre] = await Promise.all([
      Promise.all(scene.bodies.map(({ pose }) => numbers.f32(pose))),
      Promise.all((scene.flexible ?? []).map(({ modal }) => numbers.f32(modal))),
      numbers.f64(scene.centre),
    ]);
    return new ModePoses(scene, poses, rest, centre);
  }

  /// The real part of the motion times re + i im [m].
  set(motion: Float32Array | null, re: number, im: number): void {
    const { offsets } = this;
    for (let k = 0; k < offsets.length; ++k) {
      offsets[k] = motion ? motion[2 * k]! * re - motion[2 * k + 1]! * im : 0;
    }
    this.poses.forEach((_, k) => this.move(k));
    let at = 6 * this.poses.length;
    this.modal.forEach((eta, j) => eta.forEach((_, a) => (eta[a] = this.rest[j]![a]! + offsets[at++]!)));
    this.wheels.forEach((_, w) => (this.wheels[w] = offsets[at++]!));
    --this.stamp;
  }

  position(body: number): Vector3 {
    return this.positions[body]!;
  }
  orientation(body: number): Quaternion {
    return this.orientations[body]!;
  }

  private move(k: number): void {
    const pose = this.poses[k]!;
    const { offsets, turn, lever } = this;
    const [position, orientation] = [this.positions[k]!, this.orientations[k]!];
    const angle = turn.fromArray(offsets, 6 * k + 3).length();
    orientation.setFromAxisAngle(angle > 0 ? turn.divideScalar(angle) : turn, angle);
    orientation.multiply(this.unturned.set(pose[4]!, pose[5]!, pose[6]!, pose[3]!)).normalize();
    position.fromArray(offsets, 6 * k);
    position.x += pose[0]!;
    position.y += pose[1]!;
    position.z += pose[2]!;
    const joint = this.joints[k];
    if (!joint) return;
    position.copy(lever.set(...joint.at).applyQuaternion(this.orientations[joint.parent]!));
    position.add(this.positions[joint.parent]!);
    position.sub(lever.set(...joint.child_at).applyQuaternion(orientation));
  }
}
