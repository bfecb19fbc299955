#include "gyrostat/format/templates.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_fields.h"
#include "gyrostat/format/scope.h"
#include "gyrostat/format/template_body.h"

namespace gyrostat {

using namespace reading;  // NOLINT(google-build-using-namespace): values of the tree are read as there

namespace {

/// An entry of a section, as the section's field says.
FieldFormat entry_of(const FieldFormat& section) {
  FieldFormat entry = section;
  entry.form = section.object != nullptr ? Form::object : Form::dynamic;
  return entry;
}

std::string instance_name(const Scope& scope) { return scope.prefix.substr(0, scope.prefix.size() - 1); }

/// The sections as format::model lists them; what is unknown last.
YamlNode in_order(YamlNode tree) {
  const auto& fields = format::model.fields;
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> order;  // place in the list; in the tree
  for (std::size_t i = 0; i + 1 < tree.items.size(); i += 2) {
    const auto field = std::ranges::find(fields, tree.items[i].text, &FieldFormat::name);
    order.emplace_back(field - fields.begin(), i);
  }
  std::ranges::sort(order);
  std::vector<YamlNode> items;
  for (const auto& [place, i] : order) {
    items.push_back(std::move(tree.items[i]));
    items.push_back(std::move(tree.items[i + 1]));
  }
  tree.items = std::move(items);
  return tree;
}

/// What a template adds to a body outside.
struct Addition {
  std::string body;
  const YamlNode* given = nullptr;  // where the body is named
  const FieldFormat* field = nullptr;
  YamlNode parts;
};

class Expansion {
 public:
  Expansion(const YamlNode& root, Source& source, Problems& problems)
      : root_(root), source_(source), context_{source, problems, {}, {}}, copy_(source, problems) {}

  YamlNode run() {
    const Value whole{root_, {}, context_};
    if (const YamlNode* node = root_.find("templates"))
      templates_ = read_templates(Value{*node, {&whole.path, "templates", {}}, context_});
    if (context_.problems.errors() > 0) return root_;
    copy_model();
    if (const YamlNode* node = root_.find("instances"))
      add_instances(Value{*node, {&whole.path, "instances", {}}, context_}, global_);
    add_to_bodies();
    return in_order(std::move(result_));
  }

 private:
  void copy_model() {
    result_.kind = root_.kind;
    result_.line = root_.line;
    result_.column = root_.column;
    result_.origin = root_.origin;
    for (std::size_t i = 0; i + 1 < root_.items.size(); i += 2) {
      const YamlNode &key = root_.items[i], &value = root_.items[i + 1];
      if (key.text == "templates" || key.text == "instances") continue;
      const FieldFormat* field = format::model.find(key.text);
      result_.items.push_back(key);
      result_.items.push_back(field != nullptr ? copy_.value(value, *field, global_) : value);
    }
  }

  /// A section of the model, made if it is not there. What cannot be added to is left to the reader.
  std::vector<YamlNode>* section(std::string_view name, YamlNode::Kind kind, const YamlNode& at) {
    YamlNode* found = result_.find(name);
    if (found == nullptr) {
      YamlNode key = at, value = at;
      key.kind = YamlNode::Kind::scalar;
      key.text = name;
      key.items.clear();
      value.kind = YamlNode::Kind::null;
      value.items.clear();
      result_.items.push_back(std::move(key));
      result_.items.push_back(std::move(value));
      found = &result_.items.back();
    }
    if (found->kind == YamlNode::Kind::null) found->kind = kind;
    return found->kind == kind ? &found->items : nullptr;
  }

  void add_entry(std::string_view section_name, YamlNode key, YamlNode value) {
    if (auto* items = section(section_name, YamlNode::Kind::mapping, key)) {
      items->push_back(std::move(key));
      items->push_back(std::move(value));
    }
  }

  void add_instances(const Value& instances, const Scope& scope) {
    for_each_entry(
        instances,
        [&](std::string_view name, const Value& value) {
          if (&scope == &global_ && is_taken(name, value)) return;
          const std::size_t errors = context_.problems.errors_found();
          const Fields fields(value, format::instance);
          if (context_.problems.errors_found() > errors) return;
          const auto of = fields.find("template");
          const TemplateBody* body = find_template(*of);
          if (body == nullptr) return;
          const auto with = fields.find("with"), each = fields.find("for");
          const std::string prefix = fmt::format("{}{}.", scope.prefix, name);
          if (!each) return add_instance(*body, prefix, value, with ? &*with : nullptr, nullptr, scope);
          if (each->is_null() || (each->is_mapping() && each->node.items.empty()))
            return each->error("expected names of instances with the values of their parameters, got none");
          for_each_entry(
              *each,
              [&](std::string_view one, const Value& given) {
                add_instance(*body, fmt::format("{}{}.", prefix, one), given, with ? &*with : nullptr, &given, scope);
              },
              Dots::refused);
        },
        Dots::refused);
  }

