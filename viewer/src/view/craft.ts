// The spacecraft of one run: bodies, wheels, joint axes, constraints, loads, springs and directions, at an instant. World
// axes, the mass centre at the origin.
import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  SphereGeometry,
  Vector3,
  CylinderGeometry,
} from "three";
import type { Scene, SceneAnchor, SceneJoint, SceneLoad } from "../payload";
import { holding, phases_of, type PhaseList } from "../phases";
import { RunData, type SceneData } from "../data";
import { Arrow, seen_through, Thruster, TorqueArrow, triad } from "./arrows";
import { HeldPoint } from "./constraints";
import type { Coloring } from "./deformation";
import { FlexibleSolid } from "./flexible_solid";
import type { ModePoses } from "./mode_poses";
import { Motion, Signal } from "./motion";
import { solid_body, solid_wheel, type Look } from "./shapes";

export const colors = {
  momentum: "#c026d3",
  sun: "#f59f00",
  nadir: "#2f80ed",
  along: "#12b886",
  joint: "#e8590c",
  held: "#9c36b5",
  constraint: "#0c8599",
  load: "#ff8c1a",
  spring: "#868e96",
};

/// What can be shown or hidden.
export type Layer =
  "bodies" | "nodes" | "axes" | "joints" | "constraints" | "momentum" | "loads" | "wheels" | "directions" | "centre";

/// What the pointer can name, beside bodies.
interface Marker {
  text: string;
  object: Object3D;
}

interface Direction {
  name: string;
  tip: Vector3; // world axes, from the mass centre
  color: string;
  is_shown: () => boolean;
}

const least_momentum = 1e-3; // of its scale: less is nothing, or rounding
const thin_rod = 0.0015; // radius of joint axes, of the size of the whole
const whole_rod: [middle: number, length: number][] = [[0, 0.2]]; // of the same size
const cut_rod: [middle: number, length: number][] = [
  [-0.06, 0.08],
  [0.06, 0.08],
];
const near_rod = 0.006; // how near the pointer has to be to name one
const most_places = 500; // of a point that is held, to find how far it goes

const unit = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];

export class Craft {
  readonly root = new Group();
  readonly bodies: Group[] = [];
  readonly flexible: FlexibleSolid[] = []; // as in the scene
  readonly markers: Marker[] = [];
  private readonly ground = new Group(); // the world's frame
  readonly directions: Direction[] = [];
  acting: string[] = []; // loads that act now: "torque on bus"; and what is held: "pan latched"
  mode: ModePoses | null = null; // what is shown in place of the run; nothing that was recorded is seen then
  private readonly carriers = new Map<number, Group>(); // of joints of the tree, by the body that each carries
  private readonly layers = new Map<Layer, Object3D[]>();
  private readonly updates: ((t: number) => void)[] = [];
  private readonly p = new Vector3();
  private readonly q = new Quaternion();

  private constructor(
    readonly data: SceneData,
    readonly scene: Scene,
    readonly motion: Motion,
  ) {}

  static async of(data: SceneData, scene: Scene, look: Look): Promise<Craft> {
    const craft = new Craft(data, scene, await Motion.of(data, scene));
    await craft.build(look);
    return craft;
  }

  go_to(t: number): void {
    this.motion.go_to(t);
    if (this.mode) this.motion.go_to_mode(this.mode);
    this.bodies.forEach((body, k) => {
      this.motion.position(k, body.position);
      this.motion.orientation(k, body.quaternion);
    });
    this.flexible.forEach((solid, j) => {
      this.motion.deformations[j]!.bend();
      solid.move(this.motion.exaggeration, this.motion.instant);
    });
    this.motion.centre(this.ground.position).multiplyScalar(-1);
    this.acting = [];
    for (const update of this.updates) update(t);
  }

  set_visible(layer: Layer, visible: boolean): void {
    for (const object of this.layers.get(layer) ?? []) object.visible = visible;
  }
  is_visible(layer: Layer): boolean {
    return this.layers.get(layer)?.some((object) => object.visible) ?? false;
  }
  has(layer: Layer): boolean {
    return (this.layers.get(layer)?.length ?? 0) > 0;
  }

