// Arrows, straight and curved, that change with time.
import {
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  GreaterDepth,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  TorusGeometry,
  Vector3,
  type ColorRepresentation,
} from "three";

const up = new Vector3(0, 1, 0);
const z_axis = new Vector3(0, 0, 1);

/// A mesh that is seen through what stands before it, faintly.
export function seen_through(geometry: BufferGeometry, material: MeshBasicMaterial | MeshLambertMaterial): Mesh {
  const mesh = new Mesh(geometry, material);
  const hidden = material.clone();
  hidden.depthFunc = GreaterDepth;
  hidden.depthWrite = false;
  hidden.transparent = true;
  hidden.opacity = 0.3;
  mesh.add(new Mesh(geometry, hidden));
  return mesh;
}

/// From its place along a direction; `thick` is the radius of the shaft.
export class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly head: Mesh;
  private readonly turn = new Quaternion();

  constructor(
    color: ColorRepresentation,
    private readonly thick: number,
  ) {
    super();
    const material = new MeshBasicMaterial({ color });
    this.shaft = seen_through(new CylinderGeometry(thick, thick, 1, 12).translate(0, 0.5, 0), material);
    this.head = seen_through(new ConeGeometry(thick * 2.6, thick * 7, 16).translate(0, -thick * 3.5, 0), material);
    this.add(this.shaft, this.head);
  }

  point(direction: Vector3, length: number): void {
    const size = direction.length();
    this.visible = size > 0 && length > 0 && Number.isFinite(size + length);
    if (!this.visible) return;
    this.turn.setFromUnitVectors(up, direction.clone().divideScalar(size));
    this.quaternion.copy(this.turn);
    const slim = Math.min(1, length / (this.thick * 10)); // a short one is small in every direction
    this.shaft.scale.set(slim, length - this.thick * 7 * slim, slim);
    this.head.scale.setScalar(slim);
    this.head.position.y = length;
  }
}

/// Three quarters of a ring about an axis, with a head on the side to which a torque turns.
export class TorqueArrow extends Group {
  private readonly ring = new Group();
  private readonly material: MeshBasicMaterial;

  constructor(color: ColorRepresentation, axis: Vector3, radius: number) {
    super();
    this.material = new MeshBasicMaterial({ color, transparent: true });
    const thick = radius * 0.035;
    const arc = Math.PI * 1.35;
    const torus = seen_through(new TorusGeometry(radius, thick, 10, 48, arc), this.material);
    const head = seen_through(new ConeGeometry(thick * 3.2, thick * 9, 16), this.material);
    head.position.set(radius * Math.cos(arc), radius * Math.sin(arc), 0);
    head.rotation.z = arc;
    head.name = "head";
    this.ring.add(torus, head);
    this.quaternion.setFromUnitVectors(z_axis, axis.clone().normalize());
    this.add(this.ring);
    this.show(0);
  }

  /// `share` of the largest torque, with its sign.
  show(share: number): void {
    this.visible = Math.abs(share) > 1e-6;
    if (!this.visible) return;
    this.ring.rotation.x = share > 0 ? 0 : Math.PI; // the other way round
    this.material.opacity = 0.35 + 0.65 * Math.min(1, Math.abs(share));
  }
}

/// A nozzle, and the plume behind it while it fires. The force on the body is along `direction`.
export class Thruster extends Group {
  private readonly plume: Mesh;
  private readonly material = new MeshBasicMaterial({ color: "#ff8c1a", transparent: true, opacity: 0.85 });

  constructor(direction: Vector3, size: number) {
    super();
    const nozzle = new Mesh(
      new ConeGeometry(size * 0.25, size * 0.5, 20, 1, true).translate(0, -size * 0.25, 0),
      new MeshBasicMaterial({ color: "#6b7280", side: 2 }),
    );
    this.plume = new Mesh(
      new ConeGeometry(size * 0.3, size * 1.6, 20).rotateX(Math.PI).translate(0, -size * 1.3, 0),
      this.material,
    );
    this.plume.name = "plume";
    this.add(nozzle, this.plume);
    this.quaternion.setFromUnitVectors(up, direction.clone().normalize());
    this.show(0);
  }

  show(share: number): void {
    this.plume.visible = Math.abs(share) > 1e-6;
    const length = 0.4 + 0.6 * Math.min(1, Math.abs(share));
    this.plume.scale.set(1, length * (share < 0 ? -1 : 1), 1);
  }
}

/// x, y, z of a frame, in red, green and blue.
export function triad(length: number): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position",
    new Float32BufferAttribute([0, 0, 0, length, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, length], 3),
  );
  geometry.setAttribute(
    "color",
    new Float32BufferAttribute(
      [0.9, 0.2, 0.2, 0.9, 0.2, 0.2, 0.2, 0.7, 0.3, 0.2, 0.7, 0.3, 0.25, 0.45, 1, 0.25, 0.45, 1],
      3,
    ),
  );
  return new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
}
