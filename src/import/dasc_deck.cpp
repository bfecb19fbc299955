#include "gyrostat/import/dasc_deck.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/import/records.h"

namespace gyrostat::dasc {

bool Deck::is_ground(int body) const {
  if (grounds.empty()) return body == static_cast<int>(bodies.size()) + 1;
  return std::ranges::find(grounds, body) != grounds.end();
}

namespace {

constexpr int most = 10000;  // of anything that is counted

class Reader {
 public:
  Reader(const Source& source, Problems& problems) : problems_(problems), records_(source, problems) {}

  std::optional<Deck> read() {
    const std::map<std::string_view, std::function<void()>> sections = {
        {"SYS", [this] { read_system(); }},  {"BOD", [this] { read_bodies(); }},
        {"JOI", [this] { read_joints(); }},  {"FOR", [this] { read_forces(); }},
        {"SDA", [this] { read_sdas(); }},    {"CUR", [this] { read_curves(); }},
        {"CON", [this] { read_control(); }}, {"END", [] {}}};
    std::string_view section;
    do {
      section = records_.next_section();
      if (section.empty()) {
        problems_.error("", seen_.empty() ? "no section of a DASC deck is in it (SYSTEM, BODY, JOINT, ...)"
                                          : "the deck ends without END: is all of it there?");
        break;
      }
      read_section(section, sections.at(section));
      if (seen_.front() != "SYS" || is_bad("SYS")) break;  // the rest has no meaning without it
    } while (section != "END");
    if (problems_.errors() == 0) check();
    if (problems_.errors() > 0) return std::nullopt;
    return std::move(deck_);
  }

 private:
  [[nodiscard]] bool is_bad(std::string_view section) const { return std::ranges::find(bad_, section) != bad_.end(); }

  void read_section(std::string_view name, const std::function<void()>& read) {
    const bool again = std::ranges::find(seen_, name) != seen_.end();
    if (again) problems_.error(std::string(name), "the section is there twice", records_.place());
    if (name != "SYS" && name != "END" && seen_.empty()) {
      problems_.error(std::string(name), "the section SYSTEM, with the numbers of bodies and joints, must come first",
                      records_.place());
    }
    seen_.emplace_back(name);
    if (again || seen_.front() != "SYS" || (name == "FOR" && is_bad("JOI")) || (name == "CON" && is_bad("SDA"))) {
      return records_.pass_over();
    }
    try {
      read();
    } catch (const BadRecord&) {  // reported; sections that do not need this one are read all the same
      bad_.emplace_back(name);
    }
  }

  int counted(double value, std::string_view what, int least = 0) const {
    if (value < least || value > most)
      records_.fail(fmt::format("{} is {}; it must be {} to {}", what, value, least, most));
    return static_cast<int>(value);
  }

  void read_system() {
    const auto first = records_.read(6, 0, "bodies, joints, ratio of gravity, kind of angles, grounds, zero test");
    body_count_ = counted(first[0], "the number of bodies", 1);
    joint_count_ = counted(first[1], "the number of joints");
    deck_.gravity_ratio = first[2];
    angles_ = counted(first[3], "the kind of angles", 1);
    if (angles_ > 3) records_.fail("the kind of angles must be 1 (Euler), 2 (Bryant) or 3 (Euler parameters)");
    for (int k = counted(first[4], "the number of grounds"); k > 0; --k) {
      deck_.grounds.push_back(body_number(records_.read(1, 1, "a body that is a ground")[0], "the ground"));
    }
    const auto times = records_.read(4, 0, "start, end, step, steps for a report");
    deck_.t0 = times[0], deck_.t_end = times[1], deck_.step = times[2];
    deck_.steps_per_report = counted(times[3], "the number of steps for a report", 1);
    if (deck_.t_end <= deck_.t0) records_.fail("the end must be after the start");
    if (deck_.step <= 0) records_.fail("the step must be positive");
  }

