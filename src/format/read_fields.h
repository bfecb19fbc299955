// Reading values out of the YAML tree: every function reports what is wrong at the place where it stands, and returns
// something harmless, so that reading goes on and all problems are found at once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyrostat/format/description.h"
#include "gyrostat/format/format.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat::reading {

struct Context {
  const Source& source;
  Problems& problems;
  std::unordered_map<std::string, expression::Constant> parameters;  // those evaluated so far
  std::vector<std::string> parameter_names;                          // all of them
};

/// "line 12", or "line 12 of wheels.yaml" where that is another file than the one `seen_from` is in.
std::string line_of(const YamlNode& node, const YamlNode& seen_from, const Source& source);

/// Where a value stands in the model: a chain through the values that hold it, made into text only for messages.
struct Path {
  const Path* outer = nullptr;
  std::string_view name = {};
  std::optional<std::size_t> index = {};

  [[nodiscard]] std::string text() const;
};

/// A node that is being read. Lives on the stack: values inside it point at its path.
struct Value {
  const YamlNode& node;
  Path path;
  Context& context;

  [[nodiscard]] bool is_scalar() const { return node.kind == YamlNode::Kind::scalar; }
  [[nodiscard]] bool is_list() const { return node.kind == YamlNode::Kind::sequence; }
  [[nodiscard]] bool is_mapping() const { return node.kind == YamlNode::Kind::mapping; }
  [[nodiscard]] bool is_null() const { return node.kind == YamlNode::Kind::null; }

  void error(std::string message) const { error_at(0, std::move(message)); }
  /// At the name of an entry of a mapping.
  void error_at_name(std::string message) const;
  /// At a byte inside a scalar.
  void error_at(std::size_t offset, std::string message) const;
  /// "expected three numbers, got a mapping"
  void expected(std::string_view what) const;

  [[nodiscard]] Value item(std::size_t i) const { return {node.items[i], {&path, {}, i}, context}; }
};

/// A mapping read against its format: unknown, repeated and missing fields are reported at once.
class Fields {
 public:
  Fields(const Value& value, const ObjectFormat& format);

  /// The field, if it is there. Precondition: the format knows it.
  [[nodiscard]] std::optional<Value> find(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return find(name).has_value(); }
  [[nodiscard]] const Value& value() const { return value_; }

  /// Reports that a field is missing, unless it is there under a misspelt name, which has been reported.
  void missing(std::string_view name, std::string_view why) const;

  /// The one field of the format's `one_of`; nothing if there is none or several, which is reported.
  [[nodiscard]] std::optional<std::string_view> kind() const;

  // The field of that name, or the fallback where it is absent. Dimensions come from the format.
  [[nodiscard]] double constant(std::string_view name, double fallback = 0) const;
  /// Whatever it measures.
  [[nodiscard]] double measured(std::string_view name, double fallback) const;
  [[nodiscard]] std::vector<double> constant_list(std::string_view name) const;
  /// The same; an empty list is reported.
  [[nodiscard]] std::vector<double> filled_list(std::string_view name) const;
  [[nodiscard]] Vector3 vector(std::string_view name, const Vector3& fallback = Vector3::Zero()) const;
  [[nodiscard]] Vector3 direction(std::string_view name) const;
  [[nodiscard]] bool boolean(std::string_view name, bool fallback = false) const;
  [[nodiscard]] std::string text(std::string_view name, std::string_view fallback = "") const;
  [[nodiscard]] std::vector<std::string> names(std::string_view name) const;
  [[nodiscard]] Expression dynamic(std::string_view name) const;
  [[nodiscard]] std::vector<Expression> dynamic_list(std::string_view name) const;

  /// The number of a choice in its list.
  [[nodiscard]] std::size_t choice(std::string_view name, std::size_t fallback = 0) const;
  template <class Enum>
  [[nodiscard]] Enum choice_as(std::string_view name, Enum fallback) const {
    return static_cast<Enum>(choice(name, static_cast<std::size_t>(fallback)));
  }

 private:
  [[nodiscard]] Dimension dimension_of(std::string_view name) const { return format_.find(name)->dimension; }

  const Value& value_;
  const ObjectFormat& format_;
  bool has_unknown_ = false;
  std::vector<std::string> misspelt_;  // the known names that unknown ones may stand for
};

/// May a name have dots, as those that templates make? `rw.a.motor`
enum class Dots { allowed, refused };

/// Calls `read(name, value)` for each entry of a mapping of named things; checks the names.
void for_each_entry(const Value& value, const std::function<void(std::string_view name, const Value& value)>& read,
                    Dots dots = Dots::allowed);

/// Reports a name that is not one, or is reserved.
void check_name(const Value& at, std::string_view name, Dots dots);

double read_constant(const Value& value, const Dimension& dimension);
/// The number, or, reported, one that nothing can be computed with.
double within_limits(const Value& value, double number);
/// With what it measures, where that is known.
expression::Constant read_measured(const Value& value);
/// A coefficient of a coordinate: of any unit.
double read_coupling_coefficient(const Value& value);
std::vector<double> read_constant_list(const Value& value, const Dimension& dimension);
/// One for each dimension; a single constant serves for all.
std::vector<double> read_constants(const Value& value, const std::vector<Dimension>& dimensions);
std::vector<std::vector<double>> read_matrix(const Value& value);
/// One number, or three of a vector.
std::vector<expression::Constant> read_parameter(const Value& value);
Vector3 read_vector(const Value& value, const Dimension& dimension);
/// Of unit length; a zero vector is reported.
Vector3 read_direction(const Value& value);
std::vector<Vector3> read_directions(const Value& value, std::size_t least, std::size_t most);
Matrix3 read_orientation(const Value& value);
Matrix3 read_inertia(const Value& value);
Coefficient read_coefficient(const Value& value, const Dimension& dimension);
/// The same, or an expression.
Coefficient read_dynamic_coefficient(const Value& value, const Dimension& dimension);
std::vector<Coefficient> read_coefficients(const Value& value, const std::vector<Dimension>& dimensions);
/// Without a dimension, a quantity of any unit will do.
Expression read_dynamic(const Value& value, const std::optional<Dimension>& dimension);
std::vector<Expression> read_dynamics(const Value& value, const std::vector<Dimension>& dimensions);
std::vector<Expression> read_dynamic_list(const Value& value);
std::vector<Expression> read_dynamic_vector(const Value& value, const Dimension& dimension);
bool read_boolean(const Value& value);
long read_integer(const Value& value);
std::string read_text(const Value& value);
/// Text that is not empty.
std::string read_name(const Value& value);
std::vector<std::string> read_names(const Value& value);
PointReference read_point(const Value& value, std::string body);
PointReference read_attachment(const Value& value);

}  // namespace gyrostat::reading
