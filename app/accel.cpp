#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/dynamics/singularity.h"
#include "gyrostat/plant/run.h"

#include "output.h"
#include "state_file.h"

namespace gyrostat::app {

namespace {

/// The system at the instant asked for.
struct Scene {
  State state;
  Forces<double> forces;
  Conserved<double> conserved;
  double potential = 0;
  Violation violation;  // of the constraints
};

/// One formulation's answer.
struct Answer {
  std::string formulation;
  Eigen::VectorXd udot;
  std::vector<Reaction> reactions;
  std::vector<double> driving;
  std::vector<Reaction> cut_reactions;  // by constraint that is a joint, in their order
  IndeterminateForces open;
  Multipliers multipliers;               // by row
  std::vector<std::uint32_t> appendage;  // of linear_partial
};

/// Plugins are not called: their outputs are zero.
Scene set_scene(const Model& model, const State& state) {
  const Plant plant(model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start_as_given(y, state);
  // friction by reaction is among the forces once accelerations are known
  const Violation violation = run.violation(0, y.data());
  run.evaluate(0, y.data(), plant.signals().forces.by_reaction.empty() ? Stage::forces : Stage::acceleration);
  return {run.state(), run.forces(), run.conserved(), run.potential_energy(), violation};
}

Answer ask(const Model& model, const DynamicsSettings& settings, const Scene& scene, std::string_view formulation) {
  Dynamics dynamics(model.system, settings, formulation);
  dynamics.update(scene.state);
  Answer answer;
  answer.formulation = formulation;
  dynamics.accelerations(scene.state, scene.forces, answer.udot);
  Reactions reactions(dynamics.mechanism());
  Forces<double> acting = scene.forces;
  if (!dynamics.closures().empty()) {
    Dynamics recursion(model.system, settings);  // for formulations with constraints of their own
    const bool own = dynamics.closures().plan == nullptr;
    if (own) {
      Eigen::VectorXd udot;
      recursion.update(scene.state);
      recursion.accelerations(scene.state, scene.forces, udot);
    }
    const Dynamics& with = own ? recursion : dynamics;
    answer.multipliers = unique_or_least(with.mechanism(), with.kinematics(), scene.forces.free, with.closures());
    answer.open = find_indeterminate(with.mechanism(), with.constraints(), with.kinematics(), scene.state.q.data(),
                                     scene.forces.free, with.closures());
    add_forces(with.closures(), answer.multipliers.values, acting);
    for (const auto& cut : std::get<std::vector<CutJointConstraint<double>>>(with.constraints().kinds)) {
      answer.cut_reactions.push_back(
          reaction_of(cut, with.mechanism(), with.kinematics(), with.closures(), answer.multipliers.values));
    }
  }
  find_reactions(dynamics.mechanism(), scene.state.q.data(), scene.state.u.data(), answer.udot.data(), acting,
                 reactions);
  answer.reactions = reactions.joints;
  answer.driving = reactions.driving;
  if (const auto* partial = std::get_if<LinearPartial>(&dynamics.formulation())) answer.appendage = partial->appendage;
  return answer;
}

/// Why accelerations cannot be computed at this state, found by the formulation that takes every model.
std::optional<std::string> singular(const Model& model, const DynamicsSettings& settings, const Scene& scene) {
  Dynamics dynamics(model.system, settings);
  if (auto lost = find_lost_force(dynamics.mechanism(), scene.forces)) return lost;
  Eigen::VectorXd udot;
  dynamics.update(scene.state);
  dynamics.accelerations(scene.state, scene.forces, udot);
  if (!dynamics.closures().empty()) {
    return find_non_finite_acceleration(dynamics.mechanism(), scene.state.q.data(), udot.data());
  }
  return find_singularity(dynamics.mechanism(), scene.state.q.data(), dynamics.kinematics(), scene.forces,
                          std::get<ArticulatedBodyData<double>>(dynamics.data()), udot.data());
}

std::string wheel_name(const System& system, const Wheel& wheel) {
  return system.bodies[wheel.body].name + "." + wheel.name;
}

Json list_json(const double* first, std::size_t count) {
  Json list = Json::array();
  for (std::size_t k = 0; k < count; ++k) list.push_back(first[k]);
  return list;
}
Json vector_json(const Vector3& v) { return list_json(v.data(), 3); }

/// By constraint: of each of its rows, and whether they are unique.
Json multipliers_json(const System& system, const Answer& answer) {
  Json json = Json::object();
  const Mechanism mechanism(system);
  const std::vector<std::uint32_t> first = make_constraints(mechanism).first_row;
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    Json values = Json::array();
    bool unique = true;
    for (std::uint32_t r = first[k]; r < first[k + 1]; ++r) {
      values.push_back(answer.multipliers.values[r]);
      unique = unique && answer.multipliers.unique[r];
    }
    json[system.constraints[k].name] = {{"values", std::move(values)}, {"unique", unique}};
  }
  return json;
}

/// Of a tree, nothing is left open.
IndeterminateForces::Components open_of(const std::vector<IndeterminateForces::Components>& list, std::size_t k) {
  return k < list.size() ? list[k] : IndeterminateForces::Components{};
}

constexpr std::array<std::string_view, 6> component_names = {"force_x",  "force_y",  "force_z",
                                                             "torque_x", "torque_y", "torque_z"};

Json reaction_json(const Reaction& reaction, const IndeterminateForces::Components& open) {
  Json not_unique = Json::array();
  for (std::size_t k = 0; k < 6; ++k) {
    if (open[k]) not_unique.push_back(component_names[k]);
  }
  Json json = {{"force", vector_json(reaction.force)}, {"torque", vector_json(reaction.torque)}};
  json["unique"] = not_unique.empty();
  if (!not_unique.empty()) json["not_unique"] = std::move(not_unique);
  return json;
}

Json answer_json(const System& system, const Scene& scene, const Answer& answer) {
  Json json = {{"formulation", answer.formulation}};
  Json accelerations = Json::object(), wheels = Json::object(), reactions = Json::object(), driving = Json::object();
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    accelerations[joint.name] = list_json(answer.udot.data() + joint.u, joint.nu);
    reactions[joint.name] = reaction_json(answer.reactions[i], open_of(answer.open.joints, i));
    if (joint.motion != Motion::free) driving[joint.name] = list_json(answer.driving.data() + joint.u, joint.nu);
  }
  for (const Wheel& wheel : system.wheels) {
    wheels[wheel_name(system, wheel)] = answer.udot[wheel.u];
    if (wheel.speed_prescribed) driving[wheel_name(system, wheel)] = Json::array({answer.driving[wheel.u]});
  }
  std::size_t cut = 0;
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    if (!std::holds_alternative<CutJoint>(system.constraints[k].kind)) continue;
    reactions[system.constraints[k].name] =
        reaction_json(answer.cut_reactions[cut++], open_of(answer.open.cut_joints, k));
  }
  json["accelerations"] = std::move(accelerations);
  json["wheels"] = std::move(wheels);
  json["reactions"] = std::move(reactions);
  json["driving"] = std::move(driving);
  if (!system.constraints.empty()) {
    json["multipliers"] = multipliers_json(system, answer);
    json["violation"] = {{"position", scene.violation.position}, {"speed", scene.violation.speed}};
  }
  json["energy"] = {{"kinetic", scene.conserved.kinetic}, {"potential", scene.potential}};
  json["momentum"] = {{"linear", vector_json(to_eigen(scene.conserved.linear))},
                      {"angular_com", vector_json(to_eigen(scene.conserved.angular_com))},
                      {"angular_origin", vector_json(to_eigen(scene.conserved.angular_origin))}};
  json["com"] = vector_json(to_eigen(scene.conserved.com));
  json["com_velocity"] = vector_json(to_eigen(scene.conserved.com_velocity));
  if (answer.formulation == "linear_partial") {
    Json names = Json::array();
    for (const std::uint32_t i : answer.appendage) names.push_back(system.joints[i].name);
    json["appendage"] = std::move(names);
  }
  return json;
}

