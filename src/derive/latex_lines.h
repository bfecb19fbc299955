// Formulas of LaTeX documents in lines that fit the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gyrostat::derive {

/// The width of a formula in a document of 10 pt, estimated in points: an average letter of each kind of type. It knows
/// the commands that formulas of the scalar form are made of.
double latex_width(std::string_view formula);

/// The right side of an equation in lines of at most `width` points: broken before signs, or, where a term is longer
/// than a line, between its factors. What is inside of braces and cases stays whole.
std::vector<std::string> latex_lines(std::string_view formula, double width);

}  // namespace gyrostat::derive
