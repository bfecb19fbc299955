#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "gyrostat/report/campaign_json.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity, and where the page expects a number there must be one.
double finite(double x) {
  return std::isfinite(x) ? x : std::copysign(std::numeric_limits<double>::max(), std::isnan(x) ? 1.0 : x);
}

Json json(const Block& b) {
  return {
      {"block", b.number}, {"count", b.count}, {"type", std::string(b.type)}, {"order", b.order}, {"parts", b.parts}};
}
Json json(const Vector3& v) { return Json::array({finite(v.x()), finite(v.y()), finite(v.z())}); }
Json json(double x) { return finite(x); }
Json json(const Quaternion& q) { return Json::array({q.w, q.x, q.y, q.z}); }

// Those that stand in lists, or may be missing.
Json json(const results::LedgerLine& item);
Json json(const results::LedgerRecord& item);
Json json(const PageColumn& item);
Json json(const PlotGroup& item);
Json json(const Phases& item);
Json json(const BodySummary& item);
Json json(const JointSummary& item);
Json json(const ConstraintSummary& item);
Json json(const WheelSummary& item);
Json json(const ModelSummary& item);
Json json(const SceneShape& item);
Json json(const NamedPoint& item);
Json json(const SceneBody& item);
Json json(const SceneJoint& item);
Json json(const SceneWheel& item);
Json json(const SceneSpring& item);
Json json(const SceneConstraint& item);
Json json(const SceneLoad& item);
Json json(const SceneNode& item);
Json json(const SceneFlexible& item);
Json json(const SceneMomentum& item);
Json json(const SceneOrbit& item);
Json json(const Scene& item);
Json json(const Run& item);
Json json(const AnalysisMode& item);
Json json(const AnalysisCrossover& item);
Json json(const AnalysisMargins& item);
Json json(const AnalysisResponse& item);
Json json(const AnalysisLocus& item);

template <class T>
Json list(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(json(item));
  return array;
}

template <class T>
Json optional(const std::optional<T>& item) {
  return item ? json(*item) : Json(nullptr);
}

Json json(const results::LedgerLine& l) {
  return {{"name", l.name},
          {"unit", l.unit},
          {"left_over", finite(l.residual)},
          {"scale", finite(l.scale)},
          {"relative", finite(l.ratio())},
          {"rounding", l.is_rounding()}};
}

Json json(const results::LedgerRecord& l) {
  Json constraints;  // null of a tree
  if (l.constraint_rows > 0)
    constraints = {{"rows", l.constraint_rows},
                   {"position", finite(l.constraint_position)},
                   {"speed", finite(l.constraint_speed)}};
  return {{"lines", list(l.lines)},
          {"allowed", finite(l.allowed)},
          {"attitude", finite(l.attitude)},
          {"constraints", std::move(constraints)},
          {"redundant", text_of(l.redundant)},
          {"accelerations", finite(l.accelerations)},
          {"balanced", l.warnings().empty()},
          {"exempt", l.exempt},
          {"other_formulation", l.other_formulation}};
}

Json json(const PageColumn& c) {
  return {{"name", c.name}, {"unit", c.unit}, {"description", c.description}, {"values", json(c.values)}};
}

Json json(const PlotGroup& g) { return {{"title", g.title}, {"columns", g.columns}}; }

Json json(const EventList& e) {
  return {{"time", json(e.time)}, {"name", json(e.name)}, {"what", json(e.what)}, {"texts", e.texts}};
}

Json json(const Phases& p) {
  return {{"name", p.name},     {"of", p.of},           {"number", p.number},
          {"states", p.states}, {"time", json(p.time)}, {"state", json(p.state)}};
}

Json json(const MassProperties& m) {
  Json inertia = Json::array();
  for (int i = 0; i < 3; ++i) inertia.push_back(json(Vector3(m.inertia.row(i))));
  return {{"mass", finite(m.mass)}, {"com", json(m.com)}, {"inertia", std::move(inertia)}};
}

Json json(const BodySummary& b) {
  Json body = {{"name", b.name}};
  body.update(json(b.mass_properties));
  return body;
}

Json json(const JointSummary& j) {
  return {{"name", j.name}, {"type", j.type}, {"parent", j.parent}, {"motion", j.motion}};
}

