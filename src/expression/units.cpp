#include "gyrostat/expression/units.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"

namespace gyrostat {

namespace {

struct NamedUnit {
  std::string_view name;
  double factor;
  Dimension dimension;
};

constexpr double degree = std::numbers::pi / 180;
constexpr double foot = 0.3048, pound = 0.45359237, standard_gravity = 9.80665;
constexpr double pound_force = pound * standard_gravity;

constexpr std::array units = {
    NamedUnit{"m", 1, dimension::length},
    NamedUnit{"mm", 1e-3, dimension::length},
    NamedUnit{"cm", 1e-2, dimension::length},
    NamedUnit{"um", 1e-6, dimension::length},
    NamedUnit{"km", 1e3, dimension::length},
    NamedUnit{"au", 149597870700.0, dimension::length},
    NamedUnit{"in", foot / 12, dimension::length},
    NamedUnit{"ft", foot, dimension::length},
    NamedUnit{"kg", 1, dimension::mass},
    NamedUnit{"g", 1e-3, dimension::mass},
    NamedUnit{"mg", 1e-6, dimension::mass},
    NamedUnit{"tonne", 1e3, dimension::mass},
    NamedUnit{"lb", pound, dimension::mass},
    NamedUnit{"slug", pound_force / foot, dimension::mass},
    NamedUnit{"s", 1, dimension::time},
    NamedUnit{"ms", 1e-3, dimension::time},
    NamedUnit{"us", 1e-6, dimension::time},
    NamedUnit{"ns", 1e-9, dimension::time},
    NamedUnit{"min", 60, dimension::time},
    NamedUnit{"h", 3600, dimension::time},
    NamedUnit{"day", 86400, dimension::time},
    NamedUnit{"rad", 1, dimension::angle},
    NamedUnit{"mrad", 1e-3, dimension::angle},
    NamedUnit{"urad", 1e-6, dimension::angle},
    NamedUnit{"deg", degree, dimension::angle},
    NamedUnit{"arcmin", degree / 60, dimension::angle},
    NamedUnit{"arcsec", degree / 3600, dimension::angle},
    NamedUnit{"rev", 360 * degree, dimension::angle},
    NamedUnit{"rpm", 6 * degree, dimension::angular_rate},
    NamedUnit{"Hz", 1, dimension::none / dimension::time},
    NamedUnit{"N", 1, dimension::force},
    NamedUnit{"mN", 1e-3, dimension::force},
    NamedUnit{"uN", 1e-6, dimension::force},
    NamedUnit{"kN", 1e3, dimension::force},
    NamedUnit{"lbf", pound_force, dimension::force},
    NamedUnit{"J", 1, dimension::torque},
    NamedUnit{"W", 1, dimension::torque / dimension::time},
};

/// What people write for products; the answer says how it is written here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> products = {{{"Nm", "N*m"},
                                                                                    {"Nms", "N*m*s"},
                                                                                    {"mNm", "mN*m"},
                                                                                    {"kgm2", "kg*m^2"},
                                                                                    {"kgm^2", "kg*m^2"},
                                                                                    {"rads", "rad/s"},
                                                                                    {"degs", "deg/s"},
                                                                                    {"mps", "m/s"}}};

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  UnitParsed run() {
    if (text_.starts_with("1/")) {
      at_ = 1;
    } else {
      factor(false);
    }
    while (!result_.complaint) {
      skip_space();
      if (at_ == text_.size()) break;
      const char c = text_[at_];
      if (c != '*' && c != '/') {
        complain(at_, fmt::format("expected '*', '/' or the end of the unit, got '{}'", text_.substr(at_)));
        break;
      }
      ++at_;
      factor(c == '/');
    }
    return std::move(result_);
  }

 private:
  void factor(bool divide) {
    skip_space();
    const std::size_t offset = at_;
    while (at_ < text_.size() && std::string_view("*/^ \t()").find(text_[at_]) == std::string_view::npos) ++at_;
    const std::string_view name = text_.substr(offset, at_ - offset);
    const NamedUnit* unit = find(name, offset);
    if (unit == nullptr) return;
    int exponent = divide ? -1 : 1;
    if (at_ < text_.size() && text_[at_] == '^') {
      ++at_;
      int power = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), power);
      if (error != std::errc{} || power < -9 || power > 9) {
        return complain(at_, "expected a whole power from -9 to 9");
      }
      at_ += static_cast<std::size_t>(end - begin);
      exponent *= power;
    }
    result_.unit.factor *= std::pow(unit->factor, exponent);
    result_.unit.dimension = result_.unit.dimension * (unit->dimension ^ exponent);
    if (++factors_ > 20) complain(offset, "a unit has at most 20 factors");
  }

  const NamedUnit* find(std::string_view name, std::size_t offset) {
    for (const auto& unit : units) {
      if (unit.name == name) return &unit;
    }
    if (name.empty()) {
      complain(offset, "expected a unit");
      return nullptr;
    }
    for (const auto& [wrong, right] : products) {
      if (name == wrong) {
        complain(offset, fmt::format("unknown unit '{}'; write {}", name, right));
        return nullptr;
      }
    }
    std::vector<std::string_view> names;
    for (const auto& unit : units) names.push_back(unit.name);
    complain(offset, fmt::format("unknown unit '{}'{}", name, did_you_mean(name, names)));
    return nullptr;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  void complain(std::size_t offset, std::string message) {
    if (!result_.complaint) result_.complaint = expression::Complaint{offset, std::move(message)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int factors_ = 0;
  UnitParsed result_;
};

}  // namespace

bool compatible(const Dimension& have, const Dimension& want) {
  return have == want || (want.mass != 0 && compatible_but_for_angle(have, want));
}

bool compatible_but_for_angle(const Dimension& have, const Dimension& want) {
  return have.mass == want.mass && have.length == want.length && have.time == want.time;
}

std::string unit_text(const Dimension& d) {
  struct Known {
    Dimension dimension;
    std::string_view text;
  };
  static constexpr std::array known = {
      Known{dimension::none, "a plain number"},
      Known{dimension::force, "N"},
      Known{dimension::torque, "N*m"},
      Known{dimension::angular_stiffness, "N*m/rad"},
      Known{dimension::stiffness, "N/m"},
      Known{dimension::angular_damping, "N*m*s/rad"},
      Known{dimension::damping, "N*s/m"},
      Known{dimension::torque * dimension::time, "N*m*s"},
      Known{dimension::torque / dimension::time, "W"},
  };
  for (const auto& k : known) {
    if (k.dimension == d) return std::string(k.text);
  }
  std::string above, below;
  const auto add = [&](int exponent, std::string_view unit) {
    if (exponent == 0) return;
    std::string& side = exponent > 0 ? above : below;
    const int power = std::abs(exponent);
    side += fmt::format("{}{}{}",
                        side.empty()   ? ""
                        : exponent > 0 ? "*"
                                       : "/",
                        unit, power > 1 ? fmt::format("^{}", power) : "");
  };
  add(d.mass, "kg");
  add(d.length, "m");
  add(d.angle, "rad");
  add(d.time, "s");
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + below;
}

UnitParsed parse_unit(std::string_view text) { return UnitParser(text).run(); }

Dimension dimension_of_unit(const expression::Expression& expression, const expression::Node& node) {
  return parse_unit(std::string_view(expression.text).substr(node.name_offset, node.unit_length)).unit.dimension;
}

std::optional<QuantityText> split_quantity(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == ' ') ++begin;
  if (text.substr(begin, 1) == "+" && text.substr(begin, 2) != "+-") ++begin;
  QuantityText q;
  const char* const start = text.data() + begin;
  const auto [end, error] = std::from_chars(start, text.data() + text.size(), q.number);
  if (error != std::errc{} || !std::isfinite(q.number)) return std::nullopt;
  std::size_t at = begin + static_cast<std::size_t>(end - start);
  const std::size_t number_end = at;
  while (at < text.size() && text[at] == ' ') ++at;
  if (at == number_end || at == text.size()) return std::nullopt;
  const std::string_view rest = text.substr(at);
  const bool letter = (rest[0] >= 'a' && rest[0] <= 'z') || (rest[0] >= 'A' && rest[0] <= 'Z');
  if (!letter && !rest.starts_with("1/")) return std::nullopt;
  for (std::size_t i = 1; i < rest.size(); ++i) {  // "218 deg - x", "3 deg*sign(x)": formulas; "3 N-m": a unit, wrongly
    const bool operates = rest[i - 1] == ' ' && std::string_view("+-<>=!?").find(rest[i]) != std::string_view::npos;
    const bool calls = rest[i] == '(' && std::isalpha(static_cast<unsigned char>(rest[i - 1])) != 0;
    if (operates || calls) return std::nullopt;
  }
  q.unit = rest;
  while (q.unit.ends_with(' ')) q.unit.remove_suffix(1);
  q.unit_offset = at;
  return q;
}

}  // namespace gyrostat
