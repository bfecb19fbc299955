#include "state_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

namespace gyrostat::app {

namespace {

using nlohmann::json;

constexpr double largest_number = 1e30;  // as in model files

/// What is wrong, with the path of the entry.
struct Wrong {
  std::string message;
};

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Wrong{path.empty() ? what : path + ": " + what};
}

std::string listed(const std::vector<std::string_view>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// An object with no other fields than those named.
void expect_fields(const json& object, const std::string& path, const std::vector<std::string_view>& names) {
  if (!object.is_object()) refuse(path, "an object is expected");
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(names, key) == names.end()) {
      refuse(path.empty() ? key : fmt::format("{}.{}", path, key),
             "is not a field here; the fields are " + listed(names));
    }
  }
}

double number(const json& value, const std::string& path) {
  if (!value.is_number()) refuse(path, "a number is expected");
  const double x = value.get<double>();
  if (!(std::abs(x) <= largest_number)) refuse(path, fmt::format("numbers are at most {:g}", largest_number));
  return x;
}

/// `count` numbers; a number by itself where one is expected.
void read_numbers(const json& object, const char* field, const std::string& path, std::size_t count, double* target) {
  const auto found = object.find(field);
  if (found == object.end()) return;
  const std::string here = path + "." + field;
  if (count == 1 && found->is_number()) {
    *target = number(*found, here);
    return;
  }
  if (!found->is_array() || found->size() != count) {
    refuse(here, count == 1 ? "a number is expected" : fmt::format("a list of {} numbers is expected", count));
  }
  for (std::size_t k = 0; k < count; ++k) target[k] = number((*found)[k], fmt::format("{}[{}]", here, k));
}

void read_quaternion(const json& object, const char* field, const std::string& path, double* target) {
  if (!object.contains(field)) return;
  std::array<double, 4> q{};
  read_numbers(object, field, path, 4, q.data());
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (std::abs(length - 1) > 1e-6) {
    refuse(path + "." + field, fmt::format("the quaternion [w, x, y, z] has length {:.9g} and not 1", length));
  }
  for (std::size_t k = 0; k < 4; ++k) target[k] = q[k] / length;
}

void read_joint(const json& entry, const Joint& joint, const std::string& path, State& state) {
  double* q = state.q.data() + joint.q;
  double* u = state.u.data() + joint.u;
  if (joint.type == JointType::free) {
    expect_fields(entry, path, {"orientation", "omega", "position", "velocity"});
    read_numbers(entry, "position", path, 3, q);
    read_quaternion(entry, "orientation", path, q + 3);
    read_numbers(entry, "omega", path, 3, u);
    read_numbers(entry, "velocity", path, 3, u + 3);
  } else if (joint.type == JointType::spherical) {
    expect_fields(entry, path, {"position", "speed", "orientation", "omega"});
    read_quaternion(entry, "position", path, q);
    read_quaternion(entry, "orientation", path, q);
    read_numbers(entry, "speed", path, 3, u);
    read_numbers(entry, "omega", path, 3, u);
  } else {
    expect_fields(entry, path, {"position", "speed"});
    read_numbers(entry, "position", path, joint.nq, q);
    read_numbers(entry, "speed", path, joint.nu, u);
  }
  if (joint.motion != Motion::locked) return;
  for (std::size_t k = 0; k < joint.nu; ++k) {
    if (u[k] != 0) refuse(path, "the joint is locked and cannot have a speed");
  }
}

template <class Map>
auto find_or_refuse(const Map& map, const std::string& name, const std::string& path, const char* what) {
  if (const auto found = map.find(name); found != map.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, value] : map) names.push_back(key);
  refuse(path, fmt::format("there is no {} '{}'{}", what, name, did_you_mean(name, names)));
}

/// Is the position of a joint, or the speed of a wheel, given by the model as a function of time?
bool given_by_time(const Model& model, const std::string& joint) {
  const auto found = std::ranges::find(model.description.joints, joint, &JointDescription::name);
  return found != model.description.joints.end() && found->prescribed.kind == Prescribed::Kind::position;
}

