// Where the reader stands, and how keys move him.
import { Box3, PerspectiveCamera, Spherical, Quaternion, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const first_look = new Vector3(0.53, -0.73, 0.43).normalize(); // from the middle to the camera

/// Looks at the middle of a box from a distance at which it fills the picture, but for some room at the borders.
export function frame_box(camera: PerspectiveCamera, controls: OrbitControls, box: Box3, least_distance: number): void {
  const centre = box.getCenter(new Vector3());
  const right = new Vector3().crossVectors(camera.up, first_look).normalize();
  const up = new Vector3().crossVectors(first_look, right);
  const tangent = Math.tan((camera.fov * Math.PI) / 360) * 0.8;
  let distance = least_distance;
  for (let k = 0; k < 8; ++k) {
    const corner = new Vector3(
      k & 1 ? box.max.x : box.min.x,
      k & 2 ? box.max.y : box.min.y,
      k & 4 ? box.max.z : box.min.z,
    ).sub(centre);
    const wide = Math.abs(corner.dot(right)) / (tangent * camera.aspect);
    const high = Math.abs(corner.dot(up)) / tangent;
    distance = Math.max(distance, corner.dot(first_look) + Math.max(wide, high));
  }
  controls.target.copy(centre);
  camera.position.copy(centre).addScaledVector(first_look, distance);
  controls.update();
}

const turns: Record<string, [about_up: number, tilt: number, closer: number]> = {
  a: [-1, 0, 0],
  d: [1, 0, 0],
  w: [0, -1, 0],
  s: [0, 1, 0],
  "+": [0, 0, 1],
  "=": [0, 0, 1],
  "-": [0, 0, -1],
};

/// W, A, S, D go round what is looked at; + and - come closer and go away. Says whether the key was one of them.
export function move_by_key(key: string, camera: PerspectiveCamera, controls: OrbitControls): boolean {
  const turn = turns[key.toLowerCase()];
  if (!turn) return false;
  const to_y_up = new Quaternion().setFromUnitVectors(camera.up, new Vector3(0, 1, 0));
  const offset = camera.position.clone().sub(controls.target).applyQuaternion(to_y_up);
  const place = new Spherical().setFromVector3(offset);
  place.theta += turn[0] * 0.1;
  place.phi += turn[1] * 0.1;
  place.radius *= 1 - turn[2] * 0.1;
  place.makeSafe();
  camera.position.setFromSpherical(place).applyQuaternion(to_y_up.invert()).add(controls.target);
  controls.update();
  return true;
}
