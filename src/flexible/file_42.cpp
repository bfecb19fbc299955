// Flexible bodies of 42: a file Flex*.txt with mode shapes, modal matrices and modal integrals, and a file Nodes*.txt
// with the places of nodes, which older Flex files have themselves. Lines begin with numbers; what follows them is a
// comment. Lines that begin with '*' are headings. Numbers of modes, nodes and axes count from 0.
#include <charconv>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/tables.h"

namespace gyrostat {

namespace {

namespace fs = std::filesystem;

class Text42 {
 public:
  explicit Text42(const fs::path& path) : name_(path.filename().string()) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) throw FlexibleFileError(name_, "is not a regular file");
    if (fs::file_size(path, error) > flexible_limits::text_bytes) {
      throw FlexibleFileError(name_,
                              fmt::format("is larger than {} MiB, the limit", flexible_limits::text_bytes >> 20U));
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw FlexibleFileError(name_, "cannot be read");
    for (std::string line; std::getline(stream, line);) {
      if (line.ends_with('\r')) line.pop_back();
      lines_.push_back(std::move(line));
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FlexibleFileError(fmt::format("{}:{}", name_, next_), message);
  }

  [[nodiscard]] bool heading_has(std::string_view words) const {
    return next_ < lines_.size() && lines_[next_].starts_with('*') && lines_[next_].find(words) != std::string::npos;
  }

  /// The next line must be the heading with these words.
  void heading(std::string_view words) {
    const bool found = heading_has(words);
    next_line();
    if (!found) fail(fmt::format("expected the heading '{}'", words));
  }

  const std::string& next_line() {
    if (next_ >= lines_.size()) {
      ++next_;
      fail("the file ends here; a part is missing");
    }
    return lines_[next_++];
  }

  /// The numbers at the beginning of the next line.
  std::vector<double> numbers(std::size_t count, std::string_view what) {
    const std::string& line = next_line();
    std::vector<double> list;
    const char *at = line.data(), *end = line.data() + line.size();
    for (std::size_t i = 0; i < count; ++i) {
      while (at < end && (*at == ' ' || *at == '\t')) ++at;
      if (at < end && *at == '+') ++at;
      double number = 0;
      const auto [after, error] = std::from_chars(at, end, number);
      if (error != std::errc() || (after < end && *after != ' ' && *after != '\t' && *after != '!' && *after != '"')) {
        fail(fmt::format("expected {}, number {} of {} is none", what, i + 1, count));
      }
      check_number(number, fmt::format("{}:{}", name_, next_));
      list.push_back(number);
      at = after;
    }
    rest_ = std::string(at, end);
    return list;
  }

  /// What stood behind the numbers.
  [[nodiscard]] const std::string& rest() const { return rest_; }

  std::size_t count(std::string_view what, std::size_t most) { return index(numbers(1, what)[0], most + 1, what); }

  std::size_t index(double number, std::size_t end, std::string_view what) const {
    if (number >= 0 && number < static_cast<double>(end) &&
        number == static_cast<double>(static_cast<std::size_t>(number))) {
      return static_cast<std::size_t>(number);
    }
    fail(fmt::format("{}: expected a whole number from 0 to {}, got {:g}", what, static_cast<double>(end) - 1, number));
  }

 private:
  std::string name_, rest_;
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

/// The one file of the directory whose name begins so, or nothing.
std::optional<fs::path> file_in(const fs::path& directory, const std::string& begin) {
  std::optional<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(".txt")) continue;
    if (found) {
      throw FlexibleFileError("", fmt::format("the directory has several files {}*.txt; one is expected", begin));
    }
    found = entry.path();
  }
  if (error) throw FlexibleFileError("", "the directory cannot be read: " + error.message());
  return found;
}

NodeTable node_at(const std::vector<double>& place, std::size_t number, const std::string& comment) {
  NodeTable node;
  node.position = Vector3(place[0], place[1], place[2]);
  node.name = fmt::format("node{}", number);
  const std::size_t begin = comment.find('"'), end = comment.find('"', begin == std::string::npos ? 0 : begin + 1);
  if (begin == std::string::npos || end == std::string::npos || end == begin + 1) return node;
  const std::string name = comment.substr(begin + 1, end - begin - 1);
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (std::ranges::all_of(name, letter) && std::isalpha(static_cast<unsigned char>(name[0])) != 0) node.name = name;
  return node;
}

std::vector<NodeTable> read_nodes_42(const fs::path& path) {
  Text42 text(path);
  text.next_line();
  text.next_line();
  std::vector<NodeTable> nodes(text.count("the number of nodes", flexible_limits::nodes));
  text.heading("Node Location");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::vector<double> place = text.numbers(3, "the place of a node");
    nodes[i] = node_at(place, i, text.rest());
  }
  return nodes;
}

class Flex42 {
 public:
  explicit Flex42(const fs::path& directory) : directory_(directory) {}

