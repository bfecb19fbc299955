// What the program writes into a page: one JSON text and blocks of numbers. The C++ side is src/report. SI units
// throughout; names come from model files and are shown as text, never as markup.

/// Numbers that stand in a block of their own: the element <script type="text/plain" id="block-N">, base64 of what zlib
/// compressed. That is made so, and read backwards:
///   1. Where quantities alternate (parts > 1), the numbers of the first come first, then those of the second, ..
///   2. With an order > 0 each number becomes an unsigned integer of its bits, of floating-point numbers with the sign bit
///      flipped, or all bits if it was set: so the larger number is the larger integer. `order` times, all but the first
///      are replaced by their difference from the one before, modulo 2^32 or 2^64; then 0, -1, 1, -2, .. by 0, 1, 2, 3, ..
///   3. Bytes of equal significance stand together: all lowest bytes, then all second ones, ..
export interface Block {
  block: number;
  count: number; // of numbers
  type: "f64" | "f32" | "u32";
  order: number; // of the differences
  parts: number; // quantities that alternate, such as x, y, z
}

export type Triple = [number, number, number];
export type Quaternion = [number, number, number, number]; // w, x, y, z

export interface Payload {
  format: 2;
  generator: string; // "gyrostat 0.1.0"
  runs: Run[]; // one, or two to be compared
}

export interface Run {
  label: string; // the name of the results file; different for different runs
  model_name: string; // may be empty
  model_file: string;
  model_text: string;
  command: string;
  version: string;
  formulation: string;
  integrator: string;
  status: string; // "finished", "interrupted at t = 3 s", "stopped at t = 3 s: .."; empty: not ended
  statistics: [name: string, value: number | null][]; // those of the ledger left out
  ledger: Ledger | null;
  warnings: string[]; // of the model, of the ledger, of what the page cannot show
  time: Block; // f64, of the records [s]
  columns: Column[];
  plots: PlotGroup[]; // to be shown at first
  events: Events;
  model: ModelSummary | null; // null: the model in the file cannot be read; a warning says why
  scene: Scene | null; // null: the motion cannot be shown; a warning says why
}

export interface Ledger {
  lines: { name: string; unit: string; left_over: number; scale: number; relative: number; rounding: boolean }[];
  allowed: number; // relative; more is a warning
  attitude: number; // largest distance of quaternions from unit length
  accelerations: number; // largest disagreement with another formulation, relative
  balanced: boolean; // or exempt; if not, warnings say what does not
  exempt: string; // why the laws are not expected to hold, or empty
  other_formulation: string; // that accelerations were compared with; empty: not known
}

export interface Column {
  name: string; // as in the results file: "pan.angle", "ledger/energy"
  unit: string; // "rad/s"; empty or "1": none
  description: string;
  values: Block; // f64, one for each record
}

export interface PlotGroup {
  title: string; // "Joint angles"
  columns: number[]; // of Run.columns, all of one unit
}

export interface Events {
  time: Block; // f64 [s]
  name: Block; // u32, in `texts`
  what: Block; // u32, in `texts`
  texts: string[];
}

export interface ModelSummary {
  bodies: BodySummary[]; // without the world, in the order of the tree: a parent stands before its children
  joints: JointSummary[]; // of the tree: joints[i] carries bodies[i]
  constraints: ConstraintSummary[];
  wheels: { name: string; body: number; axis: Triple; inertia: number }[];
  parameters: { name: string; value: number }[];
  total: MassSummary; // at the start, of the whole, world axes
  degrees_of_freedom: DegreesOfFreedom;
  nodes?: number[]; // those of bodies that are nodes of flexible ones, their parents; not there: none
}

export interface DegreesOfFreedom {
  free: number;
  locked: number;
  prescribed: number;
  wheels: number;
  wheels_prescribed: number;
  modes?: number; // of flexible bodies; not there: none
}

export interface MassSummary {
  mass: number; // [kg]
  com: Triple; // [m]
  inertia: Triple[]; // 3 x 3, about the com [kg m^2]
}

export interface BodySummary extends MassSummary {
  name: string;
}

export interface ConstraintSummary {
  name: string;
  type: string; // "revolute", "coupling"
  what: string; // "revolute between top and right", "coupling of left.angle, right.angle"
  cut: boolean; // a joint that closes a loop; else a relation that is no joint
  parent: number; // the bodies that it connects; -1: the world
  child: number;
}

export interface JointSummary {
  name: string;
  type: string; // "revolute"
  parent: number; // of bodies; -1: the world
  motion: "free" | "locked" | "prescribed"; // prescribed if any of its speeds is
}

