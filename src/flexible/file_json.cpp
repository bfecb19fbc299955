// Flexible data as JSON.
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/tables.h"

namespace gyrostat {

namespace {

using JsonValue = nlohmann::ordered_json;

/// A value and where it stands.
struct JsonAt {
  const JsonValue& value;
  std::string path;

  [[noreturn]] void fail(const std::string& message) const { throw FlexibleFileError(path, message); }

  [[nodiscard]] JsonAt item(std::size_t i) const { return {value[i], fmt::format("{}[{}]", path, i)}; }
  [[nodiscard]] JsonAt field(const std::string& name) const {
    return {value[name], path.empty() ? name : path + "." + name};
  }
  [[nodiscard]] bool has(const char* name) const { return value.contains(name) && !value[name].is_null(); }

  void expect_fields(const std::vector<std::string>& known) const {
    if (!value.is_object()) fail("expected an object with fields");
    for (const auto& [name, unused] : value.items()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail(fmt::format("unknown field '{}'; the fields are {}", name, fmt::join(known, ", ")));
    }
  }

  [[nodiscard]] JsonAt required(const char* name) const {
    if (!has(name)) fail(fmt::format("the field '{}' is missing", name));
    return field(name);
  }

  [[nodiscard]] double number() const {
    if (!value.is_number()) fail("expected a number");
    const double x = value.get<double>();
    check_number(x, path);
    return x;
  }

  void expect_list(std::size_t size, const std::string& what) const {
    if (value.is_array() && value.size() == size) return;
    fail(fmt::format("expected {}, got {}", what,
                     value.is_array() ? fmt::format("{}", value.size()) : std::string("no list")));
  }

  [[nodiscard]] Vector3 vector() const {
    expect_list(3, "3 numbers");
    return {item(0).number(), item(1).number(), item(2).number()};
  }

  [[nodiscard]] Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) const {
    expect_list(static_cast<std::size_t>(rows), fmt::format("{} rows", rows));
    Eigen::MatrixXd result(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const JsonAt row = item(static_cast<std::size_t>(i));
      row.expect_list(static_cast<std::size_t>(columns), fmt::format("{} numbers", columns));
      for (Eigen::Index j = 0; j < columns; ++j) result(i, j) = row.item(static_cast<std::size_t>(j)).number();
    }
    return result;
  }

  /// Rows, or the elements of the diagonal.
  [[nodiscard]] Eigen::MatrixXd square(Eigen::Index size) const {
    expect_list(static_cast<std::size_t>(size), fmt::format("{} rows, or as many numbers of the diagonal", size));
    if (!value.empty() && !value.front().is_number()) return matrix(size, size);
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index i = 0; i < size; ++i) result(i, i) = item(static_cast<std::size_t>(i)).number();
    return result;
  }

  template <std::size_t N>
  [[nodiscard]] std::array<Eigen::MatrixXd, N> squares(Eigen::Index size) const {
    expect_list(N, fmt::format("{} matrices", N));
    std::array<Eigen::MatrixXd, N> list;
    for (std::size_t k = 0; k < N; ++k) list[k] = item(k).square(size);
    return list;
  }
};

NodeTable read_node(const JsonAt& at, std::string name, Eigen::Index modes) {
  at.expect_fields({"name", "position", "mass", "com", "inertia", "translation", "rotation", "translation2",
                    "rotation2", "force_stiffness"});
  const Eigen::Index pairs = modes * (modes + 1) / 2;
  NodeTable node;
  node.name = std::move(name);
  if (at.has("name")) {
    if (!at.value["name"].is_string()) at.field("name").fail("expected a text");
    node.name = at.value["name"].get<std::string>();
  }
  node.position = at.required("position").vector();
  if (at.has("mass")) node.mass = at.field("mass").number();
  if (at.has("com")) node.com = at.field("com").vector();
  if (at.has("inertia")) node.inertia = at.field("inertia").square(3);
  const auto shape = [&](const char* field, Eigen::Index columns) -> Eigen::Matrix3Xd {
    return at.has(field) ? at.field(field).matrix(3, columns) : Eigen::MatrixXd::Zero(3, columns);
  };
  node.shape.translation = shape("translation", modes);
  node.shape.rotation = shape("rotation", modes);
  if (at.has("translation2") || at.has("rotation2")) {
    node.shape.translation2 = shape("translation2", pairs);
    node.shape.rotation2 = shape("rotation2", pairs);
  }
  if (at.has("force_stiffness")) node.force_stiffness = at.field("force_stiffness").squares<3>(modes);
  return node;
}

