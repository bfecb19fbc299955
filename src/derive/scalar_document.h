// A scalar form for reading: its parts and their order, the same in text, LaTeX and HTML. How they look is virtual.
#pragma once

#include <memory>

#include "gyrostat/derive/scalar_math.h"

namespace gyrostat::scalar {

class FormPrinter {
 public:
  virtual ~FormPrinter() = default;
  FormPrinter(const FormPrinter&) = delete;
  FormPrinter& operator=(const FormPrinter&) = delete;

  std::string print();

 protected:
  explicit FormPrinter(const Form& form) : form_(form), names_(form) {}

  struct Formula {
    std::string left, right;
  };

  /// The title, and M udot = f.
  virtual void begin() = 0;
  virtual void note(const std::string& sentence) = 0;
  /// What the derivatives are solved from: M udot_x - G^T lambda_x = R, G udot_x = S.
  virtual void derivatives(const std::string& title) = 0;
  virtual void variables(const std::string& title, const std::vector<Variable>& list, bool values) = 0;
  virtual void formulas(const std::string& title, const std::vector<Formula>& list) = 0;
  /// Names of rows or columns in their order: names of symbols, as `name` writes them.
  virtual void names(const std::string& title, const std::vector<std::string>& list) = 0;
  /// Texts; `one` is what each of them is: "Row {} of G".
  virtual void texts(const std::string& title, const std::string& one, const std::vector<std::string>& list) = 0;
  virtual void counts(const std::vector<NamedCount>& list) = 0;
  virtual void end() {}

  [[nodiscard]] virtual std::string name(const MathName& name) const = 0;
  [[nodiscard]] virtual std::string temporary(std::size_t number) const = 0;
  [[nodiscard]] virtual std::string entry(const Block& block, const Block::Entry& entry) const = 0;
  /// The derivative of a speed by time.
  [[nodiscard]] virtual std::string rate_of(const MathName& speed) const = 0;
  [[nodiscard]] virtual std::unique_ptr<MathWriter> writer(const Listing& listing, Writer::NameOf name) const = 0;

  /// A title with its mathematical letters, "M" or "gamma", as `letter` writes them.
  template <class Letter>
  [[nodiscard]] static std::string with_letters(const std::string& title, Letter letter) {
    std::string text;
    for (std::size_t k = 0; k < title.size();) {
      std::size_t end = k;
      while (end < title.size() &&
             ((title[end] >= 'a' && title[end] <= 'z') || (title[end] >= 'A' && title[end] <= 'Z')))
        ++end;
      const std::string word = title.substr(k, end - k);
      const bool mathematical = (word.size() == 1 && word != "a") || word == "gamma";
      text += mathematical ? letter(word) : word;
      if (end < title.size()) text += title[end++];
      k = end;
    }
    return text;
  }
  /// What the equations are of: the model's name, or "the model".
  [[nodiscard]] std::string subject() const { return form_.name.empty() ? "the model" : one_line(form_.name); }

  const Form& form_;
  MathNames names_;
  std::string out_;

 private:
  void print_equations();
};

}  // namespace gyrostat::scalar