/// What is zero to rounding on the scale of its neighbours is printed as zero.
std::string cell(double value, double scale = 0) {
  return fmt::format("{:>16.9g}", std::abs(value) < 1e-13 * scale ? 0.0 : value + 0.0);
}
std::string cells(const Vector3& v, double scale = 0) {
  return cell(v.x(), scale) + cell(v.y(), scale) + cell(v.z(), scale);
}

std::string_view acceleration_unit(std::string_view unit) { return unit == "rad/s" ? "rad/s^2" : "m/s^2"; }

void print_accelerations(const System& system, const std::vector<Answer>& answers) {
  const std::vector<StateEntry> entries = speed_entries(system);
  std::size_t width = 12;
  for (const StateEntry& entry : entries) width = std::max(width, entry.name.size());
  fmt::print("{:<{}}  {:<8}", "rate of", width, "unit");
  for (const Answer& answer : answers) fmt::print("{:>20}", answer.formulation);
  fmt::print("\n");
  for (std::size_t k = 0; k < entries.size(); ++k) {
    fmt::print("{:<{}}  {:<8}", entries[k].name, width, acceleration_unit(entries[k].unit));
    for (const Answer& answer : answers) fmt::print("{:>20.12g}", answer.udot[static_cast<Eigen::Index>(k)] + 0.0);
    fmt::print("{}\n", entries[k].motion == Motion::free     ? ""
                       : entries[k].motion == Motion::locked ? "  locked"
                                                             : "  prescribed");
  }
}

