#include "derive.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/print.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

/// By the output's name.
std::string format_of(const std::string& output) {
  const std::string extension = std::filesystem::path(output).extension().string();
  if (extension == ".tex") return "latex";
  if (extension == ".html" || extension == ".htm") return "html";
  if (extension == ".json") return "json";
  if (extension == ".c" || extension == ".h") return "c";
  if (extension == ".py") return "python";
  return "text";
}

template <class Names>
std::string unknown_choice(std::string_view option, const std::string& given, const Names& names) {
  return fmt::format("{}: there is no {}{}; there are {}", option, printable(given), did_you_mean(given, names),
                     fmt::join(names, ", "));
}

/// What is wrong with the arguments, or empty.
std::string complaint_about(const DeriveArguments& a, const std::string& form, const std::string& format) {
  if (std::ranges::find(derive_forms, form) == derive_forms.end()) return unknown_choice("--form", form, derive_forms);
  if (std::ranges::find(derive_formats, format) == derive_formats.end())
    return unknown_choice("--format", format, derive_formats);
  if (form == "scalar") {
    if (!a.body.empty()) return "--for is of the vector form: the scalar equations are those of the whole";
    if (a.terms) return "--terms is of the vector form: the scalar one has no terms to explain";
    return {};
  }
  if (format == "c" || format == "python")
    return fmt::format("--format {} needs --form scalar: vectors and dyadics have no components to compute with",
                       format);
  if (a.jacobian) return "--jacobian needs --form scalar; 'gyrostat linearize' gives the linear model in numbers";
  if (a.ascii && format != "text") return fmt::format("--ascii is of text, and the format is {}", format);
  if (a.terms && format == "json") return "--terms: JSON has the sentences always; leave the option out";
  return {};
}

std::string printed(const gyrostat::derive::Document& document, const std::string& format, const DeriveArguments& a) {
  const gyrostat::derive::PrintOptions options{a.terms, a.ascii};
  if (format == "latex") return print_latex(document, options);
  if (format == "html") return print_html(document, options);
  if (format == "json") return print_json(document);
  return print_text(document, options);
}

}  // namespace

int derive(const DeriveArguments& arguments) {
  const std::string form = arguments.form.empty() ? "vector" : arguments.form;
  std::string format = arguments.format;
  if (format.empty()) format = arguments.output.empty() && arguments.model.json ? "json" : format_of(arguments.output);
  const bool json = arguments.model.json;
  if (const std::string complaint = complaint_about(arguments, form, format); !complaint.empty())
    return refuse(json, complaint);
  if (form == "scalar") {
    DeriveArguments chosen = arguments;
    chosen.form = form;
    chosen.format = format;
    return derive_scalar(chosen);
  }

  const Loaded loaded = load(arguments.model);
  if (!loaded.model) return refuse_model(json, loaded);
  if (!json) print_problems(loaded);
  const Model& model = *loaded.model;
  if (const std::string why = gyrostat::derive::outside_domain_of_derivation(model.system); !why.empty())
    return refuse(json, fmt::format("{}: {}", printable(arguments.model.file), why), exit_code::wrong_model);
  const Formulas formulas = read_formulas(loaded.source, overrides_of(arguments.model.set));
  gyrostat::derive::Document document = gyrostat::derive::derive_equations(model, &formulas);
  if (!arguments.body.empty()) {
    try {
      document = gyrostat::derive::for_body(document, arguments.body);
    } catch (const std::out_of_range& error) {
      return refuse(json, fmt::format("--for: {}", error.what()));
    }
  }
  const std::string text = printed(document, format, arguments);
  if (arguments.output.empty()) {
    fmt::print("{}", text);
    return exit_code::done;
  }
  try {
    results::check_target(arguments.output, results::FileKind::equations, arguments.force);
    write_file(arguments.output, text);
  } catch (const results::ResultsError& error) {
    return refuse(json, error.what(), exit_code_of(error));
  }
  if (json) {
    print_json(Json{{"file", arguments.output}, {"equations", document.equations.size()}});
  } else {
    fmt::print("{}: written, {}, {}\n", printable(arguments.output),
               counted(document.equations.size(), "equation", "equations"),
               counted(document.definitions.size(), "symbol", "symbols"));
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
