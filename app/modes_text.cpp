#include "modes_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/flexible/mode_table.h"

namespace gyrostat::app {

namespace {

constexpr std::size_t mode_lines = 60;

std::string frame_of(const FlexibleData& data) {
  if (data.frame_node == FlexibleData::floating) return "its frame floating";
  return fmt::format("its frame at {}", data.nodes[data.frame_node].name);
}

std::string_view terms_of(FlexibleTerms terms) {
  return terms == FlexibleTerms::ruthless ? "ruthless" : terms == FlexibleTerms::linear ? "linear" : "stiffened";
}

/// Of the total, without those in whose direction there is none.
std::string percent(double part, double total, double largest) {
  if (total <= 1e-12 * largest) return fmt::format("{:>7}", "-");
  const double value = 100 * part / total;
  return value < 0.005 ? fmt::format("{:>7}", "0") : fmt::format("{:>7.2f}", value);
}

std::string percents(const Vector6& part, const Vector6& total) {
  std::string text;
  for (Eigen::Index i = 0; i < 6; ++i) text += percent(part(i), total(i), total.segment<3>(i < 3 ? 0 : 3).maxCoeff());
  return text;
}

Json six(const Vector6& v) { return {v(0), v(1), v(2), v(3), v(4), v(5)}; }

}  // namespace

void print_modes(const System& system, const FlexibleBody& body) {
  const ModeTable table = mode_table(body.data);
  fmt::print("\n{} of {}, {}, {}; effective mass along x, y, z and inertia about them in % of the total:\n",
             counted(table.modes.size(), "mode", "modes"), system.bodies[body.body].name, frame_of(body.data),
             terms_of(body.terms));
  fmt::print("  {:>3} {:>11} {:>8}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}\n", "", "Hz", "damping", "x", "y", "z", "xx", "yy",
             "zz");
  for (std::size_t k = 0; k < table.modes.size(); ++k) {
    if (k == mode_lines) {
      fmt::print("  ... and {} more (--json lists all)\n", table.modes.size() - k);
      break;
    }
    const ModeLine& mode = table.modes[k];
    fmt::print("  {:>3} {:>11.5g} {:>8.4g}{}  {}\n", k + 1, mode.frequency, mode.damping_ratio,
               percents(mode.effective, table.total), mode.words);
  }
  const Vector6 out = table.left_out();
  fmt::print("  {:<24}{}\n", "left out", percents(out.cwiseProduct(table.total), table.total));
}

Json modes_json(const System& system, const FlexibleBody& body) {
  const ModeTable table = mode_table(body.data);
  Json modes = Json::array();
  for (const ModeLine& mode : table.modes) {
    modes.push_back({{"frequency", mode.frequency},
                     {"damping_ratio", mode.damping_ratio},
                     {"effective_mass", six(mode.effective)},
                     {"shape", mode.words}});
  }
  const bool floating = body.data.frame_node == FlexibleData::floating;
  Json json = {{"body", system.bodies[body.body].name}, {"terms", terms_of(body.terms)}};
  json["frame"] = floating ? Json() : Json(body.data.nodes[body.data.frame_node].name);
  json["modes"] = std::move(modes);
  json["total"] = six(table.total);
  json["left_out"] = six(table.left_out());
  return json;
}

}  // namespace gyrostat::app
