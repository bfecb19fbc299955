// `flexible` of a body.
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

namespace {

/// A count that is not read as a number with a unit or a fraction.
std::size_t read_count(const Value& value, std::size_t least, std::size_t most, std::size_t fallback) {
  const double number = read_constant(value, dimension::none);
  if (std::isnan(number)) return fallback;  // reported
  if (number == std::floor(number) && number >= static_cast<double>(least) && number <= static_cast<double>(most))
    return static_cast<std::size_t>(number);
  value.error(fmt::format("expected a whole number from {} to {}", least, most));
  return fallback;
}

/// Two numbers, or one for both.
std::array<double, 2> read_two(const Value& value, const Dimension& dimension) {
  if (!value.is_list()) {
    const double both = read_constant(value, dimension);
    return {both, both};
  }
  const std::vector<double> list = read_constant_list(value, dimension);
  if (list.size() == 2) return {list[0], list[1]};
  value.error("expected two numbers, about y and about z of the section, or one for both");
  return {unreadable, unreadable};
}

BeamLump read_lump(const Value& value, double length) {
  const Fields fields(value, format::lump);
  BeamLump lump;
  lump.name = fields.text("name");
  lump.distance = fields.constant("at", length);
  lump.mass = fields.constant("mass");
  if (const auto inertia = fields.find("inertia")) lump.inertia = read_inertia(*inertia);
  return lump;
}

BeamDescription read_beam(const Value& value) {
  const Fields fields(value, format::beam);
  BeamDescription beam;
  beam.from = fields.vector("from");
  beam.to = fields.vector("to", Vector3::Constant(unreadable));
  const double length = (beam.to - beam.from).norm();
  if (fields.has("up")) beam.up = fields.direction("up");
  if (const auto elements = fields.find("elements")) beam.elements = read_count(*elements, 1, limits::elements, 1);
  beam.mass_per_length = fields.constant("mass_per_length", unreadable);
  const Dimension bending = dimension::force * dimension::length * dimension::length;
  const Dimension rotary = dimension::mass * dimension::length;
  beam.EI = {unreadable, unreadable};
  if (const auto EI = fields.find("EI")) beam.EI = read_two(*EI, bending);
  if (fields.has("GJ")) beam.GJ = fields.constant("GJ");
  if (fields.has("EA")) beam.EA = fields.constant("EA");
  if (const auto shear = fields.find("shear")) beam.shear = read_two(*shear, dimension::force);
  if (const auto inertia = fields.find("rotary_inertia")) beam.rotary_inertia = read_two(*inertia, rotary);
  if (fields.has("tip_mass")) beam.lumps.push_back({"", length, fields.constant("tip_mass"), Matrix3::Zero()});
  if (const auto masses = fields.find("masses")) {
    if (!masses->is_list()) masses->expected("a list of masses");
    for (std::size_t i = 0; masses->is_list() && i < masses->node.items.size(); ++i)
      beam.lumps.push_back(read_lump(masses->item(i), length));
  }
  if (const auto nodes = fields.find("nodes")) {
    for_each_entry(
        *nodes,
        [&](std::string_view name, const Value& distance) {
          beam.stations.push_back({std::string(name), read_constant(distance, dimension::length)});
        },
        Dots::refused);
  }
  return beam;
}

ModeOptions read_modes(const Value& value) {
  ModeOptions options;
  if (value.is_list()) {
    ModeNumbers numbers;
    for (std::size_t i = 0; i < value.node.items.size(); ++i)
      numbers.numbers.push_back(read_count(value.item(i), 1, limits::modes, 1));
    options.selection = std::move(numbers);
    return options;
  }
  const Fields fields(value, format::modes);
  options.kind = fields.choice_as("kind", ModeKind::component);
  const auto kind = fields.kind();
  if (!kind) return options;
  if (*kind == "count") {
    options.selection = ModeCount{read_count(*fields.find("count"), 0, limits::modes, 1)};
  } else if (*kind == "below") {
    options.selection = ModesBelow{fields.constant("below")};
  } else if (*kind == "effective_mass") {
    options.selection = EffectiveMassFraction{fields.constant("effective_mass")};
  } else {
    ModeNumbers numbers;
    const Value list = *fields.find("numbers");
    if (!list.is_list()) list.expected("a list of whole numbers");
    for (std::size_t i = 0; list.is_list() && i < list.node.items.size(); ++i)
      numbers.numbers.push_back(read_count(list.item(i), 1, limits::modes, 1));
    options.selection = std::move(numbers);
  }
  return options;
}

void read_damping(const Value& value, FlexibleDescription& flexible) {
  if (!value.is_mapping()) {
    flexible.damping_ratios = value.is_list() ? read_constant_list(value, dimension::none)
                                              : std::vector{read_constant(value, dimension::none)};
    for (std::size_t i = 0; i < flexible.damping_ratios.size(); ++i) {
      if (!(flexible.damping_ratios[i] < 0)) continue;
      (value.is_list() ? value.item(i) : value).error("a damping ratio cannot be negative");
    }
    return;
  }
  const Fields fields(value, format::modal_damping);
  const std::vector<double> rayleigh = fields.constant_list("rayleigh");
  if (rayleigh.size() == 2) {
    flexible.rayleigh = {rayleigh[0], rayleigh[1]};
  } else if (const auto field = fields.find("rayleigh"); field && field->is_list()) {
    field->error("expected [a, b] of the damping a M + b K");
  }
}

/// Flexible data of a file. Its name is relative to the folder of the model file.
std::optional<FlexibleData> read_data_file(const Value& value, const std::string& name) {
  if (name.empty()) {
    value.error("expected the name of a file, or of a directory of 42's files");
    return std::nullopt;
  }
  try {
    const std::filesystem::path folder = std::filesystem::path(value.context.source.file()).parent_path();
    FlexibleFile file = read_flexible_file(folder / name);
    for (const std::string& warning : file.warnings) {
      value.context.problems.warning(value.path.text(), fmt::format("{}: {}", name, warning));
    }
    return std::move(file.data);
  } catch (const FlexibleFileError& error) {
    value.error(fmt::format("{}: {}", name, error.text()));
  } catch (const std::invalid_argument& error) {
    value.error(fmt::format("{}: {}", name, error.what()));
  }
  return std::nullopt;
}

nlohmann::ordered_json json_of(const YamlNode& node) {
  nlohmann::ordered_json json;
  if (node.kind == YamlNode::Kind::sequence) {
    json = nlohmann::ordered_json::array();
    for (const YamlNode& item : node.items) json.push_back(json_of(item));
  } else if (node.kind == YamlNode::Kind::mapping) {
    json = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) json[node.items[i].text] = json_of(node.items[i + 1]);
  } else if (node.kind == YamlNode::Kind::scalar) {
    const char *begin = node.text.data(), *end = begin + node.text.size();
    double number = 0;
    const auto [after, error] = std::from_chars(node.text.starts_with('+') ? begin + 1 : begin, end, number);
    if (node.plain && error == std::errc() && after == end && std::isfinite(number)) {
      json = number;
    } else {
      json = node.text;
    }
  }
  return json;
}

