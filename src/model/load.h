// From a file to a System in one call.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "gyrostat/format/read.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// A valid model: what the file says, and the system it describes.
struct Model {
  Description description;
  System system;
};

struct Loaded {
  Source source;
  Problems problems;
  std::optional<Model> model;  // nothing if there are errors
};

/// A model file that is parsed once and then loaded as often as its parameters change.
class ModelText {
 public:
  ModelText(std::string file, std::string text);

  /// A signal that the file does not have: an expression. Before the first load.
  void add_signal(const std::string& name, const std::string& expression);

  [[nodiscard]] const Source& source() const { return source_; }
  /// What the file says, before it is validated; without the problems that reading it finds.
  [[nodiscard]] Description as_read() const;

  /// Validates and builds. All problems are found in one pass, each with its place. Any number of threads may ask.
  [[nodiscard]] Loaded load(std::span<const Override> overrides = {}) const;

 private:
  Source source_;
  Problems problems_;
  YamlNode root_;
};

/// Reads, validates and builds. All problems are found in one pass, each with its place.
Loaded load_text(std::string file, std::string text, std::span<const Override> overrides = {});

/// The same from a file; what keeps it from being read is a problem too.
Loaded load_file(const std::string& path, std::span<const Override> overrides = {});

/// The same from a description that a program filled in. Problems have paths and no places.
Loaded load_description(Description description);

}  // namespace gyrostat