  Matrix3 orientation(const std::vector<double>& n) const {
    if (angles_ == 3) {
      const Quaternion q{n[3], n[4], n[5], n[6]};
      if (std::abs(norm(q) - 1) > 1e-3) records_.fail("the Euler parameters must be of unit length");
      return to_rotation(normalised(q));
    }
    return *rotation_from_euler(angles_ == 1 ? "zxz" : "xyz", {n[3], n[4], n[5]});
  }

  void read_bodies() {
    for (int k = 1; k <= body_count_; ++k) {
      const auto what = [k](std::string_view of) { return fmt::format("{} of body {}", of, k); };
      const auto pose = records_.read(angles_ == 3 ? 7 : 6, what("position and angles"));
      Body body;
      body.place = records_.place();
      body.position = vector_at(pose, 0);
      body.R_NB = orientation(pose);
      const auto motion = records_.read(6, what("velocity and angular velocity"));
      body.velocity = vector_at(motion, 0), body.omega = vector_at(motion, 3);
      const auto mass = records_.read(4, what("mass and moments of inertia"));
      body.mass = mass[0], body.inertia = vector_at(mass, 1);
      if (!(body.mass > 0)) records_.fail(fmt::format("the mass of body {} must be positive", k));
      if ((body.inertia.array() < 0).any()) records_.fail(fmt::format("a moment of inertia of body {} is negative", k));
      deck_.bodies.push_back(body);
    }
  }

  void read_joints() {
    for (int k = 1; k <= joint_count_; ++k) {
      const auto what = [k](std::string_view of) { return fmt::format("{} of joint {}", of, k); };
      const auto head = records_.read(3, 3, what("bodies and type"));
      Joint joint;
      joint.place = records_.place();
      joint.i = body_number(head[0], "body I"), joint.j = body_number(head[1], "body J");
      if (joint.i == joint.j) records_.fail("a joint connects two different bodies");
      if (head[2] < 1 || head[2] > 5)
        records_.fail("the type must be 1 (translational), 2 (revolute), 3 (spherical), 4 (gear) or 5 (universal)");
      joint.kind = static_cast<JointKind>(static_cast<int>(head[2]));
      const auto points = records_.read(6, what("points P in I and J"));
      joint.p_i = vector_at(points, 0), joint.p_j = vector_at(points, 3);
      joint.q_i = joint.p_i, joint.q_j = joint.p_j;
      if (joint.kind != JointKind::spherical && joint.kind != JointKind::gear) {
        const auto second = records_.read(6, what("points Q in I and J"));
        joint.q_i = vector_at(second, 0), joint.q_j = vector_at(second, 3);
        if (joint.q_i == joint.p_i || joint.q_j == joint.p_j)
          records_.fail("P and Q are the same point: there is no axis");
      }
      if (joint.kind == JointKind::translational) records_.read(6, what("points R in I and J"));
      deck_.joints.push_back(joint);
    }
  }

  void read_forces() {
    const int count = counted(records_.read(1, 1, "the number of forces and moments")[0], "the number of forces");
    for (int k = 1; k <= count; ++k) {
      const auto head = records_.read(6, 5, fmt::format("body, kind, place, axes, curve and magnitude of force {}", k));
      Force force;
      force.place = records_.place();
      force.body = body_number(head[0], "the body");
      for (std::size_t n = 1; n < 4; ++n) {
        if (head[n] != 1 && head[n] != 2) records_.fail("kind, place and axes of a force are 1 or 2 each");
      }
      force.moment = head[1] == 2, force.off_centre = head[2] == 2, force.local = head[3] == 2;
      force.curve = static_cast<int>(head[4]), force.magnitude = head[5];
      const auto vectors = records_.read(6, fmt::format("point and direction of force {}", k));
      force.point = vector_at(vectors, 0), force.direction = vector_at(vectors, 3);
      deck_.forces.push_back(force);
    }
    for (Joint& joint : deck_.joints) {
      if (joint.kind != JointKind::gear) continue;
      const auto drive = records_.read(2, 1, "curve and acceleration of a gear joint");
      joint.drive_curve = static_cast<int>(drive[0]), joint.drive = drive[1];
    }
  }

