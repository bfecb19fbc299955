// Numbers that the model file computes from its parameters: their definitions say so, in the file's words.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"
#include "gyrostat/dynamics/forces.h"
#include "gyrostat/expression/print.h"
#include "gyrostat/format/formulas.h"

namespace gyrostat::derive {

namespace {

struct Written {
  std::string text, latex;
  expression::Expression formula;  // of one expression
};

void put_in_brackets(Written& part) {
  part.text = "(" + part.text + ")";
  part.latex = "\\left(" + part.latex + "\\right)";
}

/// A place in the model file, added or subtracted.
struct SignedPlace {
  std::string place;
  bool minus = false;
};

class WrittenNumbers {
 public:
  WrittenNumbers(Builder& builder, const Formulas& formulas) : b_(builder), formulas_(formulas) {}

  void name_all() {
    for (std::uint32_t k = 1; k < b_.hinges.size(); ++k) name_body(k);
    for (std::uint32_t k = 1; k < b_.hinges.size(); ++k) name_joint(k);
    for (std::size_t w = 0; w < b_.system.wheels.size(); ++w) name_wheel(w);
    for (std::size_t n = 0; n < b_.model.description.loads.size(); ++n) name_load(n);
    set(sym("g"), {{"environment.gravity.uniform"}});
    set(sym("mu"), {{"environment.orbit.center.mu"}});
  }

 private:
  void name_body(std::uint32_t k) {
    const std::string &name = b_.body(k), place = "bodies." + name;
    set(sym("m", name), {{place + ".mass"}});
    set(sym("Phi", name), {{place + ".inertia"}});
    set(sym("alpha", name), {{place + ".com"}, {base(k), true}});
  }
  /// The point of a body that its inboard joint holds.
  [[nodiscard]] std::string base(std::uint32_t k) const {
    const Joint& joint = b_.system.joints[k];
    return fmt::format("joints.{}.{}", joint.name, joint.reversed ? "parent_point" : "child_point");
  }
  void name_joint(std::uint32_t k) {
    const Hinge& hinge = b_.hinges[k];
    const Joint& joint = b_.system.joints[k];
    const std::string place = "joints." + joint.name;
    std::vector<SignedPlace> beta = {{place + (joint.reversed ? ".child_point" : ".parent_point")}};
    if (hinge.inboard != 0) beta.push_back({base(hinge.inboard), true});
    set(sym("beta", joint.name), beta);
    for (const auto* axes : {&hinge.rotations, &hinge.translations}) {
      for (std::size_t n = 0; n < axes->size(); ++n) {
        const Axis& axis = (*axes)[n];
        const auto entry = [&](const std::string& field) {
          const std::string list = fmt::format("{}.{}", place, field), one = fmt::format("{}[{}]", list, axis.local);
          return std::vector<SignedPlace>{{is_written(one) ? one : list}};
        };
        const auto along = [&](const char* letter) { return b_.axis_symbol(letter, k, axis); };
        set(b_.shared_symbol("K", k, axis), entry("stiffness"));
        set(b_.shared_symbol("D", k, axis), entry("damping"));
        set(along(axis.rotation ? "rest" : "rest_x"), entry("rest"));
        set(along("viscous"), {{place + ".friction.viscous"}});
        if (!hinge.ball && joint.type != JointType::planar && joint.type != JointType::free &&
            (n == 0 || !axis.rotation || joint.R_0.isIdentity(0)))
          set(along(axis.rotation ? "q" : "d"), {{place_of_axis(joint, axis, n), hinge.sign < 0}});
      }
    }
  }
  /// Directions are as the file has them, before they get unit length.
  [[nodiscard]] static std::string place_of_axis(const Joint& joint, const Axis& axis, std::size_t n) {
    const std::string place = "joints." + joint.name;
    if (joint.type == JointType::general)
      return fmt::format("{}.{}[{}]", place, axis.rotation ? "rotations" : "translations", n);
    const std::string_view field = joint_fields(joint.type).axes;
    return field == "axes" ? fmt::format("{}.axes[{}]", place, n) : fmt::format("{}.{}", place, field);
  }
  void name_wheel(std::size_t w) {
    const Wheel& wheel = b_.system.wheels[w];
    const std::string name = b_.wheel(w), place = fmt::format("bodies.{}.wheels.{}", b_.body(wheel.body), wheel.name);
    set(sym("I", name), {{place + ".inertia"}});
    set(sym("h", name), {{place + ".axis"}});
    set(sym("K", name), {{place + ".stiffness"}});
    set(sym("D", name), {{place + ".damping"}});
    set(sym("viscous", name), {{place + ".friction.viscous"}});
  }
  void name_load(std::size_t n) {
    const std::string name = fmt::format("load{}", n + 1), place = fmt::format("loads[{}].", n);
    for (const char* kind : {"spring.", "torsion_spring."}) {
      set(sym("K_load", name), {{place + kind + "stiffness"}});
      set(sym("D_load", name), {{place + kind + "damping"}});
    }
    set(sym("rest_s_load", name), {{place + "spring.length"}});
    set(sym("rest_load", name), {{place + "torsion_spring.rest"}});
    set(sym("e_load", name), {{place + "thruster.direction"}});
    set(sym("e_load", name), {{place + "torque_between.axis"}});
    set(sym("e_load", name), {{place + "torsion_spring.axis"}});
    set(sym("l_load", name), {{place + "torsion_spring.to_line"}});
  }