/// What there is to see. Vectors of a body are in its frame, from its origin [m].
export interface Scene {
  time: Block; // f64, of the frames: some or all of the records [s]
  centre: Block; // f64, 3 a frame: mass centre, world axes [m]
  radius: number; // of a sphere about the mass centre that holds everything at the first frame [m]
  bodies: SceneBody[]; // as in ModelSummary; nodes of flexible bodies have no shapes
  joints: SceneJoint[];
  wheels: SceneWheel[];
  loads: SceneLoad[];
  springs: { name: string; from: SceneAnchor; to: SceneAnchor }[];
  constraints: SceneConstraint[]; // that have a place; cut joints are in `joints`
  momentum: SceneMomentum | null;
  sun: Triple | null; // direction to the sun, world axes
  orbit: { nadir: Block; along: Block } | null; // f32, 3 a frame each: to the centre of attraction, and forward at right
  // angles to it in the plane of the orbit; unit vectors, world axes
  flexible?: SceneFlexible[]; // that are drawn deformed; not there: none
}

/// A body that bends. With modal coordinates eta of a frame, displacement and rotation vector of a node are its rows of
/// `translation` and `rotation` times these terms: eta_1 .. eta_m; then, if terms > modes, the products eta_a eta_b for
/// (a, b) = (1, 1), (2, 1), (2, 2), (3, 1), .., with one half where a = b.
export interface SceneFlexible {
  body: number;
  tube: number; // radius of tubes that are drawn along its lines; 0: the body has shapes [m]
  modes: number;
  terms: number;
  nodes: Block; // f32, 3 each: where they are without deformation
  translation: Block; // f32, by node, term and component [m per unit of the term]
  rotation: Block; // f32, the same [rad]; all 0: the data have none
  lines: Block; // u32, 2 each: neighbouring nodes
  modal: Block; // f32, as many a frame as there are modes
  attached: { body: number; node: number }[]; // bodies that are nodes of it
  largest: { displacement: number; strain: number }; // of nodes, and of lines: change of rotation by length [m, rad/m]
}

/// The angular momentum about the mass centre, world axes.
export interface SceneMomentum {
  columns: Triple;
  scale: number; // its largest magnitude, or the largest sum of those of all bodies and wheels, whichever is more [N m s]
}

export interface SceneBody {
  name: string;
  com: Triple;
  shapes: SceneShape[];
  points: { name: string; at: Triple }[]; // the named ones
  pose: Block; // f32, 7 a frame: origin from the mass centre of the whole, world axes; then the quaternion w, x, y, z
  // (q_NB, continuous from frame to frame)
}

export interface SceneShape {
  kind: "box" | "cylinder" | "sphere" | "mesh";
  size: Triple; // box: edges; cylinder: radius, height (along z), 0; sphere: radius, 0, 0; mesh: 0
  at: Triple; // its centre
  orientation: Quaternion;
  color: string; // "#rrggbb" or empty
  mesh: Block | null; // f32, 9 a triangle
}

export interface SceneJoint {
  name: string;
  type: string;
  body: number; // that it carries; of a cut joint the child, -1: the world
  parent: number; // -1: the world
  at: Triple; // joint point in the parent's frame
  child_at: Triple; // and in the child's
  rotations: Triple[]; // axes, in the parent's axes at zero coordinates
  translations: Triple[];
  cut: boolean; // it closes a loop; those of the tree stand before these
}

export interface SceneWheel {
  name: string;
  body: number;
  axis: Triple;
  at: Triple; // of the model, or made up: near the com of the body
  radius: number; // of the model, or made up
  angle: number; // column, or -1: not recorded
}

export interface SceneAnchor {
  body: number; // -1: the world
  at: Triple;
}

/// A distance of two points; or a point `to` whose components from `from`, along directions fixed there, are given.
export interface SceneConstraint {
  name: string;
  kind: "distance" | "point";
  from: SceneAnchor;
  to: SceneAnchor;
  directions: Triple[]; // of a point: one to three unit vectors, axes of the body of `from`
}

export interface SceneLoad {
  name: string; // "loads[0]"
  kind: "thruster" | "force" | "torque";
  body: number;
  at: Triple;
  axes: "body" | "world"; // of direction and components
  direction: Triple; // thruster: of the force
  columns: number[]; // thruster: [thrust]; force, torque: x, y, z. -1: it is nothing always
  largest: number; // magnitude over the run [N, N m]
}