  void read_sdas() {
    const int count = counted(records_.read(1, 1, "the number of spring-damper-actuators")[0], "their number");
    for (int k = 1; k <= count; ++k) {
      const auto what = [k](std::string_view of) { return fmt::format("{} of spring-damper-actuator {}", of, k); };
      const auto head = records_.read(11, 7, what("bodies, joint, type, curves, coefficients, actuator and rest"));
      Sda sda;
      sda.place = records_.place();
      sda.i = body_number(head[0], "body I"), sda.j = body_number(head[1], "body J");
      if (sda.i == sda.j) records_.fail("it acts between two different bodies");
      sda.joint = static_cast<int>(head[2]);
      if (head[3] != 1 && head[3] != 2) records_.fail("the type must be 1 (translational) or 2 (rotational)");
      sda.rotational = head[3] == 2;
      for (std::size_t n = 0; n < 3; ++n) sda.curves.at(n) = static_cast<int>(head[4 + n]);
      sda.stiffness = head[7], sda.damping = head[8], sda.actuator = head[9], sda.rest = head[10];
      const auto points = records_.read(6, what("points in I and J"));
      sda.point_i = vector_at(points, 0), sda.point_j = vector_at(points, 3);
      if (sda.rotational) {
        const auto axes = records_.read(6, what("axes of the moments on I and J"));
        sda.axis_i = vector_at(axes, 0), sda.axis_j = vector_at(axes, 3);
        if (sda.axis_i.isZero(0) || sda.axis_j.isZero(0)) records_.fail("the axis of a moment has no length");
      }
      deck_.sdas.push_back(sda);
    }
  }

  void read_curves() {
    const int count = counted(records_.read(1, 1, "the number of curves")[0], "the number of curves");
    for (int k = 1; k <= count; ++k) {
      const auto what = [k](std::string_view of) { return fmt::format("{} of curve {}", of, k); };
      Curve curve;
      const int points = counted(records_.read(1, 1, what("the number of points"))[0], "the number of points", 2);
      curve.place = records_.place();
      curve.x = records_.read(static_cast<std::size_t>(points), what("x"));
      for (std::size_t n = 1; n < curve.x.size(); ++n) {
        if (!(curve.x[n] > curve.x[n - 1])) records_.fail(fmt::format("x of curve {} must increase", k));
      }
      curve.y = records_.read(static_cast<std::size_t>(points), what("y"));
      deck_.curves.push_back(std::move(curve));
    }
  }

  void read_control() {
    Control control;
    control.place = records_.place();
    const auto counts = records_.read(2, 2, "the numbers of independent and dependent systems");
    const auto n = static_cast<std::size_t>(counted(counts[0], "the number of independent systems", 1));
    const auto m = static_cast<std::size_t>(counted(counts[1], "the number of dependent systems"));
    const auto index = records_.read(2, "performance index for the switch, and the desired one");
    control.switch_index = index[0], control.final_index = index[1];
    const auto systems = records_.read(2 * n, 2 * n, "independent systems, then their bodies");
    control.independent.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      control.independent[k].system = system_number(systems[k]);
      control.independent[k].body = body_number(systems[n + k], "the body");
    }
    const auto weights = records_.read(n, "weights of the errors");
    const auto targets = records_.read(n, "desired angles");
    for (std::size_t k = 0; k < n; ++k) {
      Control::Independent& one = control.independent[k];
      one.weight = weights[k], one.target = targets[k];
      const auto law =
          records_.read(4, fmt::format("stiffness, damping, amplitude and limit of system {}", one.system));
      one.stiffness = law[0], one.damping = law[1], one.amplitude = law[2], one.limit = law[3];
      if (!(one.limit > 0)) records_.fail(fmt::format("the limit of system {} must be positive", one.system));
    }
    if (m > 0) {
      const auto dependent = records_.read(2 * m, 2 * m, "dependent systems, then the independent one of each");
      const auto ratios = records_.read(m, "ratios of the dependent moments");
      for (std::size_t k = 0; k < m; ++k) {
        control.dependent.push_back({system_number(dependent[k]), static_cast<int>(dependent[m + k]), ratios[k]});
      }
    }
    const auto second = records_.read(7, 4, "adjusted system and body, steering systems, targets and limit of stage 2");
    control.adjusted_system = static_cast<int>(second[0]);
    control.adjusted_body = body_number(second[1], "the adjusted body");
    control.steering_x = system_number(second[2]), control.steering_y = system_number(second[3]);
    control.target_x = second[4], control.target_y = second[5], control.limit = second[6];
    if (!(control.limit > 0)) records_.fail("the limit of stage 2 must be positive");
    deck_.control = std::move(control);
  }