void print_multipliers(const System& system, const Answer& answer, std::size_t width) {
  if (system.constraints.empty()) return;
  const Mechanism mechanism(system);
  const std::vector<std::uint32_t> first = make_constraints(mechanism).first_row;
  fmt::print("\nMultipliers of the constraints, row by row [N m, N]\n");
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    fmt::print("{:<{}}", system.constraints[k].name, width);
    bool unique = true;
    for (std::uint32_t r = first[k]; r < first[k + 1]; ++r) {
      fmt::print("{}", cell(answer.multipliers.values[r]));
      unique = unique && answer.multipliers.unique[r];
    }
    fmt::print("{}\n", unique ? "" : "  not unique: of least norm");
  }
}

/// Do redundant constraints leave open what drives or locks one of these speeds?
bool is_open(const Answer& answer, std::size_t first, std::size_t count) {
  const std::vector<bool>& open = answer.open.driving;
  if (open.empty()) return false;
  const auto begin = open.begin() + static_cast<std::ptrdiff_t>(first);
  return std::find(begin, begin + static_cast<std::ptrdiff_t>(count), true) !=
         begin + static_cast<std::ptrdiff_t>(count);
}

/// "  not unique: force z, torque x y", or nothing.
std::string not_unique(const IndeterminateForces::Components& open) {
  std::string text;
  for (const std::size_t first : {0U, 3U}) {
    std::string which;
    for (std::size_t k = first; k < first + 3; ++k) {
      if (open[k]) (which += ' ') += component_names[k].back();
    }
    if (!which.empty())
      text += (text.empty() ? "  not unique: " : ", ") + std::string(first == 0 ? "force" : "torque") + which;
  }
  return text;
}

