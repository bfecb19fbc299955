// What a page is given: the same as viewer/src/payload.ts says, which explains each field. Numbers are in blocks.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/math/mass_properties.h"
#include "gyrostat/model/system.h"
#include "gyrostat/report/blocks.h"
#include "gyrostat/report/campaign.h"
#include "gyrostat/results/run_record.h"

namespace gyrostat::report {

struct PageColumn {
  std::string name, unit, description;
  Block values;
  std::optional<double> least, largest;  // of the finite values; not for the page
  bool finite = true;                    // all of them
};

struct PlotGroup {
  std::string title;
  std::vector<std::size_t> columns;
};

struct EventList {
  Block time, name, what;
  std::vector<std::string> texts;
};

/// Of a state machine, or of a joint or wheel that something may hold.
struct Phases {
  std::string name, of;
  int number = -1;
  std::vector<std::string> states;
  Block time, state;
};

struct BodySummary {
  std::string name;
  MassProperties mass_properties;
};
struct JointSummary {
  std::string name, type;
  int parent = -1;
  std::string motion;
};
struct ConstraintSummary {
  std::string name, type, what;
  bool cut = false;
  int parent = -1, child = -1;
};
struct WheelSummary {
  std::string name;
  int body = 0;
  Vector3 axis = Vector3::UnitZ();
  double inertia = 0;  // [kg m^2]
};

struct ModelSummary {
  std::vector<BodySummary> bodies;
  std::vector<JointSummary> joints;
  std::vector<ConstraintSummary> constraints;
  std::vector<WheelSummary> wheels;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<int> nodes;  // of flexible bodies: those of `bodies` that have no mass of their own
  MassProperties total;
  DegreesOfFreedom degrees_of_freedom;
};

struct SceneShape {
  Shape::Kind kind = Shape::Kind::box;
  Vector3 size = Vector3::Zero(), at = Vector3::Zero();  // [m]
  Quaternion orientation;
  std::string color;
  std::optional<Block> mesh;
  double mesh_radius = 0;  // farthest corner from `at`; not for the page [m]
};

struct SceneBody {
  std::string name;
  Vector3 com = Vector3::Zero();
  std::vector<SceneShape> shapes;
  std::vector<NamedPoint> points;
  Block pose;
};

struct SceneJoint {
  std::string name, type;
  int body = 0, parent = -1;
  Vector3 at = Vector3::Zero(), child_at = Vector3::Zero();
  std::vector<Vector3> rotations, translations;
  bool cut = false;
};

struct SceneWheel {
  std::string name;
  int body = 0;
  Vector3 axis = Vector3::UnitZ(), at = Vector3::Zero();
  double radius = 0;  // [m]
  int angle = -1;
};

struct SceneAnchor {
  int body = -1;
  Vector3 at = Vector3::Zero();
};
struct SceneSpring {
  std::string name;
  SceneAnchor from, to;
};

struct SceneConstraint {
  std::string name, kind;
  SceneAnchor from, to;
  std::vector<Vector3> directions;
};

struct SceneLoad {
  std::string name, kind;
  int body = 0;
  Vector3 at = Vector3::Zero();
  Axes axes = Axes::body;
  Vector3 direction = Vector3::Zero();
  std::vector<int> columns;
  double largest = 0;  // [N, N m]
};

struct SceneOrbit {
  Block nadir, along;
};

/// A node of a flexible body that is a body of its own.
struct SceneNode {
  int body = 0, node = 0;
};

struct SceneFlexible {
  int body = 0;
  double tube = 0;  // [m]
  std::size_t modes = 0, terms = 0;
  Block nodes, translation, rotation, lines, modal;
  std::vector<SceneNode> attached;
  double largest_displacement = 0, largest_strain = 0;  // [m, rad/m]
};

struct SceneMomentum {
  std::array<int, 3> columns{};
  double scale = 0;  // [N m s]
};

struct Scene {
  Block time, centre;
  double radius = 0;  // [m]
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneWheel> wheels;
  std::vector<SceneLoad> loads;
  std::vector<SceneSpring> springs;
  std::vector<SceneConstraint> constraints;
  std::vector<SceneFlexible> flexible;
  std::optional<SceneMomentum> momentum;
  std::optional<Vector3> sun;
  std::optional<SceneOrbit> orbit;
};

struct Run {
  std::string label, model_name, model_file, model_text, command, version, formulation, integrator, status;
  std::vector<std::pair<std::string, double>> statistics;
  std::optional<results::LedgerRecord> ledger;
  std::vector<std::string> warnings;
  Block time;
  std::vector<PageColumn> columns;
  std::vector<PlotGroup> plots;
  EventList events;
  std::vector<Phases> phases;
  std::optional<ModelSummary> model;
  std::optional<Scene> scene;
};

struct AnalysisMode {
  std::complex<double> eigenvalue;  // in continuous time [1/s]
  bool neutral = false, rigid = false, grows = false;
  std::optional<double> frequency, damping, time;  // [Hz, 1, s]
  std::string what;
  std::optional<Block> motion;
  int body = -1;
  double rotation = 0;  // [rad]
};

struct AnalysisCrossover {
  double frequency = 0;  // [rad/s]
  double margin = 0;     // a factor, an angle [rad], a time [s], or a distance
};
struct AnalysisMargins {
  std::string signal;
  bool stable = false;
  std::vector<AnalysisCrossover> gain, phase;
  std::optional<AnalysisCrossover> delay, modulus;
};
struct AnalysisResponse {
  std::string kind = "bode", title, unit;
  Block frequency, gain, phase;
  std::optional<AnalysisMargins> margins;
};
struct AnalysisLocus {
  std::string parameter, unit;
  std::optional<double> nominal;
  Block values;
  std::vector<Block> branches;
};

struct Analysis {
  std::string label, model_name, model_file, model_text, zeros;
  std::vector<std::string> overrides, opened, notes, warnings;
  double t = 0, period = 0;  // [s]
  std::vector<std::string> states;
  std::vector<AnalysisMode> modes;
  std::vector<AnalysisResponse> responses;
  std::optional<AnalysisLocus> locus;
  std::optional<ModelSummary> model;
  std::optional<Scene> scene;
};

struct Payload {
  std::string generator;
  std::vector<Run> runs;
  std::optional<Analysis> analysis;
  std::string equations = {};  // of motion, as a page of their own; or empty
  std::optional<CampaignPage> campaign = {};
};

/// Nothing in it can end the element it stands in, or begin another. What is not UTF-8 is replaced.
std::string as_json(const Payload& payload);

}  // namespace gyrostat::report
