// The frame from which the reader looks: world, orbit, or a body. The scene is turned and moved; the camera stays.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Motion } from "./motion";

export type Frame = { kind: "world" } | { kind: "orbit" } | { kind: "body"; body: number };

export class Viewpoint {
  frame: Frame = { kind: "world" };
  follow = true; // keeps the mass centre in the middle; for world and orbit
  readonly position = new Vector3();
  readonly orientation = new Quaternion();
  private readonly x = new Vector3();
  private readonly y = new Vector3();
  private readonly z = new Vector3();
  private readonly matrix = new Matrix4();

  /// What carries world axes with the mass centre as origin into the reader's frame.
  look(motion: Motion): void {
    if (this.frame.kind === "body") {
      motion.orientation(this.frame.body, this.orientation).invert();
      motion.position(this.frame.body, this.position).applyQuaternion(this.orientation).negate();
      return;
    }
    this.orientation.identity();
    if (this.frame.kind === "orbit") this.align(motion);
    if (this.follow) this.position.set(0, 0, 0);
    else motion.centre(this.position).sub(motion.first_centre(this.x)).applyQuaternion(this.orientation);
  }

  /// x along the track, z to the zenith: up stays up.
  private align(motion: Motion): void {
    motion.nadir(this.z).negate();
    motion.along(this.x);
    this.y.crossVectors(this.z, this.x).normalize();
    this.x.crossVectors(this.y, this.z);
    this.matrix.makeBasis(this.x, this.y, this.z);
    this.orientation.setFromRotationMatrix(this.matrix).invert();
  }
}
