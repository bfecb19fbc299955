// A scalar form as text: for reading, and as functions in other languages that need nothing of Gyrostat.
#pragma once

#include <string>

#include "gyrostat/derive/scalar_form.h"

namespace gyrostat::scalar {

/// C99, needs <math.h> alone: functions NAME_accelerations, NAME_mass_matrix, NAME_forces, NAME_rates and, if the form
/// has derivatives, NAME_jacobian, where NAME is the model's as an identifier.
std::string to_c(const Form& form);

/// Python 3, needs `math` alone: the same functions on lists of numbers.
std::string to_python(const Form& form);

/// A document that needs amsmath alone.
std::string to_latex(const Form& form);

/// Lines of at most 80 columns, but for long names.
std::string to_text(const Form& form, bool ascii);

/// One page with MathML.
std::string to_html(const Form& form);

/// The graph: nodes, symbols with names, units and values, outputs.
std::string to_json(const Form& form);

/// Beyond this many free speeds the forms for reading say how large the equations are and leave them out, unless they
/// are short.
inline constexpr std::size_t most_readable_speeds = 10, most_readable_operations = 2000;

/// Is it small enough to be read?
bool is_readable(const Form& form);

/// How much each function computes, by name.
struct NamedCount {
  std::string name;
  OperationCount count;
};
std::vector<NamedCount> operation_counts(const Form& form);

/// Operations in one function beyond which an optimising C compiler takes a quarter of a minute and more, and beyond
/// which one that does not optimise may take all memory.
inline constexpr std::size_t most_quickly_compiled = 20000, most_compiled = 500000;

/// That code is long to compile, with the count of its longest function and what to do; empty if it is not.
std::string size_warning(const std::vector<NamedCount>& counts);

/// "120 additions, 150 multiplications, 3 divisions, 4 sines and cosines"
std::string count_text(const OperationCount& count);

}  // namespace gyrostat::scalar