  /// Names that begin with that of a body could be taken for parts of it.
  bool is_taken(std::string_view name, const Value& instance) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> sections = {
        {{"bodies", "body"}, {"joints", "joint"}, {"signals", "signal"}, {"parameters", "parameter"}}};
    if (taken_.empty()) {
      for (const auto& [section_name, what] : sections) {
        const YamlNode* entries = root_.find(section_name);
        for (std::size_t i = 0; entries != nullptr && i + 1 < entries->items.size(); i += 2)
          taken_.emplace(entries->items[i].text, what);
      }
    }
    const auto found = taken_.find(name);
    if (found == taken_.end()) return false;
    instance.error_at_name(
        fmt::format("'{}' is the name of a {} too; give the instance another name", name, found->second));
    return true;
  }

  const TemplateBody* find_template(const Value& of) {
    const std::string name = read_name(of);
    const auto found = templates_.find(name);
    const auto used = std::ranges::find(open_, name);
    if (used != open_.end()) {
      of.error(fmt::format("a template uses itself: {} -> {}", fmt::join(used, open_.end(), " -> "), name));
    } else if (found != templates_.end()) {
      return &found->second;
    } else if (of.is_scalar() && !name.empty()) {
      std::vector<std::string_view> known;
      for (const auto& entry : templates_) known.push_back(entry.first);
      of.error(fmt::format("no template '{}'{}", name, did_you_mean(name, known)));
    }
    return nullptr;
  }

  void add_instance(const TemplateBody& body, const std::string& prefix, const Value& at, const Value* with,
                    const Value* given, const Scope& outer) {
    if (copy_.too_large() || count_ > limits::instances) return;
    if (++count_ > limits::instances)
      return at.error_at_name(fmt::format("more than {} instances of templates", limits::instances));
    if (open_.size() >= limits::template_depth)
      return at.error_at_name(fmt::format("templates use each other more than {} deep", limits::template_depth));
    Scope scope;
    scope.prefix = prefix;
    const YamlNode& key = *(&at.node - 1);
    scope.instance =
        source_.add_instance(fmt::format("the instance '{}' of the template '{}' ({})", instance_name(scope), body.name,
                                         where(place_in(key, source_, 0), source_)));
    scope.locals = body.locals;
    scope.parts = body.parts;
    if (!bind(body, at, with, given, outer, scope)) return;
    open_.push_back(std::string(body.name));
    add_parameters(body, scope);
    add_sections(body, scope);
    open_.pop_back();
  }

  /// Gives every parameter its value: that of the instance, that of all instances beside it, or the default.
  bool bind(const TemplateBody& body, const Value& at, const Value* with, const Value* given, const Scope& outer,
            Scope& scope) {
    const std::size_t errors = context_.problems.errors_found();
    for (const Value* values : {with, given}) {
      if (values == nullptr) continue;
      for_each_entry(
          *values,
          [&](std::string_view name, const Value& value) {
            const TemplateParameter* parameter = body.find(name);
            if (parameter == nullptr) return value.error_at_name(body.no_parameter(name));
            if (value.is_null()) return value.expected(described(parameter->kind));
            bind_one(*parameter, value, outer, scope);
          },
          Dots::refused);
    }
    if (context_.problems.errors_found() > errors)
      return false;  // one that is missing may be there under a misspelt name
    for (const TemplateParameter& parameter : body.parameters) {
      if (scope.parameters.contains(parameter.name)) continue;
      if (parameter.fallback == nullptr) {
        at.error_at_name(fmt::format("the template '{}' needs the parameter '{}': {}", body.name, parameter.name,
                                     described(parameter.kind)));
        continue;
      }
      const Value fallback{*parameter.fallback, {nullptr, parameter.name, {}}, context_};
      bind_one(parameter, fallback, scope, scope);
    }
    return context_.problems.errors_found() == errors;
  }

  void bind_one(const TemplateParameter& parameter, const Value& value, const Scope& written_in, Scope& scope) {
    Binding binding{parameter.kind, &value.node, &written_in, {}};
    if (is_name(parameter.kind)) {
      if (!value.is_scalar() || value.node.text.empty()) return value.expected(described(parameter.kind));
      // A default that is a name stands in the template, where it is that of something outside.
      binding.name = &written_in == &scope ? value.node.text : ScopedCopy::full_name(value.node.text, written_in);
    }
    scope.parameters.insert_or_assign(parameter.name, std::move(binding));
  }

