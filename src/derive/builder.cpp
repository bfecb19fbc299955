#include "gyrostat/derive/builder.h"

#include <algorithm>

#include "gyrostat/derive/letters.h"
#include "gyrostat/expression/print.h"

namespace gyrostat::derive {

namespace {

/// As `speed_names` and `coordinate_names` order them.
void set_axes(const Joint& joint, Hinge& hinge) {
  const bool ball = has_quaternion(joint.type);
  const std::uint32_t rotations = ball ? 3 : joint.rotations;
  const std::uint32_t translations = joint.type == JointType::free ? 3 : joint.translations;
  const bool rotations_first = ball || joint.rotation_first;
  const auto index = [ball](std::uint32_t k, std::uint32_t count) {
    return count == 1 ? std::string() : ball ? std::string(1, "xyz"[k]) : std::to_string(k + 1);
  };
  for (std::uint32_t k = 0; k < rotations; ++k) {
    const std::uint32_t local = (rotations_first ? 0 : translations) + k;
    hinge.rotations.push_back({true, joint.u + local, joint.q + local, local, index(k, rotations)});
  }
  for (std::uint32_t k = 0; k < translations; ++k) {
    const std::uint32_t local = (rotations_first ? rotations : 0) + k;
    const std::uint32_t q = joint.q + (ball ? k : local);  // of a free joint the position stands first
    hinge.translations.push_back({false, joint.u + local, q, local, index(k, translations)});
  }
  hinge.ball = ball;
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

Builder::Builder(const Model& of) : model(of), system(of.system), settings(of), hinges(of.system.bodies.size()) {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Joint& j = system.joints[k];
    Hinge& hinge = hinges[k];
    hinge.inboard = system.parent[k];
    hinge.parent = j.reversed ? k : hinge.inboard;
    hinge.child = j.reversed ? hinge.inboard : k;
    hinge.sign = j.reversed ? -1 : 1;
    set_axes(j, hinge);
    hinge.turns = !hinge.rotations.empty() && j.motion != Motion::locked;
    hinge.slides = !hinge.translations.empty() && j.motion != Motion::locked;
    hinge.free = j.motion == Motion::free;
    hinge.path = hinge.inboard == 0 ? std::vector<std::uint32_t>{} : hinges[hinge.inboard].path;
    hinge.path.push_back(k);
    for (const std::uint32_t inboard : hinge.path) hinges[inboard].nest.push_back(k);
  }
}

std::string wheel_index(const System& system, std::size_t w) {
  const std::string& name = system.wheels[w].name;
  const bool alone = std::ranges::count(system.wheels, name, &Wheel::name) == 1 &&
                     std::ranges::count(system.joints, name, &Joint::name) == 0;
  return alone ? name : system.bodies[system.wheels[w].body].name + "." + name;
}

Symbol Builder::axis_symbol(const std::string& letter, std::uint32_t k, const Axis& axis) const {
  Symbol made = sym(letter, joint(k));
  if (!axis.index.empty()) made.indices.push_back({axis.index, false});
  return made;
}

std::string index_among_both(bool rotation, const std::string& index) {
  const bool letter = !index.empty() && index.front() >= 'x';
  return (rotation ? "rotation" : "translation") + std::string(letter ? "_" : "") + index;
}

Symbol Builder::shared_symbol(const std::string& letter, std::uint32_t k, const Axis& axis) const {
  const bool both = !hinges[k].rotations.empty() && !hinges[k].translations.empty();
  return both ? sym(letter, joint(k), index_among_both(axis.rotation, axis.index)) : axis_symbol(letter, k, axis);
}

void Builder::define(const Symbol& symbol, Section section, std::string meaning, std::string unit,
                     const std::string& of_body, std::optional<Constant> constant, std::string formula,
                     std::string latex) {
  if (!defined.contains(symbol)) order.push_back(symbol);
  defined[symbol] = {symbol,
                     section,
                     std::move(meaning),
                     std::move(unit),
                     nullptr,
                     std::move(constant),
                     std::move(formula),
                     std::move(latex),
                     of_body,
                     {}};
}

void Builder::define(const Symbol& symbol, Section section, std::string meaning, std::string unit,
                     const std::string& of_body, const Expression* follows) {
  define(symbol, section, std::move(meaning), std::move(unit), of_body, std::nullopt,
         follows == nullptr ? "" : expression::to_text(*follows),
         follows == nullptr ? "" : expression::to_latex(*follows));
}

void Builder::define(const Symbol& symbol, Section section, std::string meaning, std::string unit,
                     const std::string& of_body, const Expr& value) {
  const Expr made = short_form(value);
  if (is_zero(made) || made->operation == Operation::symbol) known.aliases[symbol] = made;
  define(symbol, section, std::move(meaning), std::move(unit), of_body);
  defined[symbol].value = made;
}

bool Builder::vanishes(const Symbol& symbol) const { return is_zero(short_form(derive::symbol(symbol))); }

const JointDescription* Builder::described(std::uint32_t k) const {
  const auto found = std::ranges::find(model.description.joints, joint(k), &JointDescription::name);
  return found == model.description.joints.end() ? nullptr : &*found;
}

const WheelDescription& Builder::wheel_description(std::size_t w) const {
  const auto in = std::ranges::find(model.description.bodies, body(system.wheels[w].body), &BodyDescription::name);
  return *std::ranges::find(in->wheels, system.wheels[w].name, &WheelDescription::name);
}

const Expression* Builder::followed(std::uint32_t k, const Axis& axis, Prescribed::Kind kind) const {
  const JointDescription* of = described(k);
  if (of == nullptr || of->prescribed.kind != kind || kind == Prescribed::Kind::none) return nullptr;
  return &of->prescribed.motion[axis.local];
}

bool Builder::rubs_by_reaction(std::uint32_t k) const {
  const JointDescription* of = described(k);
  return of != nullptr && of->friction && of->friction->by_reaction;
}

bool Builder::inboard_of(std::uint32_t j, std::uint32_t k) const {
  return j != k && std::ranges::find(hinges[k].path, j) != hinges[k].path.end();
}

// --- sets ------------------------------------------------------------------------------------------------------------

namespace {

Range make_range(std::map<Symbol, SetDefinition>& sets, const std::string& variable, const Symbol& set,
                 std::vector<std::string> members, std::string meaning) {
  sets.emplace(set, SetDefinition{set, std::move(meaning), members});
  return {variable, set, std::move(members), {}};
}

}  // namespace

Range Builder::nest_range(std::uint32_t k) {
  std::vector<std::string> members;
  for (const std::uint32_t i : hinges[k].nest) members.push_back(body(i));
  return make_range(sets, "i", sym("S", joint(k)), std::move(members),
                    "the nest of " + joint(k) + ": " + body(k) + " and all bodies outboard of it");
}

Range Builder::joints_range(std::uint32_t k, bool inboard, bool turning) {
  std::vector<std::string> members;
  const auto add = [&](std::uint32_t j) {
    if (j != k && (turning ? hinges[j].turns : hinges[j].slides)) members.push_back(joint(j));
  };
  std::ranges::for_each(inboard ? hinges[k].path : hinges[k].nest, add);
  const std::string letter = inboard ? (turning ? "Pr" : "Pt") : turning ? "Qr" : "Qt";
  return make_range(sets, "j", sym(letter, joint(k)), std::move(members),
                    std::string("the joints that ") + (turning ? "turn" : "slide") +
                        (inboard ? " on the path from the world to " + joint(k) : " within the nest of " + joint(k)) +
                        ", without " + joint(k) + " itself");
}

Range Builder::path_range(std::uint32_t k) {
  std::vector<std::string> members;
  for (const std::uint32_t j : hinges[k].path) {
    if (hinges[j].turns) members.push_back(joint(j));
  }
  return make_range(sets, "j", sym("P", body(k)), std::move(members),
                    "the joints that turn on the path from the world to " + body(k));
}

Range Builder::wheels_range(std::uint32_t k) {
  std::vector<std::string> members;
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    if (std::ranges::find(hinges[k].nest, system.wheels[w].body) != hinges[k].nest.end()) members.push_back(wheel(w));
  }
  return make_range(sets, "w", sym("W", joint(k)), std::move(members), "the wheels in the nest of " + joint(k));
}

Range Builder::body_wheels_range(std::uint32_t k) {
  std::vector<std::string> members;
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    if (system.wheels[w].body == k) members.push_back(wheel(w));
  }
  return make_range(sets, "w", sym("Wb", body(k)), std::move(members), "the wheels in " + body(k));
}

void Builder::add_term(std::vector<Term>& terms, Group group, const Expr& value, std::string meaning) const {
  const Expr made = short_form(value);
  if (!is_zero(made)) terms.push_back({group, made, std::move(meaning)});
}

void Builder::add_equation(Equation equation) {
  equation.id = std::string(kind_name(equation.kind)) + "-" + std::to_string(document.equations.size() + 1);
  document.equations.push_back(std::move(equation));
}

}  // namespace gyrostat::derive