/// The same in the model file. Numbers are plain: without units and parameters.
std::optional<FlexibleData> read_data(const Value& value) {
  if (!value.is_mapping()) {
    value.expected("flexible data: frame, stiffness, nodes and so on");
    return std::nullopt;
  }
  nlohmann::ordered_json json = json_of(value.node);
  json["format"] = std::string(flexible_format);
  const std::string path = value.path.text();
  try {
    FlexibleFile file = read_flexible_json(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    for (const std::string& warning : file.warnings) {
      value.context.problems.warning(path, warning);
    }
    return std::move(file.data);
  } catch (const FlexibleFileError& error) {
    value.context.problems.error(error.where.empty() ? path : path + "." + error.where, error.what());
  } catch (const std::invalid_argument& error) {
    value.error(error.what());
  }
  return std::nullopt;
}

}  // namespace

FlexibleDescription read_flexible(const Value& value) {
  const Fields fields(value, format::flexible);
  FlexibleDescription flexible;
  static_cast<void>(fields.kind());
  if (const auto file = fields.find("file")) flexible.given = read_data_file(*file, fields.text("file"));
  if (const auto data = fields.find("data")) flexible.given = read_data(*data);
  if (const auto modes = fields.find("modes"); modes && !fields.has("beam") && modes->node.find("kind") != nullptr) {
    modes->error("'kind' is of the modes of a beam; data have the modes that they have");
  }
  if (const auto beam = fields.find("beam")) flexible.beam = read_beam(*beam);
  flexible.selects_modes = fields.has("modes");
  if (const auto modes = fields.find("modes")) flexible.modes = read_modes(*modes);
  if (const auto damping = fields.find("damping")) read_damping(*damping, flexible);
  flexible.terms = fields.choice_as("terms", FlexibleTerms::stiffened);
  flexible.position = fields.constant_list("initial");
  flexible.rate = fields.constant_list("initial_rates");
  return flexible;
}

}  // namespace gyrostat::reading
