// How trees are written: precedence and brackets, the same in all forms. A form is a Style.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/derive/document.h"

namespace gyrostat::derive {

struct Style {
  virtual ~Style() = default;

  /// With `dots` derivatives in the world's frame.
  [[nodiscard]] virtual std::string symbol(const Symbol& symbol, int dots) const = 0;
  [[nodiscard]] virtual std::string number(double value) const = 0;
  [[nodiscard]] virtual std::string zero() const = 0;
  [[nodiscard]] virtual std::string unit_dyadic() const = 0;
  [[nodiscard]] virtual std::string plus() const = 0;           // between terms
  [[nodiscard]] virtual std::string minus() const = 0;          // between terms
  [[nodiscard]] virtual std::string leading_minus() const = 0;  // before the first
  [[nodiscard]] virtual std::string dot() const = 0;
  [[nodiscard]] virtual std::string cross() const = 0;
  [[nodiscard]] virtual std::string beside() const = 0;  // between factors that stand side by side
  [[nodiscard]] virtual std::string brackets(const std::string& inside) const = 0;
  [[nodiscard]] virtual std::string over(const Range& range, const std::string& term) const = 0;
  /// Of a whole expression, or in another frame than the world's.
  [[nodiscard]] virtual std::string derivative(const std::string& frame, int order, const std::string& of) const = 0;
};

std::string written(const Expr& expression, const Style& style);

/// As terms of a sum: the first with its sign only if that is minus, unless `continued`.
std::string written_terms(const std::vector<Expr>& terms, const Style& style, bool continued = false);

/// The members of a range as a set: "S_pan", "S_pan without bus", or the members themselves, whichever is shortest.
struct RangeText {
  bool by_name = true;  // the set's name, less `names`; otherwise `names` are all members
  std::vector<std::string> names;
};
RangeText text_of(const Range& range);

/// "410", "-34.6", "1.2e-5"
std::string digits(double value);

/// The numbers of a definition as they are read: 0 for components that are no more than the rounding of the largest, as
/// cos(90 deg) is.
std::vector<double> shown_components(const Constant& constant);

/// The parts of a document in the order in which they are printed. A part without entries is left out.
struct Part {
  std::string title, note;
  std::vector<const Definition*> symbols;      // without formula
  std::vector<const Definition*> definitions;  // with
  std::vector<const SetDefinition*> sets;
  std::vector<const Equation*> equations;
};
std::vector<Part> parts_of(const Document& document);

/// The terms of one group that follow each other.
struct GroupedTerms {
  Group group = Group::inertia;
  std::vector<const Term*> terms;
};
std::vector<GroupedTerms> grouped(const std::vector<Term>& terms);

/// What is added: terms that are sums, in their parts.
std::vector<Expr> summands(const std::vector<Term>& terms);
std::vector<Expr> summands(const Expr& value);

/// "Equations of motion of bus of Dual-spin spacecraft"
std::string heading_of(const Document& document);

/// "kg m²" of "kg m^2"
std::string unit_text(const std::string& unit, bool ascii);

}  // namespace gyrostat::derive
