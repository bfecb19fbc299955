// The functions that a form is printed as, in languages with assignments.
#pragma once

#include "gyrostat/derive/scalar_listing.h"

namespace gyrostat::scalar {

/// C or Python.
class CodeWriter : public Writer {
 public:
  struct Language {
    std::string_view function_prefix;  // "math."
    std::string_view both, either, opposite;
    bool condition_first = true;  // c ? a : b, or a if c else b
    std::string table;            // function of a table: number, x, order
    bool checked = false;         // functions that fail outside of their domain have safe versions
  };

  CodeWriter(const Graph& graph, const Listing& listing, NameOf name, const Language& language)
      : Writer(graph, listing, std::move(name)), language_(language) {}

  /// A number as text that reads back as the same.
  static std::string number(double value);

 protected:
  Piece compose(Id id) override;

 private:
  [[nodiscard]] std::string call(std::string_view function, std::initializer_list<Id> operands);

  const Language& language_;
};

/// Names of all symbols of a form: "p_bus_mass", "q_pan_angle", "s_jet1", "t".
class CodeNames {
 public:
  explicit CodeNames(const Form& form);

  [[nodiscard]] const std::string& of(Id id) const { return names_.at(id); }
  [[nodiscard]] bool knows(Id id) const { return names_.contains(id); }

 private:
  std::unordered_map<Id, std::string> names_;
};

/// What the printers of both languages share: how functions compute their results.
class CodePrinter {
 public:
  virtual ~CodePrinter() = default;
  CodePrinter(const CodePrinter&) = delete;
  CodePrinter& operator=(const CodePrinter&) = delete;

 protected:
  CodePrinter(const Form& form, CodeWriter::Language language)
      : form_(form), names_(form), language_(std::move(language)) {}

  /// A new variable.
  virtual void define(const std::string& name, const std::string& value) = 0;
  /// An argument that a function does not need.
  virtual void ignore(const std::string& /*argument*/) {}
  /// An entry of a matrix, or of a list: `columns` is 1.
  [[nodiscard]] virtual std::string entry(std::string_view array, std::size_t row, std::size_t column,
                                          std::size_t columns) const = 0;
  virtual void assign(const std::string& to, const std::string& value) = 0;

  /// What stands before the results of a function with the arguments `given` ("pquts"), which `finish` prints.
  void compute(const std::vector<Id>& results, std::string_view given,
               const std::function<void(CodeWriter& writer)>& finish);
  /// The same of the derivatives: L, D_inverse, X, A and B, of loops Y, Z and W too, which `declare` prints first, get
  /// their entries.
  void compute_jacobian(const std::function<void()>& declare, const std::function<void(CodeWriter& writer)>& finish);

  const Form& form_;
  CodeNames names_;
  CodeWriter::Language language_;
  std::string out_;

 private:
  void print_symbols(const Listing& listing, std::string_view given);
  void print_temporary(CodeWriter& writer, Id id);
  void print_entries(CodeWriter& writer);
  std::string name_of(Id id) { return names_.knows(id) ? names_.of(id) : temporaries_.at(id); }

  std::unordered_map<Id, std::string> temporaries_;
};

/// What the function of the derivatives computes, and which nodes depend on the accelerations: they come after them.
std::vector<Id> jacobian_outputs(const Form& form);
std::vector<bool> after_accelerations(const Form& form);

/// The tables' pieces: y = v + h (b + h (c + h d)), h = x - at; between two knots, and outside of them.
struct TablePiece {
  double at = 0, v = 0, b = 0, c = 0, d = 0;
};
std::vector<TablePiece> pieces_of(const Table& table);

/// Lines of comment on every array: entry, name, unit, value.
std::vector<std::string> array_comments(const Form& form);

/// A function that computes entries of a form, in any language.
struct CodeFunction {
  std::string name, comment;
  std::string_view arguments;  // "pquts"
  std::string output;          // "M"
  const std::vector<Id>* values = nullptr;
  std::size_t rows = 0;  // of a matrix; 0: a list
};
std::vector<CodeFunction> functions_of(const Form& form);

/// Lines of comment that say what the functions are and what they compute.
std::vector<std::string> heading(const Form& form);

}  // namespace gyrostat::scalar
