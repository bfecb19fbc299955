// What names mean inside an instance of a template, and parts of the tree written with the names of the whole model.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "gyrostat/format/format.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/format/yaml_tree.h"

namespace gyrostat {

/// In the order of format::parameter_kinds.
enum class ParameterKind : std::uint8_t { number, signal, body, joint, table, value };

struct Scope;

/// A parameter of a template with the value it has in an instance.
struct Binding {
  ParameterKind kind = ParameterKind::value;
  const YamlNode* node = nullptr;  // what was given, or the default
  const Scope* scope = nullptr;    // where that is written
  std::string name = {};           // of a body, joint or table: its name in the model
};

/// The names of an instance. That of the model itself has no prefix and no names of its own.
struct Scope {
  std::string prefix = {};     // "rw.a."
  std::uint32_t instance = 0;  // in the Source
  std::unordered_map<std::string_view, Binding> parameters = {};
  std::unordered_set<std::string_view> locals = {};  // of what the template defines
  /// Names of points and wheels that the template adds to bodies outside, by the parameter that is the body.
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> parts = {};
};

/// Writes values of a template as they are in the model. Origins are added to `source`; problems are reported.
class ScopedCopy {
 public:
  ScopedCopy(Source& source, Problems& problems) : source_(source), problems_(problems) {}

  /// A value of that form. `owner` is the mapping it stands in, if any.
  YamlNode value(const YamlNode& node, const FieldFormat& field, const Scope& scope, const YamlNode* owner = nullptr);
  /// A key with the prefix of the instance.
  YamlNode defined_name(const YamlNode& key, const Scope& scope);
  /// As it is written.
  YamlNode literal(const YamlNode& node, const Scope& scope);

  /// What a name with or without dots is called in the model.
  static std::string full_name(std::string_view name, const Scope& scope);

  /// Have the templates made more than the limit? Then nothing more is copied.
  [[nodiscard]] bool too_large() const;

 private:
  YamlNode object(const YamlNode& node, const ObjectFormat& format, const Scope& scope);
  YamlNode map(const YamlNode& node, const FieldFormat& entry, const Scope& scope);
  YamlNode list(const YamlNode& node, const FieldFormat& entry, const Scope& scope);
  YamlNode expressions(const YamlNode& node, const Scope& scope);
  YamlNode reference(const YamlNode& node, const Scope& scope);
  YamlNode coordinates(const YamlNode& node, const Scope& scope);
  YamlNode point(const YamlNode& node, const YamlNode* body, const Scope& scope);
  YamlNode attachment(const YamlNode& node, const Scope& scope);
  YamlNode path(const YamlNode& node, const Scope& scope);

  /// The node without what is inside it.
  YamlNode shell(const YamlNode& node, const Scope& scope);
  void rename(YamlNode& node, const Scope& scope);
  std::uint32_t origin_in(const YamlNode& node, const Scope& scope);

  Source& source_;
  Problems& problems_;
  std::size_t copied_ = 0;                                    // nodes
  std::size_t depth_ = 0;                                     // of values given for values
  std::unordered_map<std::uint64_t, std::uint32_t> origins_;  // by the origin in the template and the instance
};

}  // namespace gyrostat
