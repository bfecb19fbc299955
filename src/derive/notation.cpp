#include "gyrostat/derive/notation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/letters.h"

namespace gyrostat::derive {

namespace {

std::string write_node(const Expr& e, const Style& style);

bool stands_alone(const Expr& e) {
  return e->operation == Operation::symbol || e->operation == Operation::number || e->operation == Operation::unit ||
         e->operation == Operation::zero ||
         (e->operation == Operation::derivative && e->operands[0]->operation == Operation::symbol);
}

std::string in_brackets_if(bool needed, const Expr& e, const Style& style) {
  const std::string text = write_node(e, style);
  return needed ? style.brackets(text) : text;
}

/// A factor of a dot or cross product. a . X . b needs no brackets, the others do.
std::string product_factor(const Expr& e, Operation in, const Style& style) {
  const bool chain = in == Operation::dot && e->operation == Operation::dot && e->type == Type::vector &&
                     (e->operands[0]->type == Type::dyadic || e->operands[1]->type == Type::dyadic);
  return in_brackets_if(!stands_alone(e) && !chain, e, style);
}

std::string write_scaled(const Expr& e, const Style& style) {
  const Expr &s = e->operands[0], &a = e->operands[1];
  const bool product = s->operation == Operation::scaled;
  const std::string left = in_brackets_if(!stands_alone(s) && !product, s, style);
  const bool plain = stands_alone(a) || a->operation == Operation::scaled || a->operation == Operation::over ||
                     a->operation == Operation::cross || a->operation == Operation::dyad ||
                     (a->operation == Operation::dot && a->type == Type::vector);
  return left + style.beside() + in_brackets_if(!plain, a, style);
}

std::string write_derivative(const Expr& e, const Style& style) {
  int order = 1;
  Expr of = e->operands[0];
  while (of->operation == Operation::derivative && of->frame == e->frame) {
    of = of->operands[0];
    ++order;
  }
  if (of->operation == Operation::symbol && e->frame == "world") return style.symbol(of->symbol, order);
  return style.derivative(e->type == Type::scalar ? "" : e->frame, order, in_brackets_if(!stands_alone(of), of, style));
}

std::string write_node(const Expr& e, const Style& style) {
  switch (e->operation) {
    case Operation::zero: return style.zero();
    case Operation::number: return style.number(e->value);
    case Operation::unit: return style.unit_dyadic();
    case Operation::symbol: return style.symbol(e->symbol, 0);
    case Operation::sum: return written_terms(e->operands, style);
    case Operation::negative: return written_terms({e}, style);
    case Operation::scaled: return write_scaled(e, style);
    case Operation::dot:
      return product_factor(e->operands[0], Operation::dot, style) + style.dot() +
             product_factor(e->operands[1], Operation::dot, style);
    case Operation::cross:
      return product_factor(e->operands[0], Operation::cross, style) + style.cross() +
             product_factor(e->operands[1], Operation::cross, style);
    case Operation::dyad:
      return product_factor(e->operands[0], Operation::dyad, style) + style.beside() +
             product_factor(e->operands[1], Operation::dyad, style);
    case Operation::derivative: return write_derivative(e, style);
    case Operation::over: {
      const Expr& term = e->operands[0];
      return style.over(e->range, in_brackets_if(term->operation == Operation::sum, term, style));
    }
  }
  return {};
}

}  // namespace

std::string written(const Expr& expression, const Style& style) { return write_node(expression, style); }

std::string written_terms(const std::vector<Expr>& terms, const Style& style, bool continued) {
  std::string text;
  bool first = !continued;
  for (const Expr& term : terms) {
    const bool minus = term->operation == Operation::negative;
    const Expr& of = minus ? term->operands[0] : term;
    if (first) {
      text += minus ? style.leading_minus() : "";
    } else {
      text += minus ? style.minus() : style.plus();
    }
    text += in_brackets_if(of->operation == Operation::sum || of->operation == Operation::negative, of, style);
    first = false;
  }
  return text.empty() ? style.zero() : text;
}

RangeText text_of(const Range& range) {
  if (range.without.size() <= range.members.size()) return {true, range.without};
  return {false, range.members};
}

std::string digits(double value) { return fmt::format("{:.6g}", value); }

std::vector<double> shown_components(const Constant& constant) {
  std::vector<double> shown = constant.components;
  double largest = 0;
  for (const double x : shown) largest = std::max(largest, std::abs(x));
  for (double& x : shown) x = std::abs(x) < 1e-15 * largest ? 0 : x;
  return shown;
}

std::vector<Part> parts_of(const Document& document) {
  std::vector<Part> parts;
  const auto add_symbols = [&](std::string title, std::string note, const std::vector<Section>& sections,
                               bool with_formula) {
    Part part{std::move(title), std::move(note), {}, {}, {}, {}};
    for (const Section section : sections) {
      for (const Definition& d : document.definitions) {
        if (d.section != section) continue;
        if (!d.value) {
          part.symbols.push_back(&d);
        } else if (with_formula) {
          part.definitions.push_back(&d);
        }
      }
    }
    if (!part.symbols.empty() || !part.definitions.empty()) parts.push_back(std::move(part));
  };
  const auto add_equations = [&](std::string title, std::string note, const std::vector<EquationKind>& kinds) {
    Part part{std::move(title), std::move(note), {}, {}, {}, {}};
    for (const EquationKind kind : kinds) {
      for (const Equation& e : document.equations) {
        if (e.kind == kind) part.equations.push_back(&e);
      }
    }
    if (!part.equations.empty()) parts.push_back(std::move(part));
  };
  add_symbols("Bodies", "", {Section::body}, true);
  add_symbols("Joints", "", {Section::joint}, true);
  add_symbols("Wheels", "", {Section::wheel}, true);
  add_symbols("Loads", "", {Section::load}, true);
  add_symbols("Constraints of loops", "", {Section::loop}, true);
  if (!document.sets.empty()) {
    Part part{"Sets", "", {}, {}, {}, {}};
    for (const SetDefinition& set : document.sets) part.sets.push_back(&set);
    parts.push_back(std::move(part));
  }
  add_symbols("Motion", "Angular velocities, displacements, and what the velocities alone make of accelerations.",
              {Section::motion}, true);
  add_equations("Kinematic equations", "A dot is the derivative in the inertial frame.", {EquationKind::kinematics});
  add_symbols("Nests", "A nest is a body with all that is outboard of it.", {Section::nest}, true);
  add_equations("Vector equations",
                "Of each nest about the pivot of its joint, where the force that the joint transmits has no moment; "
                "of each nest that slides; of each wheel.",
                {EquationKind::rotation, EquationKind::translation, EquationKind::wheel});
  add_equations("What the loops demand", "One equation for each row of each constraint.", {EquationKind::loop});
  add_equations("Elimination of constraint torques and forces",
                "Along the free coordinate vectors nothing of them remains.", {EquationKind::elimination});
  add_symbols("Resultants on nests", "", {Section::resultant}, true);
  add_equations("Scalar equations",
                "The products of the vector equations with the free coordinate vectors: one for each acceleration that "
                "is not given.",
                {EquationKind::reduced});
  return parts;
}

std::vector<GroupedTerms> grouped(const std::vector<Term>& terms) {
  std::vector<GroupedTerms> groups;
  for (const Term& term : terms) {
    if (groups.empty() || groups.back().group != term.group) groups.push_back({term.group, {}});
    groups.back().terms.push_back(&term);
  }
  return groups;
}

std::vector<Expr> summands(const Expr& value) {
  return value->operation == Operation::sum ? value->operands : std::vector<Expr>{value};
}

std::vector<Expr> summands(const std::vector<Term>& terms) {
  std::vector<Expr> values;
  for (const Term& term : terms) {
    for (const Expr& part : summands(term.value)) values.push_back(part);
  }
  return values;
}

std::string heading_of(const Document& document) {
  const std::string of = document.body.empty() ? "" : " of " + document.body;
  return document.title.empty() ? "Equations of motion" + of : document.title + ": equations of motion" + of;
}

std::string unit_text(const std::string& unit, bool ascii) {
  if (ascii) return unit;
  std::string text;
  for (std::size_t k = 0; k < unit.size(); ++k) {
    if (unit[k] == '^' && k + 1 < unit.size()) {
      text += unit[++k] == '2' ? "²" : std::string("^") + unit[k];
    } else {
      text += unit[k] == ' ' ? "·" : std::string(1, unit[k]);
    }
  }
  return text;
}

}  // namespace gyrostat::derive
