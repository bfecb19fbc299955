#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_code.h"

namespace gyrostat::scalar {

namespace {

std::string python_number(double value) {
  return std::isfinite(value) ? CodeWriter::number(value) : fmt::format("float('{}')", value);
}

/// Functions that raise where those of C give nan or infinity: a choice computes both of its branches.
constexpr std::string_view python_helpers = R"(
def _divide(a, b):
    if b != 0:
        return a/b
    return math.nan if a == 0 or a != a else math.copysign(math.inf, a)*math.copysign(1.0, b)


def _checked(function):
    def call(*x):
        try:
            return function(*x)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan
    return call


_sqrt = _checked(math.sqrt)
_log = _checked(lambda x: -math.inf if x == 0 else math.log(x))
_asin = _checked(math.asin)
_acos = _checked(math.acos)
_exp = _checked(math.exp)
_pow = _checked(math.pow)
)";

class PythonPrinter : public CodePrinter {
 public:
  explicit PythonPrinter(const Form& form)
      : CodePrinter(form, {"math.", " and ", " or ", "not ", false, "_table", true}) {}

  std::string print() {
    for (const auto& lines : {heading(form_), array_comments(form_)}) {
      for (const std::string& line : lines) out_ += fmt::format("# {}\n", line);
      out_ += "#\n";
    }
    out_ += "import math\n\n# p in the model\nparameters = [";
    for (std::size_t k = 0; k < form_.p.size(); ++k) {
      out_ += fmt::format("{}\n    {}", k == 0 ? "" : ",", python_number(form_.p[k].value));
    }
    out_ += form_.p.empty() ? "]\n" : "\n]\n";
    out_ += "\n" + std::string(python_helpers);
    print_tables();
    for (const CodeFunction& function : functions_of(form_)) print_function(function);
    if (form_.jacobian) print_jacobian();
    return std::move(out_);
  }

 private:
  /// A list, or a list of lists.
  static std::string listed(const std::vector<std::string>& list, std::size_t rows) {
    std::string text = "[";
    for (std::size_t k = 0; k < list.size(); ++k) {
      const bool begins = rows != 0 && k % (list.size() / rows) == 0;
      text += (k == 0   ? ""
               : begins ? "],\n            "
                        : ",\n            ") +
              std::string(begins ? "[" : "") + list[k];
    }
    return text + (rows == 0 || list.empty() ? "]" : "]]");
  }

  void print_tables() {
    if (form_.tables.empty()) return;
    out_ += "\n\n# tables: on each piece at, v, b, c, d; v + h (b + h (c + h d)), h = x - at\n_pieces = [\n";
    for (const Table& table : form_.tables) {
      out_ += "    [\n";
      for (const TablePiece& p : pieces_of(table)) {
        out_ += fmt::format("        ({}, {}, {}, {}, {}),\n", python_number(p.at), python_number(p.v),
                            python_number(p.b), python_number(p.c), python_number(p.d));
      }
      out_ += "    ],\n";
    }
    out_ +=
        "]\n\n\ndef _table(number, x, order):\n    pieces = _pieces[number]\n    last = len(pieces) - 1\n    k = 0\n"
        "    if x > pieces[last][0]:\n        k = last\n    else:\n"
        "        while k < last - 1 and x >= pieces[k + 1][0]:\n            k += 1\n"
        "    at, v, b, c, d = pieces[k]\n    h = x - at\n"
        "    if order == 1:\n        return b + h*(2*c + 3*h*d)\n"
        "    if order == 2:\n        return 2*c + 6*h*d\n"
        "    return v + h*(b + h*(c + h*d))\n";
  }

  void define(const std::string& name, const std::string& value) override { assign(name, value); }
  void assign(const std::string& to, const std::string& value) override {
    out_ += fmt::format("    {} = {}\n", to, value);
  }
  [[nodiscard]] std::string entry(std::string_view array, std::size_t row, std::size_t column,
                                  std::size_t /*columns*/) const override {
    return fmt::format("{}[{}][{}]", array, row, column);
  }

