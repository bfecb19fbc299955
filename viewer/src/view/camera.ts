// Where the reader stands, and how keys move him.
import { Box3, PerspectiveCamera, Spherical, Quaternion, Vector3 } from "three";
import type { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const first_look = new Vector3(0.53, -0.73, 0.43).normalize(); // from the middle to the camera

/// A place from which points fill the picture, but for some room at the borders.
interface Framing {
  centre: Vector3;
  distance: number;
}

export function framing_of(camera: PerspectiveCamera, points: Vector3[], least_distance: number): Framing {
  const centre = new Box3().setFromPoints(points).getCenter(new Vector3());
  const right = new Vector3().crossVectors(camera.up, first_look).normalize();
  const up = new Vector3().crossVectors(first_look, right);
  const tangent = Math.tan((camera.fov * Math.PI) / 360) * 0.8;
  let distance = least_distance;
  const from_centre = new Vector3();
  for (const point of points) {
    from_centre.subVectors(point, centre);
    const wide = Math.abs(from_centre.dot(right)) / (tangent * camera.aspect);
    const high = Math.abs(from_centre.dot(up)) / tangent;
    distance = Math.max(distance, from_centre.dot(first_look) + Math.max(wide, high));
  }
  return { centre, distance };
}

export function go_to_framing(camera: PerspectiveCamera, controls: OrbitControls, { centre, distance }: Framing): void {
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