  /// The largest value of any flexible body in any frame [m, rad/m]; 0: there is none.
  largest(of: Exclude<Coloring, "none">): number {
    return Math.max(0, ...(this.scene.flexible ?? []).map(({ largest }) => largest[of]));
  }
  set_coloring(coloring: Coloring): void {
    const largest = coloring === "none" ? 1 : this.largest(coloring);
    for (const solid of this.flexible) solid.set_coloring(coloring, largest);
  }

  /// Is a body a node of a flexible one?
  is_node(body: number): boolean {
    return this.data.model?.nodes?.includes(body) ?? false;
  }

  /// Where a point of a body is now, from the mass centre, world axes.
  place(anchor: SceneAnchor, to: Vector3): Vector3 {
    if (anchor.body < 0)
      return this.motion
        .centre(to)
        .multiplyScalar(-1)
        .add(this.p.set(...anchor.at));
    const at = this.p.set(...anchor.at).applyQuaternion(this.motion.orientation(anchor.body, this.q));
    return this.motion.position(anchor.body, to).add(at);
  }

  /// The same in the frame of a body, or of the world.
  private place_in(body: number, anchor: SceneAnchor, to: Vector3): Vector3 {
    this.place(anchor, to);
    if (body < 0) return to.add(this.motion.centre(this.p));
    return to.sub(this.motion.position(body, this.p)).applyQuaternion(this.motion.orientation(body, this.q).invert());
  }

  private frame_of(body: number): Group {
    return this.bodies[body] ?? this.ground;
  }

  private put(layer: Layer, object: Object3D, parent: Object3D = this.root): void {
    parent.add(object);
    const list = this.layers.get(layer);
    if (list) list.push(object);
    else this.layers.set(layer, [object]);
  }

  private async build(look: Look): Promise<void> {
    const { scene } = this;
    for (let k = 0; k < scene.bodies.length; ++k) {
      const frame = new Group();
      const bends = this.motion.deformations.find(({ scene: { body } }) => body === k);
      const solid = bends
        ? await FlexibleSolid.of(bends, scene.bodies[k]!, this.data, look)
        : await solid_body(scene.bodies[k]!, k, this.data, look);
      this.put("bodies", solid, frame);
      if (solid instanceof FlexibleSolid) {
        this.flexible.push(solid);
        if (!look.ghost) this.put("nodes", solid.node_lines, frame);
      }
      this.bodies.push(frame);
      this.root.add(frame);
    }
    if (look.ghost) return;
    this.root.add(this.ground);
    const size = scene.radius;
    this.bodies.forEach((frame, k) => this.is_node(k) || this.put("axes", triad(0.22 * size), frame));
    this.put(
      "centre",
      new Mesh(new SphereGeometry(0.012 * size, 16, 12), new MeshBasicMaterial({ color: colors.momentum })),
    );
    for (const joint of scene.joints) this.add_joint(joint, size);
    this.add_constraints(size);
    await this.add_wheels();
    for (const load of scene.loads) await this.add_load(load, size);
    const phases = this.data instanceof RunData ? await phases_of(this.data) : [];
    for (const list of phases) if (list.of !== "signal") this.add_holding(list, size);
    this.add_lines();
    await this.add_directions(size);
  }