Json json(const ConstraintSummary& c) {
  return {{"name", c.name}, {"type", c.type},     {"what", c.what},
          {"cut", c.cut},   {"parent", c.parent}, {"child", c.child}};
}

Json json(const WheelSummary& w) {
  return {{"name", w.name}, {"body", w.body}, {"axis", json(w.axis)}, {"inertia", w.inertia}};
}

Json json(const DegreesOfFreedom& f) {
  Json counts = {{"free", f.free},
                 {"locked", f.locked},
                 {"prescribed", f.prescribed},
                 {"wheels", f.wheels},
                 {"wheels_prescribed", f.wheels_prescribed}};
  if (f.modes > 0) counts["modes"] = f.modes;
  return counts;
}

Json json(const ModelSummary& m) {
  Json parameters = Json::array();
  for (const auto& [name, value] : m.parameters) parameters.push_back({{"name", name}, {"value", finite(value)}});
  Json model = {{"bodies", list(m.bodies)},
                {"joints", list(m.joints)},
                {"constraints", list(m.constraints)},
                {"wheels", list(m.wheels)},
                {"parameters", parameters},
                {"total", json(m.total)},
                {"degrees_of_freedom", json(m.degrees_of_freedom)}};
  if (!m.nodes.empty()) model["nodes"] = m.nodes;
  return model;
}

std::string_view name_of(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::cylinder: return "cylinder";
    case Shape::Kind::sphere: return "sphere";
    case Shape::Kind::mesh: return "mesh";
    default: return "box";
  }
}

Json json(const SceneShape& s) {
  return {{"kind", std::string(name_of(s.kind))}, {"size", json(s.size)}, {"at", json(s.at)},
          {"orientation", json(s.orientation)},   {"color", s.color},     {"mesh", optional(s.mesh)}};
}

Json json(const NamedPoint& p) { return {{"name", p.name}, {"at", json(p.position)}}; }

Json json(const SceneBody& b) {
  return {{"name", b.name},
          {"com", json(b.com)},
          {"shapes", list(b.shapes)},
          {"points", list(b.points)},
          {"pose", json(b.pose)}};
}

Json json(const SceneJoint& j) {
  return {{"name", j.name},
          {"type", j.type},
          {"body", j.body},
          {"parent", j.parent},
          {"at", json(j.at)},
          {"child_at", json(j.child_at)},
          {"rotations", list(j.rotations)},
          {"translations", list(j.translations)},
          {"cut", j.cut}};
}

Json json(const SceneWheel& w) {
  return {{"name", w.name},   {"body", w.body},     {"axis", json(w.axis)},
          {"at", json(w.at)}, {"radius", w.radius}, {"angle", w.angle}};
}

Json json(const SceneAnchor& a) { return {{"body", a.body}, {"at", json(a.at)}}; }
Json json(const SceneSpring& s) { return {{"name", s.name}, {"from", json(s.from)}, {"to", json(s.to)}}; }

Json json(const SceneConstraint& c) {
  return {{"name", c.name},
          {"kind", c.kind},
          {"from", json(c.from)},
          {"to", json(c.to)},
          {"directions", list(c.directions)}};
}

Json json(const SceneLoad& l) {
  return {{"name", l.name},
          {"kind", l.kind},
          {"body", l.body},
          {"at", json(l.at)},
          {"axes", l.axes == Axes::body ? "body" : "world"},
          {"direction", json(l.direction)},
          {"columns", l.columns},
          {"largest", finite(l.largest)}};
}

Json json(const SceneNode& n) { return {{"body", n.body}, {"node", n.node}}; }

Json json(const SceneFlexible& f) {
  return {{"body", f.body},
          {"tube", f.tube},
          {"modes", f.modes},
          {"terms", f.terms},
          {"nodes", json(f.nodes)},
          {"translation", json(f.translation)},
          {"rotation", json(f.rotation)},
          {"lines", json(f.lines)},
          {"modal", json(f.modal)},
          {"attached", list(f.attached)},
          {"largest", {{"displacement", finite(f.largest_displacement)}, {"strain", finite(f.largest_strain)}}}};
}

Json json(const SceneMomentum& m) { return {{"columns", m.columns}, {"scale", finite(m.scale)}}; }
Json json(const SceneOrbit& o) { return {{"nadir", json(o.nadir)}, {"along", json(o.along)}}; }

