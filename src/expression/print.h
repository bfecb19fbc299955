// Expressions as text in other languages.
#pragma once

#include <string>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

/// As its model file has it; of the component of a vector that it is, `(a + b).x`.
std::string to_text(const Expression& expression);

/// Does the text need brackets where something is added to it, or, `subtracted`, where it is?
bool needs_brackets(const Expression& expression, bool subtracted);

/// For a formula in a document: `\frac{a}{b}`, Greek letters for names like omega_x, cases for conditionals. Of a
/// component of a vector, that of the vector with x, y or z below it. What `parse` gives may have vectors.
std::string to_latex(const Expression& expression);

}  // namespace gyrostat::expression
