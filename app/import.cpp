#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/text_file.h"
#include "gyrostat/import/dasc_model.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

/// The deck, or nothing and its problems.
std::optional<dasc::Deck> read_deck(const std::string& file, std::string text, Loaded& read) {
  const bool too_large = text.size() > limits::file_bytes;
  read.source = Source(file, too_large ? std::string() : std::move(text));
  if (too_large) {
    read.problems.error("", fmt::format("the file is larger than {} MiB, the limit", limits::file_bytes >> 20U));
    return std::nullopt;
  }
  auto deck = dasc::read_deck(read.source, read.problems);
  read.problems.sort();
  return deck;
}

void print_notes(const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  fmt::print("Not taken as it is in the deck:\n");
  for (const std::string& note : notes) fmt::print("  {}\n", note);
}

/// Writes the model and says what became of it.
int finish(const ImportArguments& arguments, const std::string& path, const dasc::ModelText& made) {
  results::check_target(path, results::FileKind::model, arguments.force);
  write_file(path, made.text);
  const Loaded loaded = load_text(path, made.text);
  if (arguments.json) {
    Json answer = problems_as_json(loaded);
    answer["model"] = path;
    answer["notes"] = made.notes;
    print_json(answer);
  } else {
    print_problems(loaded);
    print_notes(made.notes);
    fmt::print("{}: written{}\n", printable(path),
               loaded.model ? "" : ", but it is not valid yet: see the errors above");
  }
  return loaded.model ? exit_code::done : exit_code::wrong_model;
}

}  // namespace

int import_model(const ImportArguments& arguments) {
  if (std::ranges::find(import_formats, arguments.format) == import_formats.end()) {
    return refuse(arguments.json, fmt::format("unknown format '{}'; the formats are {}", printable(arguments.format),
                                              fmt::join(import_formats, ", ")));
  }
  std::string why;
  auto text = text_of_file(arguments.file, why);
  if (!text) return refuse(arguments.json, fmt::format("{}: {}", printable(arguments.file), why));
  Loaded read;
  const auto deck = read_deck(arguments.file, std::move(*text), read);
  if (!deck) {
    if (arguments.json) {
      print_json(problems_as_json(read));
    } else {
      print_problems(read);
    }
    return exit_code::wrong_model;
  }
  const std::filesystem::path file = std::filesystem::path(arguments.file).filename();
  const std::string path =
      arguments.output.empty() ? std::filesystem::path(file).replace_extension(".yaml").string() : arguments.output;
  try {
    return finish(arguments, path, dasc::model_text(*deck, file.string()));
  } catch (const results::ResultsError& error) {
    return refuse(arguments.json, printable(error.what()), exit_code_of(error));
  }
}

}  // namespace gyrostat::app
