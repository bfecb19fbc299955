// A model file from a data deck of DASC.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/import/dasc_deck.h"

namespace gyrostat::dasc {

struct ModelText {
  std::string text;                // YAML
  std::vector<std::string> notes;  // what was taken otherwise than DASC has it, or not at all, and why
};

/// `deck_file` is named in the model's first lines.
ModelText model_text(const Deck& deck, const std::string& deck_file);

}  // namespace gyrostat::dasc
