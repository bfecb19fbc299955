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

/// Reads, validates and builds. All problems are found in one pass, each with its place.
Loaded load_text(std::string file, std::string text, std::span<const Override> overrides = {});

/// The same from a file; what keeps it from being read is a problem too.
Loaded load_file(const std::string& path, std::span<const Override> overrides = {});

/// The same from a description that a program filled in. Problems have paths and no places.
Loaded load_description(Description description);

}  // namespace gyrostat