  void add_parameters(const TemplateBody& body, const Scope& scope) {
    for (const TemplateParameter& parameter : body.parameters) {
      const bool number = parameter.kind == ParameterKind::number;
      if (!number && parameter.kind != ParameterKind::signal) continue;
      const Binding& binding = scope.parameters.at(parameter.name);
      const std::string_view section_name = number ? "parameters" : "signals";
      add_entry(section_name, copy_.defined_name(*parameter.key, scope),
                copy_.value(*binding.node, entry_of(*format::model.find(section_name)), *binding.scope));
    }
  }

  void add_sections(const TemplateBody& body, const Scope& scope) {
    for (const std::string_view name : template_sections) {
      const YamlNode* entries = body.node->find(name);
      const FieldFormat entry = entry_of(*format::model.find(name));
      for (std::size_t i = 0; entries != nullptr && i + 1 < entries->items.size(); i += 2) {
        const YamlNode &key = entries->items[i], &value = entries->items[i + 1];
        const auto parameter = scope.parameters.find(key.text);
        if (name == "bodies" && parameter != scope.parameters.end()) {
          add_parts(value, parameter->second, scope);
        } else {
          add_entry(name, copy_.defined_name(key, scope), copy_.value(value, entry, scope));
        }
      }
    }
    if (const YamlNode* loads = body.node->find("loads")) {
      YamlNode copied = copy_.value(*loads, *format::model.find("loads"), scope);
      if (auto* items = section("loads", YamlNode::Kind::sequence, *loads))
        std::ranges::move(copied.items, std::back_inserter(*items));
    }
    if (const YamlNode* instances = body.node->find("instances")) {
      const Path templates{nullptr, "templates", {}}, path{&templates, body.name, {}};
      add_instances(Value{*instances, {&path, "instances", {}}, context_}, scope);
    }
  }

  /// Points, wheels and shapes of a body outside; it may be one of an instance that comes later.
  void add_parts(const YamlNode& value, const Binding& body, const Scope& scope) {
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const FieldFormat* field = format::body.find(value.items[i].text);
      YamlNode parts = copy_.value(value.items[i + 1], *field, scope);
      if (parts.kind == YamlNode::Kind::mapping) {
        for (std::size_t k = 0; k + 1 < parts.items.size(); k += 2) parts.items[k].text.insert(0, scope.prefix);
      }
      additions_.push_back({body.name, body.node, field, std::move(parts)});
    }
  }

  void add_to_bodies() {
    YamlNode* bodies = result_.find("bodies");
    std::unordered_map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; bodies != nullptr && !additions_.empty() && i + 1 < bodies->items.size(); i += 2)
      index.emplace(bodies->items[i].text, i + 1);
    for (Addition& addition : additions_) {
      const auto found = index.find(addition.body);
      if (found == index.end()) {
        std::vector<std::string_view> known;
        for (const auto& entry : index) known.push_back(entry.first);
        context_.problems.error("instances",
                                fmt::format("no body '{}'{}", addition.body, did_you_mean(addition.body, known)),
                                place_in(*addition.given, source_, 0));
        continue;
      }
      add_to_body(addition, bodies->items[found->second]);
    }
  }

  static void add_to_body(Addition& addition, YamlNode& body) {
    if (body.kind != YamlNode::Kind::mapping) return;  // the reader tells what is wrong with it
    YamlNode* there = body.find(addition.field->name);
    if (there == nullptr) {
      YamlNode key = addition.parts;
      key.kind = YamlNode::Kind::scalar;
      key.text = addition.field->name;
      key.items.clear();
      body.items.push_back(std::move(key));
      body.items.push_back(std::move(addition.parts));
    } else if (there->kind == addition.parts.kind) {
      std::ranges::move(addition.parts.items, std::back_inserter(there->items));
    } else if (there->kind == YamlNode::Kind::null) {
      *there = std::move(addition.parts);
    }
  }

  const YamlNode& root_;
  Source& source_;
  Context context_;
  ScopedCopy copy_;
  const Scope global_;
  Templates templates_;
  std::unordered_map<std::string_view, std::string_view> taken_;  // names in the model, and what of
  std::vector<std::string> open_;  // the templates that are being used, from the outermost
  std::size_t count_ = 0;          // of instances
  std::vector<Addition> additions_;
  YamlNode result_;
};

}  // namespace

YamlNode without_templates(const YamlNode& root, Source& source, Problems& problems) {
  return Expansion(root, source, problems).run();
}

}  // namespace gyrostat
