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
  runs: Run[]; // one, or two to be compared; none: there is an analysis or a campaign
  analysis?: Analysis; // of the model of the first run; not there: none
  equations?: string; // of motion, of that model: a page of its own, HTML without scripts; not there: none
  campaign?: Campaign; // and nothing else; not there: none
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
  phases?: Phases[]; // not there: none
  model: ModelSummary | null; // null: the model in the file cannot be read; a warning says why
  scene: Scene | null; // null: the motion cannot be shown; a warning says why
}

export interface Ledger {
  lines: { name: string; unit: string; left_over: number; scale: number; relative: number; rounding: boolean }[];
  allowed: number; // relative; more is a warning
  attitude: number; // largest distance of quaternions from unit length
  constraints: { rows: number; position: number; speed: number } | null; // largest violations [m or rad, m/s or rad/s]; null: a tree
  redundant: string; // rows of constraints that depend on others: "3 of 'wrist'"; empty: none
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

/// Which of several states something is in: a state machine, or a joint or wheel that was held at some time.
export interface Phases {
  name: string;
  of: "signal" | "joint" | "wheel";
  number: number; // of ModelSummary.joints or .wheels; of a signal -1
  states: string[]; // of a joint or wheel: the first is free, the others say what holds it
  time: Block; // f64, when each begins; it lasts until the next [s]
  state: Block; // u32, in `states`
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

/// A linear model about an operating point.
export interface Analysis {
  label: string; // the name of its file, or the command that made the page
  model_name: string; // may be empty
  model_file: string;
  model_text: string;
  set: string[]; // parameters with other values than in the file: "K=3"
  t: number; // of the operating point [s]
  period: number; // of a model in discrete time [s]; 0: continuous time
  states: string[]; // their names
  opened: string[]; // signals at which loops are open, in the modes too
  notes: string[]; // about the operating point and what stands for switches
  warnings: string[]; // of what the page cannot show
  zeros: string; // "12 eigenvalues are zero: 6 chains of 2; base 12"; empty: none is
  modes: Mode[]; // neutral ones first, then by natural frequency
  responses: Response[];
  locus: Locus | null;
  model: ModelSummary | null;
  scene: Scene | null; // one frame: the operating point; null: it cannot be shown, and a warning says why
}

export interface Mode {
  eigenvalue: [real: number, imaginary: number]; // of a pair, that above the real axis; of discrete time, its logarithm over
  // the period [1/s]
  neutral: boolean; // of zero eigenvalues: what they leave free to move, one coordinate with those that follow it
  rigid: boolean; // the same, and all bodies move as one
  grows: boolean;
  frequency: number | null; // natural, of what oscillates [Hz]
  damping: number | null; // ratio, of what oscillates
  time: number | null; // time constant, negative of what grows; null: it does neither [s]
  what: string; // what moves: "boom_z (boom against knuckle) 97 %"
  motion: Block | null; // f32, see below; null: nothing that is drawn moves, or there was no room for it
  body: number; // of the scene, with the point that moves farthest; -1: none
  rotation: number; // the largest of a body, where the largest displacement is 1 m [rad]
}
// Mode.motion has complex numbers, real and imaginary parts in turn: for each body of the scene displacement x, y, z of its
// origin and rotation vector x, y, z, world axes; then modal coordinates of the bodies in Scene.flexible, one after another;
// then the angles of Scene.wheels. They are scaled so that the point that moves farthest moves by 1 m, and is farthest at
// phase 0: at time t after that, the real part of each times exp(eigenvalue t) is added to what the operating point has.

/// What is drawn over frequency. There may be other kinds.
export type Response = Bode;

/// From an input to an output, or the gain L of an open loop.
export interface Bode {
  kind: "bode";
  title: string; // "loop gain at command", "bus.torque_z to pin.angle"
  unit: string; // of output by input; empty: not known
  frequency: Block; // f64 [rad/s]
  gain: Block; // f64 [dB]
  phase: Block; // f64, without jumps [deg]
  margins: Margins | null; // of a loop; the frequencies of its crossovers are among those of the curve
}

export interface Margins {
  signal: string; // where the loop is opened
  stable: boolean; // the closed loop, but for zero eigenvalues
  gain: Crossover[]; // where L is real and negative: the factor on the gain that brings it to -1
  phase: Crossover[]; // where |L| = 1: the angle to -1, positive by lag [rad]
  delay: Crossover | null; // the least further delay that brings L to -1 [s]
  modulus: Crossover | null; // the least |1 + L|
}

export interface Crossover {
  frequency: number; // [rad/s]
  margin: number;
}

/// Eigenvalues as a parameter varies.
export interface Locus {
  parameter: string;
  unit: string; // may be empty
  nominal: number | null; // what the model has: its modes are those of the analysis
  values: Block; // f64, of the parameter
  branches: Block[]; // f64, 2 each: real and imaginary part, by value [1/s]
}

/// JSON has no infinity, and null is no number: a flight that failed has none, an event that never comes is at infinity.
export type Real = number | "inf" | "-inf" | null;

/// Many flights of one model.
export interface Campaign {
  label: string; // the name of the results file
  name: string; // may be empty
  file: string; // of the campaign
  text: string;
  model_name: string; // may be empty
  model_file: string;
  model_text: string;
  command: string;
  version: string;
  formulation: string;
  integrator: string;
  status: string; // "finished", "interrupted"; empty: not ended
  replay: string; // the command that flies a flight again; its number follows
  method: string; // "sobol"
  seed: number;
  warnings: string[];
  flights: number; // in all
  ended: number;
  failed: number; // of those that ended
  number: Block; // u32, of the flights that are shown, ascending: of those that ended all, or some, and a warning says so
  end_time: Block; // f64, by flight: how far it came [s]
  reason: Block; // u32, by flight: 0 if it finished, else 1 + its place in `failures`
  failures: { reason: string; count: number }[]; // the most frequent first
  inputs: number; // so many of the columns are what was drawn; the others are measures
  sampled: number; // so many of the inputs; those behind them are factors
  combinations: Combination[]; // of the values of factors; without factors one, of all flights
  not_packed: string; // why flights were flown one by one; empty: they were not
  columns: Column[]; // values by flight; NaN of measures of flights that failed
  confidence: number; // of the intervals of percentiles
  measures: CampaignMeasure[];
  requirements: CampaignRequirement[];
  histories: CampaignHistories | null;
}

export interface Combination {
  values: number[]; // by factor; none: there are no factors
  flights: number; // in all
  ended: number;
  failed: number;
}

/// Of all flights that ended, whether they are shown or not.
export interface CampaignMeasure {
  more_is_worse: boolean;
  worst: number[]; // flights, the worst first
  statistics: MeasureStatistics[]; // by combination
  factors: Correlation[]; // by factor: of the same samples with its values
}

export interface Correlation {
  value: Real; // Spearman's
  chance: Real; // how probable as much is by chance
}

/// Of the flights of a combination.
export interface MeasureStatistics {
  flights: number; // that have a number
  mean: Real;
  std: Real;
  min: Real;
  max: Real;
  percentiles: { fraction: number; value: Real; low: Real; high: Real }[];
  correlations: Correlation[]; // by input; null of factors
  indices: { first: Real; first_error: Real; total: Real; total_error: Real }[]; // by input: Sobol's; empty: not known
}

export type Verdict = "met" | "not met" | "undecided";

export interface CampaignRequirement {
  measure: number;
  below: number | null;
  above: number | null;
  in: number; // fraction of flights
  confidence: number;
  verdict: Verdict; // that of the worst combination
  worst: number; // which that is
  results: RequirementResult[]; // by combination
}

export interface RequirementResult {
  flights: number; // that have ended
  fulfilled: number;
  missing: number; // that have not
  fraction: Real;
  low: number; // bounds of the fraction, each with the confidence
  high: number;
  verdict: Verdict;
}

export interface CampaignHistories {
  recorded: number; // flights
  sampled: number; // of these, the first of the campaign, of which the bands are; 0: the bands are of all that are recorded
  fractions: number[]; // of the bands; 0 and 1 are the smallest and the largest value
  flights: Block; // u32, that are drawn one by one: all that are recorded, or some
  time: Block; // f64 [s]
  columns: HistoryColumn[];
}

export interface HistoryColumn {
  name: string;
  unit: string;
  description: string;
  states: string[]; // of a state machine: by number; of others none
  bands: Block; // f64, by fraction, then time
  lines: Block; // f32, by flight, then time; NaN after its end
}
