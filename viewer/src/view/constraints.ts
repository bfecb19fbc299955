// What a point is kept in, on or at, in the frame of a body: a plane, a line, a place.
import {
  BufferGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineLoop,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from "three";
import type { Triple } from "../payload";
import { seen_through } from "./arrows";

/// Unit vectors at right angles to each other and to all of these.
export function free_directions(held: Triple[]): Vector3[] {
  const basis: Vector3[] = [];
  const add = (v: Vector3): boolean => {
    for (const b of basis) v.addScaledVector(b, -v.dot(b));
    if (v.length() < 1e-6) return false;
    basis.push(v.normalize());
    return true;
  };
  for (const n of held) add(new Vector3(...n).normalize());
  const taken = basis.length;
  const left = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  while (basis.length < 3) {
    const most_free = left.map((v) => ({ v, part: basis.reduce((rest, b) => rest - v.dot(b) ** 2, 1) }));
    most_free.sort((a, b) => b.part - a.part);
    add(left.splice(left.indexOf(most_free[0]!.v), 1)[0]!);
  }
  return basis.slice(taken);
}

/// Stands in the frame of the body; the plane or line is as long as the way of the point on it, and a little more.
export class HeldPoint extends Group {
  private readonly free: Vector3[];
  private readonly middle: number[]; // of the way along each free direction
  private readonly ball: Mesh;
  private readonly where = new Group();

  /// `way`: places of the point in that frame during the run.
  constructor(color: string, size: number, thin: number, held: Triple[], way: Vector3[]) {
    super();
    this.free = free_directions(held);
    const ranges = this.free.map((e) => {
      const along = way.map((p) => p.dot(e));
      return [Math.min(...along), Math.max(...along)] as const;
    });
    this.middle = ranges.map(([low, high]) => (low + high) / 2);
    const lengths = ranges.map(([low, high]) => high - low + 0.3 * size);
    this.ball = seen_through(new SphereGeometry(0.01 * size, 16, 12), new MeshBasicMaterial({ color }));
    if (this.free.length === 1) {
      const rod = seen_through(new CylinderGeometry(thin, thin, lengths[0], 8), new MeshBasicMaterial({ color }));
      rod.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.free[0]!);
      this.where.add(rod);
    } else if (this.free.length === 2) {
      const [x, y] = this.free as [Vector3, Vector3];
      const [a, b] = lengths.map((length) => length / 2) as [number, number];
      const sheet = new Mesh(
        new PlaneGeometry(2 * a, 2 * b),
        new MeshBasicMaterial({ color, transparent: true, opacity: 0.15, side: DoubleSide, depthWrite: false }),
      );
      const corners = [new Vector3(a, b), new Vector3(-a, b), new Vector3(-a, -b), new Vector3(a, -b)];
      const edge = new LineLoop(new BufferGeometry().setFromPoints(corners), new LineBasicMaterial({ color }));
      this.where.add(sheet, edge);
      this.where.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(x, y, x.clone().cross(y)));
    }
    this.where.name = ["place", "line", "plane"][this.free.length]!;
    this.add(this.ball, this.where);
  }

  /// The point is there now.
  show(point: Vector3): void {
    this.ball.position.copy(point);
    this.where.position.copy(point);
    this.free.forEach((e, k) => this.where.position.addScaledVector(e, this.middle[k]! - point.dot(e)));
  }
}