void read_into(const json& file, const Model& model, State& state) {
  const System& system = model.system;
  expect_fields(file, "", {results::state_mark, "joints", "wheels"});
  std::unordered_map<std::string, const Joint*> joints;
  for (std::size_t i = 1; i < system.joints.size(); ++i) joints[system.joints[i].name] = &system.joints[i];
  std::unordered_map<std::string, const Wheel*> wheels;
  for (const Wheel& wheel : system.wheels) wheels[system.bodies[wheel.body].name + "." + wheel.name] = &wheel;

  const json none = json::object();
  const json& given_joints = file.contains("joints") ? file["joints"] : none;
  const json& given_wheels = file.contains("wheels") ? file["wheels"] : none;
  if (!given_joints.is_object()) refuse("joints", "an object is expected");
  if (!given_wheels.is_object()) refuse("wheels", "an object is expected");
  for (const auto& [name, entry] : given_joints.items()) {
    const std::string path = "joints." + name;
    if (given_by_time(model, name)) refuse(path, "the model prescribes its position; the file cannot give another");
    read_joint(entry, *find_or_refuse(joints, name, path, "joint"), path, state);
  }
  for (const auto& [name, entry] : given_wheels.items()) {
    const std::string path = "wheels." + name;
    const Wheel* wheel = find_or_refuse(wheels, name, path, "wheel");
    expect_fields(entry, path, {"rate", "angle"});
    if (wheel->speed_prescribed && entry.contains("rate")) {
      refuse(path + ".rate", "the model prescribes its speed; the file cannot give another");
    }
    read_numbers(entry, "rate", path, 1, state.u.data() + wheel->u);
    read_numbers(entry, "angle", path, 1, state.q.data() + wheel->q);
  }
}

nlohmann::ordered_json numbers(const double* first, std::size_t count) {
  if (count == 1) return *first;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < count; ++k) list.push_back(first[k]);
  return list;
}

}  // namespace

void write_state(const std::string& path, const Model& model, const State& state) {
  using Ordered = nlohmann::ordered_json;
  const System& system = model.system;
  Ordered joints = Ordered::object(), wheels = Ordered::object();
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.nu == 0 || given_by_time(model, joint.name)) continue;
    const double *q = state.q.data() + joint.q, *u = state.u.data() + joint.u;
    if (joint.type == JointType::free) {
      joints[joint.name] = {{"position", numbers(q, 3)},
                            {"orientation", numbers(q + 3, 4)},
                            {"omega", numbers(u, 3)},
                            {"velocity", numbers(u + 3, 3)}};
    } else if (joint.type == JointType::spherical) {
      joints[joint.name] = {{"orientation", numbers(q, 4)}, {"omega", numbers(u, 3)}};
    } else {
      joints[joint.name] = {{"position", numbers(q, joint.nq)}, {"speed", numbers(u, joint.nu)}};
    }
  }
  for (const Wheel& wheel : system.wheels) {
    Ordered entry = {{"angle", state.q[wheel.q]}};
    if (!wheel.speed_prescribed) entry["rate"] = state.u[wheel.u];
    wheels[system.bodies[wheel.body].name + "." + wheel.name] = std::move(entry);
  }
  const Ordered file = {{results::state_mark, 1}, {"joints", std::move(joints)}, {"wheels", std::move(wheels)}};
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << file.dump(2) << "\n";
  stream.close();
  if (!stream) throw results::WriteError(path + ": cannot be written");
}

std::variant<State, std::string> read_state(const std::string& path, const Model& model) {
  if (std::filesystem::is_directory(path)) return "is a directory";
  std::ifstream stream(path);
  if (!stream) return "the file cannot be read";
  std::stringstream text;
  text << stream.rdbuf();
  State state = model.system.initial;
  try {
    read_into(json::parse(text.str()), model, state);
  } catch (const json::exception& error) {
    const std::string_view what =
        error.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    return std::string(what.substr(std::min(what.size(), what.find("] ") + 2)));
  } catch (const Wrong& wrong) {
    return wrong.message;
  }
  return state;
}

}  // namespace gyrostat::app