void print_reactions(const System& system, const Answer& answer) {
  std::size_t width = 12;
  for (const Joint& joint : system.joints) width = std::max(width, joint.name.size());
  fmt::print("\nReactions on the child at the joint point, child axes: force [N], torque [N m]\n");
  double force = 0, torque = 0;
  for (const Reaction& reaction : answer.reactions) {
    force = std::max(force, reaction.force.cwiseAbs().maxCoeff());
    torque = std::max(torque, reaction.torque.cwiseAbs().maxCoeff());
  }
  const auto print_one = [&](const std::string& name, const Reaction& reaction,
                             const IndeterminateForces::Components& open) {
    fmt::print("{:<{}}{}  {}{}\n", name, width, cells(reaction.force, force), cells(reaction.torque, torque),
               not_unique(open));
  };
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    print_one(system.joints[i].name, answer.reactions[i], open_of(answer.open.joints, i));
  }
  std::size_t cut = 0;
  for (std::size_t k = 0; k < system.constraints.size(); ++k) {
    if (!std::holds_alternative<CutJoint>(system.constraints[k].kind)) continue;
    print_one(system.constraints[k].name, answer.cut_reactions[cut++], open_of(answer.open.cut_joints, k));
  }
  print_multipliers(system, answer, width);
  bool heading = false;
  const auto print_driving = [&](const std::string& name, std::string_view how, std::size_t first, std::size_t count) {
    if (!heading) fmt::print("\nWhat drives and locks add [N m, N]\n");
    heading = true;
    fmt::print("{:<{}}", name, width);
    for (std::size_t k = first; k < first + count; ++k) fmt::print("{}", cell(answer.driving[k]));
    fmt::print("  {}{}\n", how, is_open(answer, first, count) ? "  not unique: of least norm" : "");
  };
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.motion == Motion::free) continue;
    print_driving(joint.name, motion_name(joint.motion), joint.u, joint.nu);
  }
  for (const Wheel& wheel : system.wheels) {
    if (wheel.speed_prescribed) print_driving(wheel_name(system, wheel), "prescribed", wheel.u, 1);
  }
}

void print_conserved(const Scene& scene) {
  const Conserved<double>& c = scene.conserved;
  fmt::print("\nkinetic energy   {} J\npotential energy {} J\n", cell(c.kinetic), cell(scene.potential));
  fmt::print("momentum         {} kg m/s\nangular momentum {} kg m^2/s about the com\n", cells(to_eigen(c.linear)),
             cells(to_eigen(c.angular_com), to_eigen(c.angular_com).norm()));
  fmt::print("com              {} m\n", cells(to_eigen(c.com)));
}

/// The largest difference of exact formulations from the first, over the largest acceleration; not a number where one
/// of them has none.
double disagreement(const std::vector<Answer>& answers) {
  double most = 0, scale = 0;
  for (const Answer& answer : answers) {
    if (is_linearised(answer.formulation) || answer.udot.size() == 0) continue;
    if (!answer.udot.allFinite()) return std::numeric_limits<double>::quiet_NaN();
    scale = std::max(scale, answer.udot.cwiseAbs().maxCoeff());
    most = std::max(most, (answer.udot - answers.front().udot).cwiseAbs().maxCoeff());
  }
  return scale == 0 ? most : most / scale;
}

double linearised_difference(const std::vector<Answer>& answers) {
  double most = 0;
  for (const Answer& answer : answers) {
    if (is_linearised(answer.formulation) && answer.udot.size() > 0) {
      most = std::max(most, (answer.udot - answers.front().udot).cwiseAbs().maxCoeff());
    }
  }
  return most;
}

using Outside = std::vector<std::pair<std::string, std::string>>;

void print_all(const System& system, const Scene& scene, const std::vector<Answer>& answers, const Outside& outside) {
  print_accelerations(system, answers);
  fmt::print("\nlargest disagreement of exact formulations: {:.3g} of the largest acceleration\n",
             disagreement(answers));
  if (std::ranges::any_of(answers, [](const Answer& a) { return is_linearised(a.formulation); })) {
    fmt::print("linearised formulations differ from exact ones by at most {:.3g}\n", linearised_difference(answers));
  }
  for (const auto& [name, why] : outside) fmt::print("{} does not take this model: {}\n", name, why);
  print_reactions(system, answers.front());
  print_conserved(scene);
}

/// Only second derivatives of constraints are kept by accelerations.
void print_violation(const Violation& v) {
  constexpr double noted = 1e-8;
  if (!(v.position > noted || v.speed > noted)) return;
  fmt::print(stderr,
             "WARNING: the state does not satisfy the constraints, by {:.2g} m or rad and {:.2g} m/s or rad/s; these "
             "are its accelerations all the same. `gyrostat assemble` finds a state that does\n",
             v.position, v.speed);
}

