// What every printer of a scalar form needs: names, the order of intermediate results, expressions as text.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "gyrostat/derive/scalar_print.h"

namespace gyrostat::scalar {

/// Letters, digits and underscores of a text, others as underscores; never empty, never a digit first.
std::string identifier(std::string_view text);

/// Different names for different things: the second "a" becomes "a_2".
class UniqueNames {
 public:
  std::string add(std::string wanted);

 private:
  std::unordered_set<std::string> used_;
};

/// The name of the model as that of functions: "double_pendulum".
std::string function_prefix(const Form& form);

/// On one line, without characters that are not printable: safe in a comment that ends with the line.
std::string one_line(std::string_view text);

/// Which nodes get a name of their own, so that no expression is computed twice or too long.
class Listing {
 public:
  /// `longest`: operations in one expression, and `longest_branch` in one branch of a choice. What is used several
  /// times and has `shortest` operations or more gets a name.
  Listing(const Graph& graph, std::span<const Id> outputs, std::size_t longest, std::size_t shortest = 1,
          std::size_t longest_branch = std::numeric_limits<std::size_t>::max());

  /// In the order of computation.
  [[nodiscard]] const std::vector<Id>& temporaries() const { return temporaries_; }
  [[nodiscard]] bool is_temporary(Id id) const { return is_temporary_[id]; }
  [[nodiscard]] bool needs(Id id) const { return id < needed_.size() && needed_[id]; }

 private:
  std::vector<Id> temporaries_;
  std::vector<bool> is_temporary_, needed_;
};

/// How tightly a text binds; an operand that binds less tightly goes in parentheses.
enum class Binding : std::uint8_t { choice, either, both, comparison, sum, product, sign, atom };

struct Piece {
  std::string text;
  Binding binding = Binding::atom;
};

/// An expression in a language. Nodes with names are written by their names.
class Writer {
 public:
  using NameOf = std::function<std::string(Id)>;  // of symbols and temporaries

  Writer(const Graph& graph, const Listing& listing, NameOf name)
      : graph_(graph), listing_(listing), name_(std::move(name)) {}
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// By its name if it has one.
  Piece piece(Id id);
  /// What a node is computed from, even if it has a name.
  std::string definition(Id id) { return compose(id).text; }
  std::string text(Id id) { return piece(id).text; }

 protected:
  virtual Piece compose(Id id) = 0;
  /// In parentheses if it binds less tightly than needed.
  std::string in(Id id, Binding needed);
  [[nodiscard]] virtual std::string wrapped(const std::string& text) const { return "(" + text + ")"; }

  const Graph& graph_;
  const Listing& listing_;
  NameOf name_;
};

}  // namespace gyrostat::scalar
