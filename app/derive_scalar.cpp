#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/derive/scalar_print.h"
#include "gyrostat/results/target.h"

#include "derive.h"
#include "linear.h"
#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

std::string printed(const scalar::Form& form, const DeriveArguments& arguments) {
  if (arguments.format == "c") return scalar::to_c(form);
  if (arguments.format == "python") return scalar::to_python(form);
  if (arguments.format == "latex") return scalar::to_latex(form);
  if (arguments.format == "html") return scalar::to_html(form);
  if (arguments.format == "json") return scalar::to_json(form);
  return scalar::to_text(form, arguments.ascii);
}

/// Why the arguments do not go together, or empty.
std::string usage_problem(const DeriveArguments& a) {
  if (a.ascii && a.format != "text") return "--ascii: is for --format text";
  return {};
}

}  // namespace

int derive_scalar(const DeriveArguments& arguments) {
  const bool json = arguments.model.json;
  if (const std::string why = usage_problem(arguments); !why.empty()) return refuse(json, why);
  return with_model(arguments.model, [&](const Source& source, const Model& model) {
    const bool code = arguments.format == "c" || arguments.format == "python" || arguments.format == "json";
    const Formulas formulas = read_formulas(source, overrides_of(arguments.model.set));
    scalar::Form form;
    try {
      form = scalar::derive_form(model, {arguments.jacobian, !code, &formulas});
    } catch (const std::invalid_argument& error) {
      return refuse(json, fmt::format("{}: {}", printable(arguments.model.file), error.what()), exit_code::wrong_model);
    }
    if (const std::string large = scalar::size_warning(scalar::operation_counts(form));
        arguments.format == "c" && !large.empty())
      fmt::print(stderr, "{}: warning: {}\n", printable(arguments.model.file), large);
    const std::string text = printed(form, arguments);
    if (arguments.output.empty()) {
      fmt::print("{}", text);
      return exit_code::done;
    }
    results::check_target(arguments.output, results::FileKind::equations, arguments.force);
    write_file(arguments.output, text);
    if (json) {
      Json operations = Json::object();
      for (const scalar::NamedCount& c : scalar::operation_counts(form)) operations[c.name] = c.count.all();
      print_json(Json{{"file", arguments.output},
                      {"free_speeds", form.nf()},
                      {"parameters", form.p.size()},
                      {"operations", std::move(operations)}});
      return exit_code::done;
    }
    fmt::print("{}: written, {}, {}\n", printable(arguments.output), counted(form.nf(), "free speed", "free speeds"),
               counted(form.p.size(), "parameter", "parameters"));
    for (const scalar::NamedCount& c : scalar::operation_counts(form)) {
      fmt::print("  {}: {} operations: {}\n", c.name, c.count.all(), scalar::count_text(c.count));
    }
    return exit_code::done;
  });
}

}  // namespace gyrostat::app