  /// What is cut has another colour, and its axes a gap in the middle.
  private add_joint(joint: SceneJoint, size: number): void {
    if (joint.parent < 0 && joint.type === "free") return;
    const color = joint.cut ? colors.constraint : colors.joint;
    const carrier = new Group();
    if (!joint.cut) this.carriers.set(joint.body, carrier);
    carrier.position.set(...joint.at);
    for (const axis of joint.rotations) {
      const rod = new Group();
      rod.quaternion.setFromUnitVectors(unit[1]!, this.p.set(...axis).normalize());
      for (const [middle, length] of joint.cut ? cut_rod : whole_rod) {
        const shape = new CylinderGeometry(thin_rod * size, thin_rod * size, length * size, 8);
        const part = seen_through(shape.translate(0, middle * size, 0), new MeshBasicMaterial({ color }));
        part.name = joint.cut ? "axis of a cut joint" : "joint axis";
        rod.add(part);
      }
      const near = new CylinderGeometry(near_rod * size, near_rod * size, 0.2 * size, 6);
      rod.add(new Mesh(near, new MeshBasicMaterial({ visible: false })));
      carrier.add(rod);
    }
    for (const axis of joint.translations) {
      const arrow = new Arrow(color, thin_rod * size);
      arrow.point(this.p.set(...axis), 0.2 * size);
      carrier.add(arrow);
    }
    if (joint.type === "spherical") {
      carrier.add(seen_through(new SphereGeometry(0.01 * size, 16, 12), new MeshBasicMaterial({ color })));
    }
    this.put("joints", carrier, this.frame_of(joint.parent));
    this.markers.push({ text: `${joint.name}: ${joint.type}${joint.cut ? ", cut" : ""}`, object: carrier });
  }

  /// A ball at a joint while something holds it, and what that is where acting loads are named; of a wheel, that alone.
  private add_holding(list: PhaseList, size: number): void {
    const carrier = list.of === "joint" ? this.carriers.get(list.number) : undefined;
    const ball = seen_through(
      new SphereGeometry(0.018 * size, 16, 12),
      new MeshBasicMaterial({ color: colors.held, transparent: true, opacity: 0.85 }),
    );
    ball.name = "held joint";
    carrier?.add(ball);
    const marker = this.markers.find(({ object }) => object === carrier);
    const text = marker?.text ?? "";
    this.updates.push((t) => {
      const held = this.mode ? null : holding(list, t);
      ball.visible = held !== null;
      if (marker) marker.text = held ? `${text}, ${held}` : text;
      if (held) this.acting.push(`${list.name} ${held}`);
    });
  }

  private add_constraints(size: number): void {
    const { motion, scene } = this;
    for (const { name, kind, from, to, directions } of scene.constraints) {
      if (kind === "distance") {
        const line = this.add_line("constraints", colors.constraint, from, to);
        this.markers.push({ text: `${name}: distance`, object: line });
        continue;
      }
      const way: Vector3[] = [];
      const step = Math.ceil(motion.frames / most_places);
      for (let k = 0; k < motion.frames; k += step) {
        motion.go_to_frame(k);
        way.push(this.place_in(from.body, to, new Vector3()));
      }
      const held = new HeldPoint(colors.constraint, size, thin_rod * size, directions, way);
      const point = new Vector3();
      this.updates.push(() => held.show(this.place_in(from.body, to, point)));
      this.put("constraints", held, this.frame_of(from.body));
      this.markers.push({ text: `${name}: point`, object: held });
    }
  }

  private async add_wheels(): Promise<void> {
    for (const [k, wheel] of this.scene.wheels.entries()) {
      const mount = new Group();
      mount.position.set(...wheel.at);
      mount.quaternion.setFromUnitVectors(unit[2]!, this.p.set(...wheel.axis).normalize());
      const rotor = solid_wheel(wheel);
      mount.add(rotor);
      this.put("wheels", mount, this.bodies[wheel.body]!);
      const angle = await this.signal(wheel.angle);
      this.updates.push((t) => {
        rotor.rotation.z = this.mode ? this.mode.wheels[k]! : (angle?.between(t) ?? 0) % (2 * Math.PI);
      });
    }
  }

  private async signal(column: number): Promise<Signal | null> {
    const found = this.data.columns[column];
    return found ? new Signal(this.data.time, await this.data.values(found)) : null;
  }