Json json(const Scene& s) {
  Json scene = {{"time", json(s.time)},     {"centre", json(s.centre)},   {"radius", finite(s.radius)},
                {"bodies", list(s.bodies)}, {"joints", list(s.joints)},   {"wheels", list(s.wheels)},
                {"loads", list(s.loads)},   {"springs", list(s.springs)}, {"momentum", optional(s.momentum)},
                {"sun", optional(s.sun)},   {"orbit", optional(s.orbit)}, {"constraints", list(s.constraints)}};
  if (!s.flexible.empty()) scene["flexible"] = list(s.flexible);
  return scene;
}

Json json(const Run& r) {
  Json statistics = Json::array();
  for (const auto& [name, value] : r.statistics) statistics.push_back(Json::array({name, value}));
  Json run = {{"label", r.label},
              {"model_name", r.model_name},
              {"model_file", r.model_file},
              {"model_text", r.model_text},
              {"command", r.command},
              {"version", r.version},
              {"formulation", r.formulation},
              {"integrator", r.integrator},
              {"status", r.status},
              {"statistics", std::move(statistics)},
              {"ledger", optional(r.ledger)},
              {"warnings", r.warnings},
              {"time", json(r.time)},
              {"columns", list(r.columns)},
              {"plots", list(r.plots)},
              {"events", json(r.events)},
              {"model", optional(r.model)},
              {"scene", optional(r.scene)}};
  if (!r.phases.empty()) run["phases"] = list(r.phases);
  return run;
}

Json json(const AnalysisMode& m) {
  return {{"eigenvalue", {finite(m.eigenvalue.real()), finite(m.eigenvalue.imag())}},
          {"neutral", m.neutral},
          {"rigid", m.rigid},
          {"grows", m.grows},
          {"frequency", optional(m.frequency)},
          {"damping", optional(m.damping)},
          {"time", optional(m.time)},
          {"what", m.what},
          {"motion", optional(m.motion)},
          {"body", m.body},
          {"rotation", finite(m.rotation)}};
}

Json json(const AnalysisCrossover& c) { return {{"frequency", finite(c.frequency)}, {"margin", finite(c.margin)}}; }

Json json(const AnalysisMargins& m) {
  return {{"signal", m.signal},     {"stable", m.stable},         {"gain", list(m.gain)},
          {"phase", list(m.phase)}, {"delay", optional(m.delay)}, {"modulus", optional(m.modulus)}};
}

Json json(const AnalysisResponse& r) {
  return {{"kind", r.kind},
          {"title", r.title},
          {"unit", r.unit},
          {"frequency", json(r.frequency)},
          {"gain", json(r.gain)},
          {"phase", json(r.phase)},
          {"margins", optional(r.margins)}};
}

Json json(const AnalysisLocus& l) {
  return {{"parameter", l.parameter},
          {"unit", l.unit},
          {"nominal", optional(l.nominal)},
          {"values", json(l.values)},
          {"branches", list(l.branches)}};
}

Json json(const Analysis& a) {
  return {{"label", a.label},           {"model_name", a.model_name},
          {"model_file", a.model_file}, {"model_text", a.model_text},
          {"set", a.overrides},         {"t", finite(a.t)},
          {"period", finite(a.period)}, {"states", a.states},
          {"opened", a.opened},         {"notes", a.notes},
          {"warnings", a.warnings},     {"zeros", a.zeros},
          {"modes", list(a.modes)},     {"responses", list(a.responses)},
          {"locus", optional(a.locus)}, {"model", optional(a.model)},
          {"scene", optional(a.scene)}};
}

/// Outside of strings JSON has none of these characters.
std::string escaped(const std::string& text) {
  std::string result;
  result.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i, 3);
    if (rest == "\xE2\x80\xA8" || rest == "\xE2\x80\xA9") {
      result += rest == "\xE2\x80\xA8" ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (text[i] == '<') {
      result += "\\u003c";
    } else if (text[i] == '>') {
      result += "\\u003e";
    } else if (text[i] == '&') {
      result += "\\u0026";
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::string as_json(const Payload& payload) {
  Json all = {{"format", 2}, {"generator", payload.generator}, {"runs", list(payload.runs)}};
  if (payload.analysis) all["analysis"] = json(*payload.analysis);
  if (!payload.equations.empty()) all["equations"] = payload.equations;
  if (payload.campaign) all["campaign"] = json_of(*payload.campaign);
  return escaped(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace gyrostat::report