void read_nodes(const JsonAt& at, Eigen::Index modes, FlexibleTables& tables) {
  if (!at.value.is_array() && !at.value.is_object()) at.fail("expected a list of nodes, or nodes by name");
  if (at.value.size() > flexible_limits::nodes) {
    at.fail(fmt::format("{} nodes are more than {}, the limit", at.value.size(), flexible_limits::nodes));
  }
  for (std::size_t i = 0; at.value.is_array() && i < at.value.size(); ++i) {
    tables.nodes.push_back(read_node(at.item(i), "", modes));
  }
  if (!at.value.is_object()) return;
  for (const auto& [name, unused] : at.value.items()) {
    tables.nodes.push_back(read_node(at.field(name), name, modes));
  }
}

FlexibleTables read_tables(const JsonAt& root) {
  root.expect_fields({"format", "frame", "mass", "stiffness", "damping", "nodes", "geometric_stiffness"});
  const JsonAt format = root.required("format");
  if (format.value != std::string(flexible_format)) {
    format.fail(fmt::format("expected \"{}\", the format that this version of Gyrostat reads", flexible_format));
  }
  FlexibleTables tables;
  const JsonAt stiffness = root.required("stiffness");
  if (!stiffness.value.is_array() || stiffness.value.empty()) {
    stiffness.fail("expected a matrix with a row for each mode, or a list of the elements of its diagonal");
  }
  if (stiffness.value.size() > flexible_limits::modes) {
    stiffness.fail(fmt::format("{} modes are more than {}, the limit", stiffness.value.size(), flexible_limits::modes));
  }
  const auto modes = static_cast<Eigen::Index>(stiffness.value.size());
  tables.stiffness = stiffness.square(modes);
  if (root.has("mass")) tables.mass = root.field("mass").square(modes);
  if (root.has("damping")) tables.damping = root.field("damping").square(modes);
  if (!root.value.contains("frame")) {
    root.fail("the field 'frame' is missing: the name of the node at which all shapes vanish, or null if it floats");
  }
  if (root.has("frame")) {
    if (!root.value["frame"].is_string()) root.field("frame").fail("expected the name of a node, or null");
    tables.frame = root.value["frame"].get<std::string>();
    if (tables.frame.empty()) root.field("frame").fail("expected the name of a node, or null");
  }
  read_nodes(root.required("nodes"), modes, tables);
  if (root.has("geometric_stiffness")) {
    const JsonAt given = root.field("geometric_stiffness");
    given.expect_fields({"acceleration", "angular_acceleration", "spin"});
    tables.unit_loads =
        UnitLoads{given.required("acceleration").squares<3>(modes),
                  given.required("angular_acceleration").squares<3>(modes), given.required("spin").squares<6>(modes)};
  }
  return tables;
}

/// The document. A name that an object has twice is an error.
JsonValue parsed(std::string_view text) {
  std::vector<std::set<std::string>> names;
  const auto note = [&](int, JsonValue::parse_event_t event, JsonValue& value) {
    if (event == JsonValue::parse_event_t::object_start) names.emplace_back();
    if (event == JsonValue::parse_event_t::object_end) names.pop_back();
    if (event == JsonValue::parse_event_t::key && !names.back().insert(value.get<std::string>()).second) {
      throw FlexibleFileError(value.get<std::string>(), "the field is given twice");
    }
    if (names.size() > 8) throw FlexibleFileError("", "objects are nested too deeply");
    return true;
  };
  try {
    return JsonValue::parse(text, note);
  } catch (const JsonValue::exception& error) {
    const std::string what = error.what();
    const std::size_t begin = what.find("] ");
    throw FlexibleFileError("", "is not JSON: " + (begin == std::string::npos ? what : what.substr(begin + 2)));
  }
}

class JsonText {
 public:
  static std::string number(double x) { return x == 0 && std::signbit(x) ? "-0.0" : fmt::format("{}", x); }