  FlexibleFile read() {
    const auto path = file_in(directory_, "Flex");
    if (!path) throw FlexibleFileError("", "the directory has no file Flex*.txt of 42");
    Text42 text(*path);
    text.next_line();
    text.next_line();
    modes_ = text.count("the number of modes", flexible_limits::modes);
    if (modes_ == 0) text.fail("the body has no modes");
    text.heading("Initial Modal States");
    for (std::size_t i = 0; i < modes_; ++i) text.numbers(2, "coordinate and rate of a mode");
    read_places(text);
    text.heading("Joint Node Mode Shapes");
    const std::size_t at_joints =
        skip_elements(text, "Translation Mode Shape") + skip_elements(text, "Rotation Mode Shape");
    text.heading("Analysis Node Mode Shapes");
    read_shapes(text, "Translation Mode Shape", &NodeShape::translation);
    read_shapes(text, "Rotation Mode Shape", &NodeShape::rotation);
    tables_.mass = matrix(text, "Mass Matrix");
    tables_.stiffness = matrix(text, "Stiffness Matrix");
    tables_.damping = matrix(text, "Damping Matrix");
    read_integrals(text);
    const std::string name = path->filename().string();
    FlexibleFile file = data_of(tables_, [&](const std::string& field, std::optional<std::size_t> node) {
      return node ? fmt::format("{}, {} of node {}", name, field, *node) : fmt::format("{}, {} matrix", name, field);
    });
    if (at_joints > 0) {
      file.warnings.push_back(fmt::format(
          "{}: the mode shapes at joints are left out: where joints are is not in these files; attach to nodes", name));
    }
    return file;
  }

 private:
  void read_places(Text42& text) {
    if (text.heading_has("Analysis Node Locations")) {
      text.next_line();
      tables_.nodes.resize(text.count("the number of nodes", flexible_limits::nodes));
      for (std::size_t i = 0; i < tables_.nodes.size(); ++i) {
        const std::vector<double> place = text.numbers(4, "number and place of a node");
        tables_.nodes[i] = node_at({place[1], place[2], place[3]}, i, "");
      }
    } else {
      const auto path = file_in(directory_, "Nodes");
      if (!path) throw FlexibleFileError("", "the directory has no file Nodes*.txt of 42");
      tables_.nodes = read_nodes_42(*path);
    }
    const auto m = static_cast<Eigen::Index>(modes_);
    for (NodeTable& node : tables_.nodes) {
      node.shape.translation.setZero(3, m);
      node.shape.rotation.setZero(3, m);
    }
  }

  static constexpr std::size_t most_elements = 10'000'000;

  static std::size_t skip_elements(Text42& text, std::string_view heading) {
    text.heading(heading);
    const std::size_t count = text.count("the number of elements", most_elements);
    for (std::size_t i = 0; i < count; ++i) text.numbers(4, "mode, joint, axis and value");
    return count;
  }

  void read_shapes(Text42& text, std::string_view heading, Eigen::Matrix3Xd NodeShape::*shape) {
    text.heading(heading);
    const std::size_t count = text.count("the number of elements", most_elements);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double> element = text.numbers(4, "mode, node, axis and value");
      const std::size_t mode = text.index(element[0], modes_, "mode"),
                        node = text.index(element[1], tables_.nodes.size(), "node"),
                        axis = text.index(element[2], 3, "axis");
      (tables_.nodes[node].shape.*shape)(static_cast<Eigen::Index>(axis), static_cast<Eigen::Index>(mode)) = element[3];
    }
  }

  Eigen::MatrixXd matrix(Text42& text, std::string_view heading) const {
    text.heading(heading);
    const std::size_t count = text.count("the number of elements", most_elements);
    const auto m = static_cast<Eigen::Index>(modes_);
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(m, m);
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<double> element = text.numbers(3, "row, column and value");
      result(static_cast<Eigen::Index>(text.index(element[0], modes_, "row")),
             static_cast<Eigen::Index>(text.index(element[1], modes_, "column"))) = element[2];
    }
    return result;
  }

  Eigen::Matrix3Xd vectors(Text42& text, std::string_view heading) const {
    text.heading(heading);
    Eigen::Matrix3Xd result(3, static_cast<Eigen::Index>(modes_));
    for (Eigen::Index i = 0; i < result.cols(); ++i) {
      const std::vector<double> v = text.numbers(3, "x, y and z of a mode");
      result.col(i) = Vector3(v[0], v[1], v[2]);
    }
    return result;
  }

  void read_integrals(Text42& text) {
    MassIntegrals given;
    given.momentum = vectors(text, "Linear Momentum Modal Integral");
    given.angular_momentum = vectors(text, "Angular Momentum Modal Integral");
    given.first.assign(modes_, Matrix3::Zero());
    given.second.assign(modes_ * modes_, Matrix3::Zero());
    const auto read = [&](std::string_view heading, std::size_t indices, std::vector<Matrix3>& list) {
      text.heading(heading);
      const std::size_t count = text.count("the number of elements", most_elements);
      for (std::size_t k = 0; k < count; ++k) {
        const std::vector<double> element = text.numbers(indices + 1, "indices and value");
        const auto i = static_cast<Eigen::Index>(text.index(element[0], 3, "row")),
                   j = static_cast<Eigen::Index>(text.index(element[1], 3, "column"));
        std::size_t place = text.index(element[2], modes_, "mode");
        if (indices == 4) place = place * modes_ + text.index(element[3], modes_, "mode");
        list[place](i, j) = element[indices];
      }
    };
    read("Linear Modal Integral", 3, given.first);
    read("Angular Modal Integral", 4, given.second);
    tables_.integrals = std::move(given);
  }

  fs::path directory_;
  FlexibleTables tables_;
  std::size_t modes_ = 0;
};

}  // namespace

FlexibleFile read_flexible_42(const fs::path& directory) { return Flex42(directory).read(); }

}  // namespace gyrostat