  int body_number(double value, std::string_view what) const {
    const int last = body_count_ + (deck_.grounds.empty() ? 1 : 0);
    if (value < 1 || value > last)
      records_.fail(fmt::format("{} is {}; bodies are numbered 1 to {}", what, value, body_count_));
    return static_cast<int>(value);
  }
  int system_number(double value) const {
    if (value < 1 || value > static_cast<double>(deck_.sdas.size())) {
      records_.fail(fmt::format("system {}: there are {} spring-damper-actuators, and SDA must come before CONTROL",
                                value, deck_.sdas.size()));
    }
    return static_cast<int>(value);
  }

  void check_curve(int curve, Place place, const std::string& path) {
    if (curve > static_cast<int>(deck_.curves.size()))
      problems_.error(path, fmt::format("curve {}: there are {}", curve, deck_.curves.size()), place);
    if (curve < -2)
      problems_.error(path, fmt::format("curve {}: DASC has the functions -1 (sine) and -2 (cosine)", curve), place);
  }

  /// What sections say of each other.
  void check() {
    if (deck_.bodies.empty()) problems_.error("BODY", "the section is missing");
    if (joint_count_ > 0 && deck_.joints.empty()) problems_.error("JOINT", "the section is missing");
    for (const Joint& joint : deck_.joints) check_curve(joint.drive_curve, joint.place, "JOINT");
    for (const Force& force : deck_.forces) {
      check_curve(force.curve, force.place, "FORCE");
      if (force.direction.isZero(0)) problems_.error("FORCE", "the direction has no length", force.place);
    }
    for (const Sda& sda : deck_.sdas) {
      for (const int curve : sda.curves) check_curve(curve, sda.place, "SDA");
      if (!sda.rotational) continue;
      if (sda.joint < 1 || sda.joint > static_cast<int>(deck_.joints.size())) {
        problems_.error(
            "SDA",
            fmt::format("joint {}: there are {}; a rotational one is at a joint", sda.joint, deck_.joints.size()),
            sda.place);
        continue;
      }
      const Joint& joint = deck_.joints[static_cast<std::size_t>(sda.joint) - 1];
      if (std::minmax(sda.i, sda.j) != std::minmax(joint.i, joint.j))
        problems_.error("SDA", fmt::format("joint {} does not connect its bodies", sda.joint), sda.place);
    }
    if (!deck_.control) return;
    const auto is_independent = [&](int system) {
      return std::ranges::any_of(deck_.control->independent, [&](const auto& one) { return one.system == system; });
    };
    for (const Control::Dependent& one : deck_.control->dependent) {
      if (!is_independent(one.related))
        problems_.error("CONTROL",
                        fmt::format("system {} depends on {}, which is not independent", one.system, one.related),
                        deck_.control->place);
    }
    if (!is_independent(deck_.control->adjusted_system))
      problems_.error("CONTROL",
                      fmt::format("the adjusted system {} is not independent: it has no law to take",
                                  deck_.control->adjusted_system),
                      deck_.control->place);
  }

  Problems& problems_;
  Records records_;
  Deck deck_;
  std::vector<std::string> seen_, bad_;  // sections
  int body_count_ = 0, joint_count_ = 0, angles_ = 2;
};

}  // namespace

std::optional<Deck> read_deck(const Source& source, Problems& problems) { return Reader(source, problems).read(); }

}  // namespace gyrostat::dasc