  template <class Vector>
  static std::string list(const Vector& v) {
    std::string text = "[";
    for (Eigen::Index i = 0; i < v.size(); ++i) text += (i > 0 ? ", " : "") + number(v(i));
    return text + "]";
  }

  /// On one line.
  static std::string row_list(const Matrix3& m) {
    return fmt::format("[{}, {}, {}]", list(m.row(0)), list(m.row(1)), list(m.row(2)));
  }

  template <class Matrix>
  static std::string rows(const Matrix& m, const std::string& indent) {
    std::string text = "[";
    for (Eigen::Index i = 0; i < m.rows(); ++i) text += (i > 0 ? ",\n" + indent : "") + list(m.row(i));
    return text + "]";
  }

  template <class List>
  static std::string matrices(const List& matrices, const std::string& indent) {
    std::string text = "[";
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      text += (k > 0 ? ",\n" + indent : "") + rows(matrices[k], indent + " ");
    }
    return text + "]";
  }
};

std::string node_text(const FlexibleNode& node, const FlexibleData& data) {
  const std::string indent(8, ' ');
  std::string text = "    {";
  if (!node.name.empty()) text += fmt::format("\"name\": {}, ", JsonValue(node.name).dump());
  text += fmt::format("\"position\": {}", JsonText::list(node.position));
  text += fmt::format(",\n     \"mass\": {}, \"inertia\": {}", JsonText::number(node.mass),
                      JsonText::row_list(node.inertia));
  const auto add = [&](const char* name, const std::string& value) {
    text += fmt::format(",\n     \"{}\":\n       {}", name, value);
  };
  add("translation", JsonText::rows(node.shape.translation, indent));
  add("rotation", JsonText::rows(node.shape.rotation, indent));
  if (data.unit_loads) {
    add("force_stiffness", JsonText::matrices(force_stiffness(node), indent));
  } else if (data.second_order) {
    add("translation2", JsonText::rows(node.shape.translation2, indent));
    add("rotation2", JsonText::rows(node.shape.rotation2, indent));
  }
  return text + "}";
}

}  // namespace

FlexibleFile read_flexible_json(std::string_view text) {
  if (text.size() > flexible_limits::json_bytes) {
    throw FlexibleFileError("", fmt::format("is larger than {} MiB, the limit for JSON; HDF5 may be larger",
                                            flexible_limits::json_bytes >> 20U));
  }
  const JsonValue root = parsed(text);
  const FlexibleTables tables = read_tables({root, ""});
  const bool named = root["nodes"].is_object();
  return data_of(tables, [&](const std::string& field, std::optional<std::size_t> node) {
    if (!node) return field;
    return named ? fmt::format("nodes.{}.{}", tables.nodes[*node].name, field)
                 : fmt::format("nodes[{}].{}", *node, field);
  });
}

std::string flexible_json(const FlexibleData& data) {
  check_writable(data);
  const std::string indent(4, ' ');
  std::string text = fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"frame\": {},\n", flexible_format,
      data.frame_node == FlexibleData::floating ? "null" : JsonValue(data.nodes[data.frame_node].name).dump());
  text += fmt::format("  \"mass\": {},\n", JsonText::list(data.mass.diagonal()));
  text += fmt::format("  \"stiffness\": {},\n", JsonText::list(data.stiffness.diagonal()));
  text += fmt::format("  \"damping\":\n   {},\n", JsonText::rows(data.damping, indent));
  if (data.unit_loads) {
    text += fmt::format("  \"geometric_stiffness\": {{\n   \"acceleration\":\n   {},\n",
                        JsonText::matrices(data.unit_loads->acceleration, indent));
    text += fmt::format("   \"angular_acceleration\":\n   {},\n",
                        JsonText::matrices(data.unit_loads->angular_acceleration, indent));
    text += fmt::format("   \"spin\":\n   {}}},\n", JsonText::matrices(data.unit_loads->spin, indent));
  }
  text += "  \"nodes\": [\n";
  for (std::size_t i = 0; i < data.nodes.size(); ++i) text += (i > 0 ? ",\n" : "") + node_text(data.nodes[i], data);
  return text + "\n  ]\n}\n";
}

}  // namespace gyrostat
