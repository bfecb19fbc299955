// Equations as text, LaTeX, HTML with MathML, and JSON.
#pragma once

#include <string>

#include "gyrostat/derive/document.h"

namespace gyrostat::derive {

struct PrintOptions {
  bool terms = false;  // each term is explained in a sentence
  bool ascii = false;  // of text: no other characters
  bool script = true;  // of HTML: definitions shown at the pointer; false: for a page that lets no script run
};

/// At the beginning of every file of equations that Gyrostat writes, so that it knows it again.
inline constexpr const char* equations_mark = "gyrostat derive";

/// At most 80 columns.
std::string print_text(const Document& document, const PrintOptions& options = {});

/// A document that needs amsmath only.
std::string print_latex(const Document& document, const PrintOptions& options = {});

/// One page that needs nothing else.
std::string print_html(const Document& document, const PrintOptions& options = {});

/// The trees themselves; equations_schema() describes them.
std::string print_json(const Document& document);
std::string equations_schema();

/// What print_json wrote. Throws std::invalid_argument, with the place, for anything else.
Document read_json(const std::string& text);

}  // namespace gyrostat::derive
