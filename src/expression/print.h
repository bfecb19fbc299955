// Expressions as text in other languages.
#pragma once

#include <string>
#include <string_view>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

/// As its model file has it; of the component of a vector that it is, `(a + b).x`.
std::string to_text(const Expression& expression);

/// Does the text need brackets where something is added to it, or, `subtracted`, where it is?
bool needs_brackets(const Expression& expression, bool subtracted);

/// For a formula in a document: `\frac{a}{b}`, Greek letters for names like omega_x, cases for conditionals. Of a
/// component of a vector, that of the vector with x, y or z below it. What `parse` gives may have vectors.
std::string to_latex(const Expression& expression);

/// A C99 expression of doubles. A name keeps its letters, with '_' for '.'; time is `t`; the table NAME is a function
/// gyrostat_table_NAME(x) that the surrounding program provides. Needs <math.h> and `c_helpers()` before it.
std::string to_c(const Expression& expression);

std::string_view c_helpers();

}  // namespace gyrostat::expression