int report(const Loaded& loaded, const AccelArguments& arguments, const Scene& scene,
           const std::vector<Answer>& answers, const Outside& outside) {
  const System& system = loaded.model->system;
  const bool all = arguments.formulation == "all";
  if (!arguments.model.json) {
    if (all) {
      print_all(system, scene, answers, outside);
      return 0;
    }
    fmt::print("formulation {}\n\n", answers.front().formulation);
    print_accelerations(system, answers);
    print_reactions(system, answers.front());
    print_conserved(scene);
    if (answers.front().formulation == "linear_partial") {
      std::vector<std::string> names;
      for (const std::uint32_t i : answers.front().appendage) names.push_back(system.joints[i].name);
      fmt::print("terminal appendage {}\n", names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
    }
    return 0;
  }
  if (!all) {
    print_json(answer_json(system, scene, answers.front()));
    return 0;
  }
  Json json = answer_json(system, scene, answers.front());
  json["formulation"] = "all";
  Json formulations = Json::object(), reasons = Json::object();
  for (const Answer& answer : answers) {
    Json one = answer_json(system, scene, answer);
    for (const char* shared : {"energy", "momentum", "com", "com_velocity", "violation"}) one.erase(shared);
    formulations[answer.formulation] = std::move(one);
  }
  for (const auto& [name, why] : outside) reasons[name] = why;
  json["formulations"] = std::move(formulations);
  json["outside_domain"] = std::move(reasons);
  json["largest_disagreement"] = disagreement(answers);
  json["linearised_difference"] = linearised_difference(answers);
  print_json(json);
  return 0;
}

int accel_of(const Loaded& loaded, const AccelArguments& arguments) {
  const Model& model = *loaded.model;
  const auto refuse = [&](const std::string& file, const std::string& message, int code) {
    return app::refuse(arguments.model.json, file + ": " + message, code);
  };
  if (const std::string joint = held_at_centre(model.description, model.system); !joint.empty()) {
    return refuse(
        arguments.model.file,
        fmt::format("environment.gravity_gradient: full makes the world's origin the centre of attraction, and "
                    "joint '{}' holds a body there",
                    joint),
        exit_code::wrong_model);
  }
  const DynamicsSettings settings(model);
  State state = model.system.initial;
  if (!arguments.state.empty()) {
    auto read = read_state(arguments.state, model);
    if (const auto* wrong = std::get_if<std::string>(&read))
      return refuse(arguments.state, *wrong, exit_code::wrong_usage);
    state = std::get<State>(std::move(read));
  }
  place_on_orbit(model.description, model.system, state);

  const std::string chosen =
      arguments.formulation.empty() ? model.description.simulation.formulation : arguments.formulation;
  std::vector<std::string_view> wanted;
  Outside outside;
  if (chosen == "all") {
    for (const std::string_view name : formulation_names) {
      const std::string why = outside_domain(name, model.system, settings);
      if (why.empty()) {
        wanted.push_back(name);
      } else {
        outside.emplace_back(name, why);
      }
    }
  } else {
    const bool exists = std::ranges::find(formulation_names, chosen) != formulation_names.end();
    if (const std::string why = outside_domain(chosen, model.system, settings); !why.empty()) {
      const bool misused = !exists && !arguments.formulation.empty();
      return refuse(arguments.model.file,
                    exists ? fmt::format("formulation {} does not take this model: {}", chosen, why)
                           : fmt::format("formulation {}: {}", chosen, why),
                    misused ? exit_code::wrong_usage : exit_code::wrong_model);
    }
    wanted.push_back(chosen);
  }

  const Scene scene = set_scene(model, state);
  if (const auto why = singular(model, settings, scene))
    return refuse(arguments.model.file, *why, exit_code::cannot_go_on);
  std::vector<Answer> answers;
  for (const std::string_view name : wanted) answers.push_back(ask(model, settings, scene, name));
  if (!arguments.model.json) print_violation(scene.violation);
  return report(loaded, arguments, scene, answers, outside);
}

}  // namespace

int accel(const AccelArguments& arguments) {
  const Loaded loaded = load(arguments.model);
  if (!loaded.model) return refuse_model(arguments.model.json, loaded);
  if (!arguments.model.json) print_problems(loaded);
  try {
    return accel_of(loaded, arguments);
  } catch (const ClosureError& error) {
    return refuse_unsolvable(arguments.model.json, loaded, error);
  }
}

}  // namespace gyrostat::app
