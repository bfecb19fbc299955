// A template as it is declared: its parameters and the names it defines.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gyrostat/format/read_fields.h"
#include "gyrostat/format/scope.h"

namespace gyrostat {

struct TemplateParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::value;
  const YamlNode* key = nullptr;
  const YamlNode* fallback = nullptr;  // null: it must be given
};

struct TemplateBody {
  std::string_view name;
  const YamlNode* node = nullptr;
  std::vector<TemplateParameter> parameters;
  std::unordered_set<std::string_view> locals;                                       // as in Scope
  std::unordered_map<std::string_view, std::unordered_set<std::string_view>> parts;  // as in Scope

  [[nodiscard]] const TemplateParameter* find(std::string_view parameter) const;
  /// "the template 'wheel' has no parameter 'axes'; did you mean 'axis'?"
  [[nodiscard]] std::string no_parameter(std::string_view name) const;
};

/// By name. Points into the tree they were read from.
using Templates = std::unordered_map<std::string, TemplateBody>;

/// The sections of named things that a template may have.
inline constexpr std::array<std::string_view, 5> template_sections = {"tables", "bodies", "joints", "constraints",
                                                                      "signals"};

/// Is the value of such a parameter the name of something outside?
bool is_name(ParameterKind kind);

/// "the name of a body"
std::string_view described(ParameterKind kind);

/// The section `templates`. What is wrong with a template is reported, used or not.
Templates read_templates(const reading::Value& section);

}  // namespace gyrostat
