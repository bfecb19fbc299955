#include "output.h"

#include <cstdlib>
#include <string_view>

#include <CLI/Error.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gyrostat/model/problems_text.h"
#include "gyrostat/results/raw_file.h"
#include "gyrostat/results/results.h"
#include "gyrostat/simulate/check_model.h"

namespace gyrostat::app {

bool wants_colour(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return terminal != nullptr && std::string_view(terminal) != "dumb" && isatty(fileno(stream)) != 0;
}

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> overrides;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw CLI::ValidationError("--set", fmt::format("expected NAME=VALUE, got '{}'", text));
    }
    overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return overrides;
}

Loaded load(const ModelArguments& arguments) { return load_file(arguments.file, overrides_of(arguments.set)); }

void print_problems(const Loaded& loaded) { fmt::print(stderr, "{}", problems_text(loaded, wants_colour(stderr))); }

Json problems_as_json(const Loaded& loaded) {
  Json list = Json::array();
  for (const Problem& problem : loaded.problems.all()) {
    Json entry = {{"severity", problem.severity == Severity::error ? "error" : "warning"}};
    if (problem.place.file > 0) entry["file"] = loaded.source.part(problem.place.file).file();
    if (problem.place.line > 0) {
      entry["line"] = problem.place.line;
      entry["column"] = problem.place.column;
    }
    if (problem.place.instance > 0) entry["instance"] = loaded.source.instance(problem.place.instance);
    entry["path"] = problem.path;
    entry["message"] = problem.message;
    list.push_back(std::move(entry));
  }
  return {{"file", loaded.source.file()},
          {"ok", loaded.model.has_value()},
          {"errors", loaded.problems.errors()},
          {"warnings", loaded.problems.warnings()},
          {"problems", std::move(list)}};
}

int exit_code_of(const std::exception& error) {
  return dynamic_cast<const results::WriteError*>(&error) != nullptr ? exit_code::cannot_go_on : exit_code::wrong_usage;
}

int refuse_model(bool json, const Loaded& loaded) {
  if (json) {
    print_json(problems_as_json(loaded));
  } else {
    print_problems(loaded);
  }
  return exit_code::wrong_model;
}

int refuse_at(bool json, const Loaded& loaded, const std::string& path, const std::string& message) {
  Loaded refused{loaded.source, {}, {}};
  refused.problems.add(error_at(loaded.source, path, message));
  return refuse_model(json, refused);
}

int refuse_unsolvable(bool json, const Loaded& loaded, const std::exception& error) {
  Loaded judged = loaded;
  judged.problems = {};
  check_model(judged);
  if (judged.problems.errors() > 0) return refuse_model(json, judged);
  return refuse(json, fmt::format("{}: {}", loaded.source.file(), error.what()), exit_code::wrong_model);
}

int refuse(bool json, const std::string& message, int code) {
  if (json) {
    print_json({{"error", message}});
  } else {
    fmt::print(stderr, "{}\n", message);
  }
  return code;
}

std::string grouped(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t k = text.size(); k > 3; k -= 3) text.insert(k - 3, ",");
  return text;
}

void print_json(const Json& json) { fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace)); }

void write_file(const std::string& path, const std::string& bytes) {
  results::Replacement replacement(results::without_link(path));
  results::RawFile file(replacement.temporary(), path);
  file.write(0, bytes.data(), bytes.size());
  file.close();
  replacement.put_in_place();
}

}  // namespace gyrostat::app
