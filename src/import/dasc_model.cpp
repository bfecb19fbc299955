#include "gyrostat/import/dasc_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/import/dasc_joints.h"

namespace gyrostat::dasc {

namespace {

/// As few digits as give it back to twelve places: what was computed has no more.
std::string number(double x) { return fmt::format("{:.12g}", std::abs(x) < 1e-12 ? 0.0 : x); }
std::string list(const Vector3& v) { return fmt::format("[{}, {}, {}]", number(v.x()), number(v.y()), number(v.z())); }
std::string list(const std::vector<double>& v) {
  std::vector<std::string> texts;
  for (const double x : v) texts.push_back(number(x));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
std::string orientation(const Matrix3& R) {
  const Quaternion q = to_quaternion(R);
  return fmt::format("{{quaternion: {}}}", list(std::vector<double>{q.w, q.x, q.y, q.z}));
}
bool is_zero(const std::vector<double>& v) {
  return std::ranges::all_of(v, [](double x) { return std::abs(x) < 1e-12; });
}
/// "+ 1.571", "- 0.2", or nothing.
std::string plus(double x) {
  if (std::abs(x) < 1e-9) return {};
  return fmt::format(" {} {}", x < 0 ? '-' : '+', number(std::abs(x)));
}

class Writer {
 public:
  Writer(const Deck& deck, std::string file) : deck_(deck), file_(std::move(file)) {}

  ModelText write() {
    for (std::size_t k = 0; k < deck_.joints.size(); ++k) joints_.push_back(model_joint(deck_, k));
    line(
        "# The model of the DASC deck {}, made by gyrostat import. Bodies, joints, curves and springs have the numbers "
        "of the",
        file_);
    line("# deck; SI units throughout.");
    line("gyrostat: 1");
    line("name: {}", quoted(file_));
    add_tables();
    add_bodies();
    add_joints();
    add_control();
    add_loads();
    add_settings();
    return std::move(result_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    result_.text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  template <class... Args>
  void note(fmt::format_string<Args...> format, Args&&... args) {
    result_.notes.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  static std::string quoted(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 32 ? '_' : c;
    return '"' + safe + '"';
  }
  static std::string body(int number) { return number == 0 ? "world" : fmt::format("body{}", number); }
  [[nodiscard]] std::string body_of(int number) const { return body(model_body(deck_, number)); }

  void add_tables() {
    if (deck_.curves.empty()) return;
    line("tables:  # outside of its range a curve stops the run, as in DASC");
    for (std::size_t k = 0; k < deck_.curves.size(); ++k) {
      line("  curve{}: {{x: {}, y: {}}}", k + 1, list(deck_.curves[k].x), list(deck_.curves[k].y));
    }
  }

  void add_bodies() {
    line("bodies:  # frames at the mass centres, along the principal axes");
    for (std::size_t k = 0; k < deck_.bodies.size(); ++k) {
      const Body& b = deck_.bodies[k];
      Vector3 sorted = b.inertia;
      std::sort(sorted.data(), sorted.data() + 3);
      const bool physical = sorted[2] <= sorted[0] + sorted[1];
      line("  body{}: {{mass: {}, inertia: {}{}}}", k + 1, number(b.mass), list(b.inertia),
           physical ? "" : ", accept_unphysical: true");
      if (!physical)
        note(
            "body {}: no body has these moments of inertia, as one is larger than the sum of the others; taken as they "
            "are",
            k + 1);
    }
  }

  void add_joints() {
    line("joints:");
    for (const ModelJoint& joint : base_joints(deck_)) {
      if (joint.type == "weld") {
        line("  {}: {{type: weld, parent: world, child: {}, parent_point: {}, orientation: {}}}", joint.name,
             body(joint.child), list(joint.position), orientation(joint.orientation));
      } else {
        line("  {}: {{type: free, parent: world, child: {},", joint.name, body(joint.child));
        line("    initial: {{position: {}, orientation: {}{}{}}}}}", list(joint.position),
             orientation(joint.orientation), joint.velocity.isZero(0) ? "" : ", velocity: " + list(joint.velocity),
             joint.omega.isZero(0) ? "" : ", omega: " + list(joint.omega));
      }
    }
    double size = 0;
    for (const Body& b : deck_.bodies) size = std::max(size, (b.position - deck_.bodies[0].position).norm());
    for (const ModelJoint& joint : joints_) {
      add_joint(joint);
      if (joint.gap > 1e-3 * std::max(size, 1e-9))
        note("{}: the two joint points are {} m apart at the start; bodies further out are moved to close the gap",
             joint.name, number(joint.gap));
      if (joint.lean > 1e-3)
        note("{}: the two axes are {} rad away from where they belong at the start; that of body I is taken",
             joint.name, number(joint.lean));
      if (!joint.acceleration.empty())
        note(
            "{}: DASC's gear is a hinge across the arms of both bodies whose angular acceleration is given; it is "
            "written so",
            joint.name);
    }
  }

  void add_joint(const ModelJoint& j) {
    line("  {}: {{type: {}, parent: {}, child: {}, parent_point: {}, child_point: {},", j.name, j.type, body(j.parent),
         body(j.child), list(j.parent_point), list(j.child_point));
    if (j.type == "spherical") {
      line("    initial: {{orientation: {}{}}}}}", orientation(j.orientation),
           j.omega.isZero(0) ? "" : ", omega: " + list(j.omega));
      return;
    }
    const bool one = j.axes.size() == 1, turned = !j.orientation.isIdentity(1e-9), slides = j.type == "prismatic";
    std::string text =
        one ? "axis: " + list(j.axes[0]) : fmt::format("axes: [{}, {}]", list(j.axes[0]), list(j.axes[1]));
    if (turned) text += ", orientation: " + orientation(j.orientation);
    if (!j.acceleration.empty()) text += fmt::format(", prescribed: {{acceleration: \"{}\"}}", j.acceleration);
    const auto values = [&](std::string_view name, const std::vector<double>& x) {
      return one ? fmt::format("{}: {}", name, number(x[0])) : fmt::format("{}s: {}", name, list(x));
    };
    text += ", initial: {" + values(slides ? "displacement" : "angle", j.coordinates);
    if (!is_zero(j.speeds)) text += ", " + values(slides ? "speed" : "rate", j.speeds);
    line("    {}}}}}", text);
  }

  // --- control ----------------------------------------------------------------------------------------------------

  /// An angle of the side its target is on, as the thesis defines it after Eq. 4.14.
  static std::string folded(const std::string& angle, double target) {
    return target >= 0 ? fmt::format("({0} < 0 ? {0} + 2*pi : {0})", angle)
                       : fmt::format("({0} >= 0 ? {0} - 2*pi : {0})", angle);
  }

  void add_control() {
    if (!deck_.control) return;
    const Control& c = *deck_.control;
    const std::size_t n = c.independent.size();
    line("signals:");
    line("  # What bodies have turned by about their x axes, and how far they are from their targets");
    for (const auto& one : c.independent) {
      line("  turned{}: {{integral: {}.omega_x}}", one.system, body_of(one.body));
      line("  error{}: \"{}{}\"", one.system, folded(fmt::format("turned{}", one.system), one.target),
           plus(-one.target));
    }
    std::vector<std::string> weighted, sizes;
    for (const auto& one : c.independent) {
      weighted.push_back(fmt::format("\"{}*error{}\"", number(one.weight), one.system));
      sizes.push_back(fmt::format("abs({}*error{})", number(one.weight), one.system));
    }
    line("  # The performance index; below {} stage 2 begins", number(c.switch_index));
    line("  index: \"{}\"", fmt::join(sizes, " + "));
    line("  stage2: {{latch: {{set: \"index <= {}\"}}}}", number(c.switch_index));
    line("  # Stage 1 (Eq. 4.13): full torque against the largest error, feedback with limits against the others");
    if (n > 1) line("  worst: {{largest: {{inputs: [{}]}}}}", fmt::join(weighted, ", "));
    for (std::size_t k = 0; k < n; ++k) add_law(c.independent[k], k + 1, n > 1);
    line("  # Stage 2 (Eq. 4.14): feedback of body {}; the other actuators keep what they had", c.adjusted_body);
    add_steering(c);
    add_actuators(c);
    add_stiffnesses();
    note(
        "control: the actuator of the largest error acts against it, as Eq. 4.13 has it; the listing of DASC has the "
        "opposite sign");
    note(
        "control: each law feeds back the rate of its own body (Eq. 4.13); the listing takes that of the largest "
        "error");
    note("control: stage 2 lasts once it has begun; DASC goes back to the laws of stage 1 where the index rises again");
    if (c.final_index > 0)
      note("control: the run goes on to its end; DASC stops where the index is below {}", number(c.final_index));
  }

  void add_law(const Control::Independent& one, std::size_t place, bool several) {
    const std::string s = fmt::format("{}", one.system);
    line("  law{}: {{saturate: {{input: \"-{}*error{} - {}*{}.omega_x\", low: {}, high: {}}}}}", s,
         number(one.stiffness), s, number(one.damping), body_of(one.body), number(-one.limit), number(one.limit));
    const std::string full = fmt::format("-{}*sign(error{})", number(one.amplitude), s);
    const std::string input = several ? fmt::format("worst == {} ? {} : law{}", place, full, s) : full;
    line("  first{}: {{hold: {{input: \"{}\", when: stage2}}}}", s, input);
  }

  void add_steering(const Control& c) {
    const auto adjusted =
        std::ranges::find_if(c.independent, [&](const auto& one) { return one.system == c.adjusted_system; });
    const std::string b = body_of(c.adjusted_body);
    for (const auto& [axis, target] : {std::pair{'x', c.target_x}, {'y', c.target_y}}) {
      line("  adjusted_{}: {{integral: {}.omega_{}}}", axis, b, axis);
      line("  fine_{}: {{saturate: {{input: \"-{}*({}{}) - {}*{}.omega_{}\", low: {}, high: {}}}}}", axis,
           number(adjusted->stiffness), folded(fmt::format("adjusted_{}", axis), target), plus(-target),
           number(adjusted->damping), b, axis, number(-c.limit), number(c.limit));
    }
  }

  /// What each actuator exerts on body I of its system, through both stages.
  void add_actuators(const Control& c) {
    line("  # Actuators, positive on body I of their system");
    for (std::size_t k = 0; k < deck_.sdas.size(); ++k) {
      const int system = static_cast<int>(k) + 1;
      std::string first;
      for (const auto& one : c.independent) {
        if (one.system == system) first = fmt::format("first{}", system);
      }
      for (const auto& one : c.dependent) {
        if (one.system == system) first = fmt::format("{}*first{}", number(one.ratio), one.related);
      }
      const bool x = c.steering_x == system, y = c.steering_y == system;
      if (first.empty() && !x && !y) continue;
      if (deck_.sdas[k].curves[2] != 0) {
        note("spring-damper-actuator {}: its actuator is a curve, which the control does not reach in DASC either",
             system);
        continue;
      }
      if (first.empty()) first = number(deck_.sdas[k].actuator);
      controlled_[system] = fmt::format("actuator{}", system);
      line("  actuator{}: \"{}\"", system,
           x || y ? fmt::format("stage2 > 0 ? fine_{} : {}", x ? 'x' : 'y', first) : first);
    }
  }

  /// In stage 2 the curves of all but the first spring-damper-actuator are replaced by the constants beside them.
  void add_stiffnesses() {
    bool headed = false;
    for (std::size_t k = 1; k < deck_.sdas.size(); ++k) {
      const Sda& sda = deck_.sdas[k];
      if (sda.curves[0] == 0 && sda.curves[1] == 0) continue;
      const std::string x = sda.rotational ? deflection(sda) : "";
      if (x.empty()) {
        note(
            "spring-damper-actuator {}: it keeps its curves in stage 2, as its deflection has no name in the model; "
            "DASC "
            "changes to constants",
            k + 1);
        continue;
      }
      if (!headed) line("  # Stiffness and damping: curves in stage 1, constants in stage 2");
      headed = true;
      const auto add = [&](char letter, int curve, double constant) {
        if (curve <= 0) return;
        const std::string name = fmt::format("{}{}", letter, k + 1);
        line("  {}: \"stage2 > 0 ? {} : table(curve{}, {})\"", name, number(constant), curve, x);
        coefficients_[name] = name;
      };
      add('k', sda.curves[0], sda.stiffness);
      add('d', sda.curves[1], sda.damping);
    }
  }

  /// The deflection of a rotational spring by the angle of its joint; empty if it is not about an axis of it.
  [[nodiscard]] std::string deflection(const Sda& sda) const {
    const ModelJoint& j = joints_[static_cast<std::size_t>(sda.joint) - 1];
    if (j.type != "revolute" && j.type != "universal") return {};
    const Joint& of = deck_.joints[static_cast<std::size_t>(sda.joint) - 1];
    if (of.i != sda.i || of.j != sda.j || !j.orientation.isIdentity(1e-9)) return {};
    const Vector3 line_i = sda.point_i - of.p_i, line_j = sda.point_j - of.p_j;
    for (std::size_t k = 0; k < j.axes.size(); ++k) {
      const Vector3 axis = (k == 0 ? sda.axis_i : Vector3(-sda.axis_j)).normalized();
      const bool same = axis.isApprox(j.axes[k], 1e-6), opposite = axis.isApprox(-j.axes[k], 1e-6);
      if ((!same && !opposite) || !line_i.normalized().isApprox(line_j.normalized(), 1e-6)) continue;
      if (std::abs(line_i.dot(axis)) > 1e-6 * line_i.norm()) continue;
      return fmt::format("{}{}.angle{}{}", same ? "" : "-", j.name, j.axes.size() == 1 ? "" : fmt::format("{}", k + 1),
                         plus(-sda.rest));
    }
    return {};
  }

  // --- loads ------------------------------------------------------------------------------------------------------

  void add_loads() {
    if (deck_.forces.empty() && deck_.sdas.empty()) return;
    line("loads:");
    for (const Force& force : deck_.forces) add_force(force);
    for (std::size_t k = 0; k < deck_.sdas.size(); ++k) {
      line("  # spring-damper-actuator {}", k + 1);
      if (deck_.sdas[k].rotational) {
        add_rotational(deck_.sdas[k], k + 1);
      } else {
        add_translational(deck_.sdas[k], k + 1);
      }
    }
  }

  void add_force(const Force& force) {
    if (deck_.is_ground(force.body)) return note("a force on a ground moves nothing; it is left out");
    const std::string size = of_time(deck_, force.curve, force.magnitude);
    std::vector<std::string> components;
    for (const double x : force.direction) {
      components.push_back(x == 0 ? "0" : fmt::format("\"{}*{}\"", number(x), size));
    }
    line("  - {{body: {}, {}: [{}], axes: {}{}}}", body_of(force.body), force.moment ? "torque" : "force",
         fmt::join(components, ", "), force.local ? "body" : "world",
         force.off_centre && !force.moment ? ", point: " + list(force.point) : "");
  }

  /// " stiffness: ..": a signal of the control, a curve of the deflection, or the constant.
  std::string coefficient(const Sda& sda, std::size_t k, std::size_t which) {
    const std::string_view name = which == 0 ? "stiffness" : "damping";
    const double constant = which == 0 ? sda.stiffness : sda.damping;
    if (const auto found = coefficients_.find(fmt::format("{}{}", which == 0 ? 'k' : 'd', k));
        found != coefficients_.end())
      return fmt::format(", {}: {}", name, found->second);
    const int curve = sda.curves.at(which);
    if (curve < 0) {
      note(
          "spring-damper-actuator {}: its {} is a {} of the deflection, for which the model has no form; the constant "
          "is "
          "taken",
          k, name, curve == -1 ? "sine" : "cosine");
    }
    if (curve > 0) return fmt::format(", {}: {{table: curve{}}}", name, curve);
    return constant == 0 ? "" : fmt::format(", {}: {}", name, number(constant));
  }

  /// The actuator on body I; empty if there is none.
  std::string actuator(const Sda& sda, std::size_t k) const {
    if (const auto found = controlled_.find(static_cast<int>(k)); found != controlled_.end()) return found->second;
    if (sda.curves[2] == 0 && sda.actuator == 0) return {};
    return of_time(deck_, sda.curves[2], sda.actuator);
  }

  void add_translational(const Sda& sda, std::size_t k) {
    const std::string force = actuator(sda, k);
    const std::string stiffness = coefficient(sda, k, 0), damping = coefficient(sda, k, 1);
    line("  - {{spring: {{from: [{}, {}], to: [{}, {}], length: {}{}{}{}}}}}", body_of(sda.i), list(sda.point_i),
         body_of(sda.j), list(sda.point_j), number(sda.rest), stiffness, damping,
         force.empty() ? "" : fmt::format(", force: \"{}\"", force));
  }

  /// About an axis of the joint that is fixed in one of the bodies: the moments of DASC, along axes of their own in
  /// either body, need not be opposite.
  void add_rotational(const Sda& sda, std::size_t k) {
    const Joint& at = deck_.joints[static_cast<std::size_t>(sda.joint) - 1];
    const bool in_order = sda.i == at.i;  // DASC finds the joint point by the body
    const Vector3 &p_i = in_order ? at.p_i : at.p_j, &p_j = in_order ? at.p_j : at.p_i;
    const Vector3 line_i = sda.point_i - p_i, line_j = sda.point_j - p_j;
    const auto along = [](const Vector3& a, const Vector3& b) {
      return a.cross(b).norm() < 1e-6 * a.norm() * b.norm();
    };
    const bool universal = at.kind == JointKind::universal;
    const bool in_i = !universal || along(sda.axis_i, (in_order ? at.q_i : at.q_j) - p_i);
    const bool in_j = universal && along(sda.axis_j, (in_order ? at.q_j : at.q_i) - p_j);
    const bool swapped = !in_i && in_j;
    if (universal || !deck_parallel(sda)) {
      note(
          "spring-damper-actuator {}: its moments act about one axis, fixed in body {}, and are opposite; DASC has an "
          "axis "
          "in each body, and where these differ the angular momentum changes",
          k, swapped ? sda.j : sda.i);
    }
    const std::string motor = actuator(sda, k);
    const std::string stiffness = coefficient(sda, k, 0), damping = coefficient(sda, k, 1);
    line("  - {{torsion_spring: {{from: {}, to: {}, axis: {}, from_line: {}, to_line: {}, rest: {}{}{}{}}}}}",
         body_of(swapped ? sda.j : sda.i), body_of(swapped ? sda.i : sda.j), list(swapped ? sda.axis_j : sda.axis_i),
         list(swapped ? line_j : line_i), list(swapped ? line_i : line_j), number(sda.rest), stiffness, damping,
         motor.empty() ? "" : fmt::format(", torque: \"-({})\"", motor));
  }

  /// Are the axes of the moments opposite at the start?
  [[nodiscard]] bool deck_parallel(const Sda& sda) const {
    const auto in_world = [&](int number, const Vector3& v) {
      return model_body(deck_, number) == 0 ? v : Vector3(deck_.bodies[static_cast<std::size_t>(number) - 1].R_NB * v);
    };
    return in_world(sda.i, sda.axis_i).normalized().isApprox(-in_world(sda.j, sda.axis_j).normalized(), 1e-4);
  }

  void add_settings() {
    if (deck_.gravity_ratio != 0)
      line("environment: {{gravity: {{uniform: [0, 0, {}]}}}}", number(-9.8066 * deck_.gravity_ratio));
    line("simulation:  # DASC: Runge-Kutta of fourth order with steps of {} s", number(deck_.step));
    line("  duration: {}", number(deck_.t_end - deck_.t0));
    line("  integrator: {{method: dopri5, tolerance: 1e-10}}");
    line("output: {{interval: {}}}", number(deck_.step * deck_.steps_per_report));
  }

  const Deck& deck_;
  std::string file_;
  std::vector<ModelJoint> joints_;
  std::map<int, std::string> controlled_;            // signals of actuators, by system
  std::map<std::string, std::string> coefficients_;  // signals of stiffness and damping, "k5"
  ModelText result_;
};

}  // namespace

ModelText model_text(const Deck& deck, const std::string& deck_file) { return Writer(deck, deck_file).write(); }

}  // namespace gyrostat::dasc