  void print_function(const CodeFunction& function) {
    out_ += fmt::format("\n\ndef {}(", function.name);
    for (std::size_t k = 0; k < function.arguments.size(); ++k)
      out_ += fmt::format("{}{}", k == 0 ? "" : ", ", function.arguments[k]);
    out_ += fmt::format("):\n    # {}\n", function.comment);
    compute(*function.values, function.arguments, [&](CodeWriter& writer) {
      std::vector<std::string> list;
      for (const Id id : *function.values) list.push_back(writer.text(id));
      out_ += fmt::format("    return {}\n", listed(list, function.rows));
    });
  }

  void print_jacobian() {
    out_ +=
        "\n\ndef jacobian(p, q, u, t, s):\n"
        "    # Derivatives of [qdot; udot]: A by [q; u], B by s, as rows.\n";
    compute_jacobian([this] { declare_matrices(); }, [this](CodeWriter& writer) { solve_for_derivatives(writer); });
  }

  void declare_matrices() {
    const std::size_t n = form_.nf(), nx = form_.q.size() + form_.u.size();
    out_ += fmt::format("    L = [[0.0]*{0} for _ in range({0})]\n    D_inverse = [0.0]*{0}\n", n);
    out_ += fmt::format("    X = [[0.0]*{} for _ in range({})]\n", form_.columns(), n);
    if (form_.loops) {
      const std::size_t m = form_.loops->rows.size();
      out_ += fmt::format("    Y = [[0.0]*{0} for _ in range({1})]\n    Z = [[0.0]*{2} for _ in range({1})]\n",
                          form_.columns(), m, n);
      out_ += fmt::format("    W = [[0.0]*{0} for _ in range({0})]\n", m);
    }
    out_ += fmt::format("    A = [[0.0]*{0} for _ in range({0})]\n    B = [[0.0]*{1} for _ in range({0})]\n", nx,
                        form_.s.size());
  }

  void solve_for_derivatives(CodeWriter& writer) {
    const std::size_t n = form_.nf(), columns = form_.columns(), nq = form_.q.size(), nx = nq + form_.u.size();
    out_ += fmt::format(
        "    for c in range({0}):\n"
        "        for k in reversed(range({1})):\n"
        "            for i in range(k):\n                X[i][c] -= L[k][i]*X[k][c]\n",
        columns, n);
    if (form_.loops) {
      out_ += fmt::format(
          "        for r in range({1}):\n"
          "            for k in range({0}):\n                Y[r][c] -= Z[r][k]*D_inverse[k]*X[k][c]\n"
          "            for i in range(r):\n                Y[r][c] -= W[r][i]*W[i][i]*Y[i][c]\n"
          "        for i in reversed(range({1})):\n"
          "            for r in range(i + 1, {1}):\n                Y[i][c] -= W[r][i]*Y[r][c]\n"
          "            Y[i][c] *= W[i][i]\n"
          "        for r in range({1}):\n"
          "            for k in range({0}):\n                X[k][c] += Z[r][k]*Y[r][c]\n",
          n, form_.loops->rows.size());
    }
    out_ += fmt::format(
        "        for k in range({1}):\n"
        "            X[k][c] *= D_inverse[k]\n"
        "            for i in range(k):\n                X[k][c] -= L[k][i]*X[i][c]\n",
        columns, n);
    if (form_.turned.first >= 0) {
      const auto first = static_cast<std::size_t>(form_.turned.first);
      out_ += fmt::format("    for c in range({}):\n        v = [X[{}][c], X[{}][c], X[{}][c]]\n", columns, first,
                          first + 1, first + 2);
      for (std::size_t k = 0; k < 3; ++k) {
        out_ += fmt::format("        X[{}][c] = ({})*v[0] + ({})*v[1] + ({})*v[2]\n", first + k,
                            writer.text(form_.turned.R[3 * k]), writer.text(form_.turned.R[3 * k + 1]),
                            writer.text(form_.turned.R[3 * k + 2]));
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t row = nq + form_.free[k];
      out_ += fmt::format("    A[{0}] = X[{1}][:{2}]\n    B[{0}] = X[{1}][{2}:]\n", row, k, nx);
    }
    out_ += "    return A, B\n";
  }
};

}  // namespace

std::string to_python(const Form& form) { return PythonPrinter(form).print(); }

}  // namespace gyrostat::scalar
