// Scalar forms in the notation of mathematics: names of symbols, and expressions with sums, powers and fractions.
#pragma once

#include "gyrostat/derive/scalar_listing.h"

namespace gyrostat::scalar {

/// Digits for reading: what rounding left in the last places is not shown.
std::string number_text(double value);

/// m with the index "bus".
struct MathName {
  std::string letter, index;
  bool rate = false;  // its derivative by time
};

/// Short names of all symbols: m_bus, I_bus,xx, c_bus,x (mass centre), a_pan,x and b_pan,x (joint points in parent and
/// child), k, d, q0 (stiffness, damping, rest), e (axes), q_pan, u_pan; of a free body r (position), e (quaternion),
/// omega, v; a parameter of the model keeps its own.
class MathNames {
 public:
  explicit MathNames(const Form& form);

  [[nodiscard]] const MathName& of(Id id) const { return names_.at(id); }
  [[nodiscard]] bool knows(Id id) const { return names_.contains(id); }

 private:
  void add(Id id, MathName name);

  std::unordered_map<Id, MathName> names_;
  std::unordered_set<std::string> used_;
};

/// Sums and products of any length, powers, fractions. What differs between text, LaTeX and MathML is virtual.
class MathWriter : public Writer {
 public:
  using Writer::Writer;

 protected:
  Piece compose(Id id) override;

  [[nodiscard]] virtual std::string number(double value) const = 0;
  [[nodiscard]] virtual std::string power(const std::string& base, const std::string& exponent) const = 0;
  /// Of a symbol, whose index may stand below its exponent; of a sine, a cosine or a tangent.
  [[nodiscard]] virtual std::string power_of_name(const std::string& name, const std::string& exponent) const {
    return power(name, exponent);
  }
  [[nodiscard]] virtual std::string power_of_call(std::string_view function, const std::string& operand,
                                                  const std::string& exponent) const {
    return power(call(function, {operand}), exponent);
  }
  [[nodiscard]] virtual std::string product(const std::vector<std::string>& factors) const = 0;
  /// Of terms with their signs; the first may be negative.
  [[nodiscard]] virtual std::string sum(const std::vector<std::pair<bool, std::string>>& terms) const;
  [[nodiscard]] virtual Piece fraction(Id above, Id below) = 0;
  [[nodiscard]] virtual std::string root(const std::string& text) const = 0;
  [[nodiscard]] virtual std::string call(std::string_view function, const std::vector<std::string>& operands) const = 0;
  [[nodiscard]] virtual std::string compared(std::string_view sign, const std::string& a,
                                             const std::string& b) const = 0;
  [[nodiscard]] virtual std::string choice(const std::string& condition, const std::string& yes,
                                           const std::string& no) const = 0;
  [[nodiscard]] virtual std::string table(std::uint32_t number, std::uint32_t order, const std::string& x) const = 0;

 private:
  [[nodiscard]] bool is_open(Id id, Operation operation) const {
    return graph_[id].operation == operation && !listing_.is_temporary(id);
  }
  void collect_terms(Id id, bool negative, std::vector<std::pair<bool, Id>>& terms) const;
  void collect_factors(Id id, std::vector<std::pair<Id, int>>& factors) const;
  std::string written_power(Id id, int times);
};

/// Entries of a matrix or a list, under a title.
struct Block {
  struct Entry {
    Id value = 0;
    std::size_t row = 0, column = 0;  // from 1; a list has no columns
  };
  std::string title;
  std::string letter;      // M, f, G, gamma; Q, R, S of derivatives
  bool symmetric = false;  // only entries below and on the diagonal are there
  std::vector<Entry> entries;
};

/// What a document for reading shows: M below and on its diagonal, f, rows of loops, accelerations that are given, and
/// what derivatives are solved from.
struct ReadableForm {
  std::vector<Block> blocks;
  Listing listing;

  explicit ReadableForm(const Form& form);
};

}  // namespace gyrostat::scalar