  private async add_load(load: SceneLoad, size: number): Promise<void> {
    const body = this.bodies[load.body];
    if (!body || load.largest <= 0) return;
    const values = await Promise.all(load.columns.map((column) => this.signal(column)));
    const now = (k: number, t: number) => (this.mode ? 0 : (values[k]?.upcoming(t) ?? 0));
    const holder = new Group();
    holder.position.set(...load.at);
    this.put("loads", holder, body);
    if (load.axes === "world") this.updates.push(() => holder.quaternion.copy(body.quaternion).invert());
    const name = `${load.kind} on ${this.scene.bodies[load.body]!.name}`;
    const note = (share: number) => {
      if (Math.abs(share) > 1e-6 && !this.acting.includes(name)) this.acting.push(name);
    };

    if (load.kind === "thruster") {
      const thruster = new Thruster(this.p.set(...load.direction).clone(), 0.12 * size);
      holder.add(thruster);
      this.updates.push((t) => {
        const share = now(0, t) / load.largest;
        thruster.show(share);
        note(share);
      });
    } else if (load.kind === "torque") {
      unit.forEach((axis, k) => {
        if (!values[k]) return;
        const arrow = new TorqueArrow(colors.load, axis, (0.26 + 0.04 * k) * size);
        holder.add(arrow);
        this.updates.push((t) => {
          const share = now(k, t) / load.largest;
          arrow.show(share);
          note(share);
        });
      });
    } else {
      const arrow = new Arrow(colors.load, 0.012 * size);
      arrow.name = "force";
      const force = new Vector3();
      holder.add(arrow);
      this.updates.push((t) => {
        force.set(now(0, t), now(1, t), now(2, t));
        const share = force.length() / load.largest;
        arrow.point(force, share > 1e-6 ? (0.15 + 0.45 * share) * size : 0);
        note(share);
      });
    }
  }

  /// Springs, and what slides: lines between points of two bodies.
  private add_lines(): void {
    for (const { from, to } of this.scene.springs) this.add_line("bodies", colors.spring, from, to);
    for (const { body, parent, type, at, child_at, translations, cut } of this.scene.joints) {
      if ((parent < 0 && type === "free") || !translations.length) continue;
      this.add_line("joints", cut ? colors.constraint : colors.joint, { body: parent, at }, { body, at: child_at });
    }
  }

  private add_line(layer: Layer, color: string, from: SceneAnchor, to: SceneAnchor): Line {
    const ends = new Float32BufferAttribute(new Float32Array(6), 3);
    const line = new Line(new BufferGeometry().setAttribute("position", ends), new LineBasicMaterial({ color }));
    line.frustumCulled = false;
    this.put(layer, line);
    const place = new Vector3();
    this.updates.push(() => {
      [from, to].forEach((anchor, k) => {
        this.place(anchor, place);
        ends.setXYZ(k, place.x, place.y, place.z);
      });
      ends.needsUpdate = true;
    });
    return line;
  }

  private async add_directions(size: number): Promise<void> {
    const add_direction = (layer: Layer, name: string, color: string, find: (to: Vector3, t: number) => number) => {
      const arrow = new Arrow(color, 0.007 * size);
      const holder = new Group(); // for the reader to hide; the arrow hides itself where there is nothing to show
      holder.add(arrow);
      this.put(layer, holder);
      const direction: Direction = { name, tip: new Vector3(), color, is_shown: () => holder.visible && arrow.visible };
      this.directions.push(direction);
      this.updates.push((t) => {
        const recorded = layer === "momentum" || (name !== "Sun" && this.motion.frames > 1);
        const length = this.mode && recorded ? 0 : find(direction.tip, t);
        arrow.point(direction.tip, length);
        direction.tip.setLength(length > 0 ? length : 1e-9);
      });
    };

    const { momentum, sun, orbit } = this.scene;
    if (momentum) {
      const parts = await Promise.all(momentum.columns.map((k) => this.signal(k)));
      add_direction("momentum", "H", colors.momentum, (to, t) => {
        to.set(parts[0]?.between(t) ?? 0, parts[1]?.between(t) ?? 0, parts[2]?.between(t) ?? 0);
        const share = to.length() / momentum.scale;
        return share > least_momentum ? 0.9 * size * share : 0;
      });
    }
    if (sun) add_direction("directions", "Sun", colors.sun, (to) => (to.set(...sun), 0.9 * size));
    if (orbit) {
      add_direction("directions", "Nadir", colors.nadir, (to) => (this.motion.nadir(to), 0.8 * size));
      add_direction("directions", "Along track", colors.along, (to) => (this.motion.along(to), 0.8 * size));
    }
  }
}
