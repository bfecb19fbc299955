// Where the bodies go during a run, as seen from the reader's frame: corners of the boxes about them, and of flexible ones
// the nodes too.
import { Box3, Group, Mesh, Quaternion, Vector3 } from "three";
import type { Craft } from "./craft";
import { FlexibleSolid } from "./flexible_solid";
import type { Viewpoint } from "./frames";

const most_boxes = 20_000; // in all frames

/// Corners of the box about a body's shapes, in its frame. Those of a flexible one change.
function corners_of(body: Group): Vector3[] {
  const solid = body.children[0]!;
  if (solid instanceof FlexibleSolid) return Array.from({ length: solid.outline.count }, () => new Vector3());
  const box = new Box3();
  solid.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    object.geometry.computeBoundingBox();
    object.updateMatrix();
    box.union(object.geometry.boundingBox!.clone().applyMatrix4(object.matrix));
  });
  if (box.isEmpty()) return [new Vector3()];
  const { min, max } = box;
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
}

/// Points about all bodies at an instant, or in all frames or evenly chosen ones. The mass centre is taken to be followed.
/// Moves the craft's motion about: go to the present instant afterwards.
export function extent(craft: Craft, viewpoint: Viewpoint, t: number | null): Vector3[] {
  const { motion } = craft;
  const corners = craft.bodies.map(corners_of);
  const boxes = corners.reduce((sum, list) => sum + Math.ceil(list.length / 8), 0);
  const points: Vector3[] = [];
  const flat = new Float32Array(3 * Math.max(0, ...craft.flexible.map(({ outline }) => outline.count)));
  const position = new Vector3();
  const orientation = new Quaternion();
  const { follow } = viewpoint;
  const add_all = (): void => {
    viewpoint.look(motion);
    craft.flexible.forEach(({ outline, body }, j) => {
      motion.deformations[j]!.bend();
      outline.move(motion.exaggeration, flat);
      corners[body]!.forEach((corner, c) => corner.fromArray(flat, 3 * c));
    });
    corners.forEach((list, k) => {
      motion.position(k, position);
      motion.orientation(k, orientation);
      for (const corner of list) {
        const point = corner.clone().applyQuaternion(orientation).add(position);
        points.push(point.applyQuaternion(viewpoint.orientation).add(viewpoint.position));
      }
    });
  };
  viewpoint.follow = true;
  if (t !== null) {
    motion.go_to(t);
    add_all();
  } else {
    const step = Math.max(1, Math.ceil((motion.frames * boxes) / most_boxes));
    for (let k = 0; k < motion.frames; k += step) {
      motion.go_to_frame(k);
      add_all();
    }
    motion.go_to_frame(motion.frames - 1);
    add_all();
  }
  viewpoint.follow = follow;
  return points;
}
