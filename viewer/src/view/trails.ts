// Paths of points as seen from the reader's frame, from the frames behind the present instant.
import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Object3D, Vector3 } from "three";
import { index_at } from "../data";
import type { SceneAnchor } from "../payload";
import type { Craft } from "./craft";
import type { Viewpoint } from "./frames";

const most_points = 20_000;
const trail_colors = ["#e03131", "#1c7ed6", "#2f9e44", "#f08c00", "#9c36b5", "#0c8599"];

export interface TrailPoint {
  name: string;
  anchor: SceneAnchor;
}

/// Mass centres of bodies and their named points.
export function trail_points(craft: Craft): TrailPoint[] {
  return craft.scene.bodies.flatMap((body, k) => [
    { name: body.name, anchor: { body: k, at: body.com } },
    ...body.points.map((point) => ({ name: `${body.name}.${point.name}`, anchor: { body: k, at: point.at } })),
  ]);
}

class Trail {
  readonly line: Line;
  private readonly material: LineBasicMaterial;
  private readonly times: Float64Array;

  constructor(craft: Craft, viewpoint: Viewpoint, point: TrailPoint, color: string) {
    const { motion } = craft;
    const step = Math.max(1, Math.ceil(motion.frames / most_points));
    const count = Math.ceil(motion.frames / step);
    const places = new Float32Array(count * 3);
    this.times = new Float64Array(count);
    const at = new Vector3();
    for (let k = 0; k < count; ++k) {
      motion.go_to_frame(k * step);
      viewpoint.look(motion);
      craft.place(point.anchor, at).applyQuaternion(viewpoint.orientation).add(viewpoint.position);
      places.set([at.x, at.y, at.z], k * 3);
      this.times[k] = motion.time[k * step]!;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(places, 3));
    this.material = new LineBasicMaterial({ color });
    this.line = new Line(geometry, this.material);
    this.line.frustumCulled = false;
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.material.dispose();
  }

  go_to(t: number, length: number): void {
    const from = index_at(this.times, t - length);
    this.line.geometry.setDrawRange(from, Math.max(0, index_at(this.times, t) - from + 1));
  }
}

export class Trails {
  length = Infinity; // how far back they go [s]
  visible = true;
  readonly chosen = new Set<string>();
  private trails: Trail[] = [];

  constructor(
    private readonly parent: Object3D,
    readonly points: TrailPoint[],
  ) {}

  /// After a change of choice or frame. Moves the craft's motion about: go to the present instant afterwards.
  renew(craft: Craft, viewpoint: Viewpoint): void {
    for (const trail of this.trails) {
      this.parent.remove(trail.line);
      trail.dispose();
    }
    this.trails = this.points
      .filter((point) => this.chosen.has(point.name))
      .map((point, k) => new Trail(craft, viewpoint, point, trail_colors[k % trail_colors.length]!));
    for (const trail of this.trails) this.parent.add(trail.line);
  }

  go_to(t: number): void {
    for (const trail of this.trails) {
      trail.line.visible = this.visible;
      trail.go_to(t, this.length);
    }
  }
}