  /// Adds to the definition what the file says, where that names parameters.
  void set(const Symbol& symbol, const std::vector<SignedPlace>& places) {
    const auto found = b_.defined.find(symbol);
    if (found == b_.defined.end() || !found->second.constant || !found->second.formula.empty()) return;
    if (std::ranges::none_of(places, [this](const SignedPlace& one) { return follows(one.place); })) return;
    std::vector<std::pair<Written, bool>> parts;
    for (const SignedPlace& one : places) {
      if (Written part = written(one.place); !part.text.empty()) parts.emplace_back(std::move(part), one.minus);
    }
    Written all;
    for (auto& [part, minus] : parts) {
      const bool alone = parts.size() == 1 && !minus;
      if (!alone && !part.formula.empty() && expression::needs_brackets(part.formula, minus)) put_in_brackets(part);
      const char* sign = minus ? (all.text.empty() ? "-" : " - ") : all.text.empty() ? "" : " + ";
      all.text += sign + part.text, all.latex += sign + part.latex;
    }
    found->second.formula = all.text;
    found->second.latex = all.latex;
  }

  [[nodiscard]] static bool names_parameters(const Expression& formula) {
    return std::ranges::any_of(formula.names, [](const std::string& name) { return name != "pi"; });
  }
  /// What is written at the place, or inside it: by the rest of its path.
  [[nodiscard]] std::vector<std::pair<std::string, const Expression*>> parts_of(const std::string& place) const {
    std::vector<std::pair<std::string, const Expression*>> list;
    for (auto part = formulas_.lower_bound(place); part != formulas_.end() && part->first.starts_with(place); ++part) {
      const std::string rest = part->first.substr(place.size());
      if (rest.empty() || rest.front() == '[' || rest.front() == '.') list.emplace_back(rest, &part->second);
    }
    return list;
  }
  [[nodiscard]] bool is_written(const std::string& place) const { return !parts_of(place).empty(); }
  [[nodiscard]] bool follows(const std::string& place) const {
    return std::ranges::any_of(parts_of(place), [](const auto& part) { return names_parameters(*part.second); });
  }

  /// A number, "[a, b, c]" of a list, "xx a, yy b" of a mapping or a matrix.
  [[nodiscard]] Written written(const std::string& place) const {
    const auto parts = parts_of(place);
    if (parts.empty()) return {};
    // one expression, or one that is a vector
    if (parts.front().first.empty() || parts.front().second->part != 0) {
      expression::Expression whole = expression::parse(parts.front().second->text).expression;
      std::string latex = expression::to_latex(whole);
      return {whole.text, std::move(latex), std::move(whole)};
    }
    const bool list = parts.size() == 3 && parts.front().first == "[0]";
    Written all;
    for (const auto& [rest, formula] : parts) {
      const std::string between = all.text.empty() ? "" : ", ";
      const std::string name = list ? "" : element_name(rest) + " ";
      all.text += between + name + formula->text;
      all.latex += (all.latex.empty() ? "" : ",\\ ") + (list ? "" : "\\mathrm{" + name + "}\\,") +
                   expression::to_latex(*formula);
    }
    return list ? Written{"[" + all.text + "]", "\\left(" + all.latex + "\\right)", {}} : all;
  }
  /// "xy" of ".xy" and of "[0][1]".
  [[nodiscard]] static std::string element_name(const std::string& rest) {
    std::string name;
    for (const char c : rest) {
      if (c >= '0' && c <= '2') name += static_cast<char>('x' + (c - '0'));
      if (c >= 'a' && c <= 'z') name += c;
    }
    return name;
  }

  Builder& b_;
  const Formulas& formulas_;
};

}  // namespace

void Builder::name_parameters(const Formulas& formulas) { WrittenNumbers(*this, formulas).name_all(); }

}  // namespace gyrostat::derive
