#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_code.h"

namespace gyrostat::scalar {

namespace {

/// Cannot end the comment it stands in.
std::string c_comment(std::string text) {
  for (const std::string_view pair : {"*/", "/*"}) {
    for (std::size_t at = text.find(pair); at != std::string::npos; at = text.find(pair)) text.insert(at + 1, " ");
  }
  std::ranges::replace(text, '\\', '/');  // no line is continued
  std::ranges::replace(text, '?', '.');   // no trigraph
  return text;
}

std::string c_number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  return CodeWriter::number(value);
}

class CPrinter : public CodePrinter {
 public:
  explicit CPrinter(const Form& form)
      : CodePrinter(form, {"", " && ", " || ", "!", true, function_prefix(form) + "_table", false}),
        prefix_(function_prefix(form)) {}

  std::string print() {
    out_ += "/*\n";
    for (const auto& lines : {heading(form_), array_comments(form_)}) {
      out_ += "\n";
      for (const std::string& line : lines) out_ += fmt::format("   {}\n", c_comment(line));
    }
    out_ += "*/\n#include <math.h>\n";
    print_sizes();
    print_tables();
    for (const CodeFunction& function : functions_of(form_)) print_function(function);
    if (form_.jacobian) print_jacobian();
    return std::move(out_);
  }

 private:
  void print_sizes() {
    out_ += fmt::format("\nenum {{ {0}_np = {1}, {0}_nq = {2}, {0}_nu = {3}, {0}_ns = {4}, {0}_nf = {5} }};\n", prefix_,
                        form_.p.size(), form_.q.size(), form_.u.size(), form_.s.size(), form_.nf());
    out_ += fmt::format("\n/* p in the model */\nconst double {}_parameters[{}] = {{", prefix_,
                        std::max<std::size_t>(1, form_.p.size()));
    for (std::size_t k = 0; k < form_.p.size(); ++k) {
      out_ += fmt::format("{}\n  {}", k == 0 ? "" : ",", c_number(form_.p[k].value));
    }
    out_ += form_.p.empty() ? "0};\n" : "\n};\n";
  }

  [[nodiscard]] bool uses_tables() const {
    std::vector<Id> all = form_.udot;
    if (form_.jacobian) all = jacobian_outputs(form_);
    const std::vector<bool> needed = form_.graph.needed_by(all);
    for (Id id = 0; id < needed.size(); ++id) {
      if (needed[id] && form_.graph[id].operation == Operation::table) return true;
    }
    return false;
  }

  void print_tables() {
    if (!uses_tables()) return;
    for (std::size_t k = 0; k < form_.tables.size(); ++k) {
      const std::vector<TablePiece> pieces = pieces_of(form_.tables[k]);
      out_ += fmt::format("\n/* table {}: on each piece at, v, b, c, d; v + h (b + h (c + h d)), h = x - at */\n",
                          c_comment(one_line(form_.table_names[k])));
      out_ += fmt::format("static const double {}_pieces{}[{}][5] = {{\n", prefix_, k, pieces.size());
      for (const TablePiece& p : pieces) {
        out_ += fmt::format("  {{{}, {}, {}, {}, {}}},\n", c_number(p.at), c_number(p.v), c_number(p.b), c_number(p.c),
                            c_number(p.d));
      }
      out_ += "};\n";
    }
    out_ += fmt::format("\nstatic double {}_table(int number, double x, int order) {{\n", prefix_);
    out_ += "  const double (*piece)[5] = 0;\n  int last = 0, k = 0;\n  double h;\n";
    for (std::size_t k = 0; k < form_.tables.size(); ++k) {
      out_ += fmt::format("  if (number == {0}) piece = {1}_pieces{0}, last = {2};\n", k, prefix_,
                          form_.tables[k].knots().size());
    }
    out_ +=
        "  if (x > piece[last][0]) {\n    k = last;\n  } else {\n"
        "    while (k < last - 1 && x >= piece[k + 1][0]) ++k;\n  }\n"
        "  h = x - piece[k][0];\n"
        "  if (order == 1) return piece[k][2] + h*(2*piece[k][3] + 3*h*piece[k][4]);\n"
        "  if (order == 2) return 2*piece[k][3] + 6*h*piece[k][4];\n"
        "  return piece[k][1] + h*(piece[k][2] + h*(piece[k][3] + h*piece[k][4]));\n}\n";
  }

  void define(const std::string& name, const std::string& value) override {
    out_ += fmt::format("  const double {} = {};\n", name, value);
  }
  void ignore(const std::string& argument) override { out_ += fmt::format("  (void)({});\n", argument); }
  void assign(const std::string& to, const std::string& value) override {
    out_ += fmt::format("  {} = {};\n", to, value);
  }
  [[nodiscard]] std::string entry(std::string_view array, std::size_t row, std::size_t column,
                                  std::size_t columns) const override {
    return fmt::format("{}[{}]", array, row * columns + column);
  }

  void print_function(const CodeFunction& function) {
    out_ += fmt::format("\n/* {} */\nvoid {}_{}(", function.comment, prefix_, function.name);
    for (const char c : function.arguments) out_ += c == 't' ? "double t, " : fmt::format("const double *{}, ", c);
    out_ += fmt::format("double *{}) {{\n", function.output);
    const std::vector<Id>& values = *function.values;
    compute(values, function.arguments, [&](CodeWriter& writer) {
      if (values.empty()) ignore(function.output);
      for (std::size_t k = 0; k < values.size(); ++k) assign(entry(function.output, k, 0, 1), writer.text(values[k]));
    });
    out_ += "}\n";
  }

  void print_jacobian() {
    out_ += fmt::format(
        "\n/* Derivatives of [qdot; udot]: A by [q; u], B by s, row by row. */\n"
        "void {}_jacobian(const double *p, const double *q, const double *u, double t, const double *s,\n"
        "    double *A, double *B) {{\n",
        prefix_);
    compute_jacobian([this] { declare_matrices(); }, [this](CodeWriter& writer) { solve_for_derivatives(writer); });
    out_ += "}\n";
  }

  void declare_matrices() {
    const std::size_t n = form_.nf(), columns = form_.columns(), ns = form_.s.size(),
                      nx = form_.q.size() + form_.u.size();
    out_ += fmt::format("  double L[{}], D_inverse[{}], X[{}];\n  int c, k, i;\n", std::max<std::size_t>(1, n * n),
                        std::max<std::size_t>(1, n), std::max<std::size_t>(1, n * columns));
    if (m() > 0) {
      out_ += fmt::format(
          "  double Y[{0}], Z[{1}], W[{2}];\n  int r;\n  for (i = 0; i < {0}; ++i) Y[i] = 0;\n"
          "  for (i = 0; i < {1}; ++i) Z[i] = 0;\n  for (i = 0; i < {2}; ++i) W[i] = 0;\n",
          std::max<std::size_t>(1, m() * columns), std::max<std::size_t>(1, m() * n), m() * m());
    }
    out_ +=
        fmt::format("  for (i = 0; i < {}; ++i) L[i] = 0;\n  for (i = 0; i < {}; ++i) X[i] = 0;\n", n * n, n * columns);
    out_ +=
        fmt::format("  for (i = 0; i < {}; ++i) A[i] = 0;\n  for (i = 0; i < {}; ++i) B[i] = 0;\n", nx * nx, nx * ns);
  }

  void solve_for_derivatives(CodeWriter& writer) {
    const std::size_t n = form_.nf(), columns = form_.columns(), nq = form_.q.size(), ns = form_.s.size(),
                      nx = nq + form_.u.size();
    out_ += fmt::format(
        "  for (c = 0; c < {0}; ++c) {{\n"
        "    for (k = {1} - 1; k >= 0; --k)\n"
        "      for (i = 0; i < k; ++i) X[i*{0} + c] -= L[k*{1} + i]*X[k*{0} + c];\n",
        columns, n);
    if (m() > 0) {
      out_ += fmt::format(
          "    for (r = 0; r < {2}; ++r) {{\n"
          "      for (k = 0; k < {1}; ++k) Y[r*{0} + c] -= Z[r*{1} + k]*D_inverse[k]*X[k*{0} + c];\n"
          "      for (i = 0; i < r; ++i) Y[r*{0} + c] -= W[r*{2} + i]*W[i*{2} + i]*Y[i*{0} + c];\n    }}\n"
          "    for (i = {2} - 1; i >= 0; --i) {{\n"
          "      for (r = i + 1; r < {2}; ++r) Y[i*{0} + c] -= W[r*{2} + i]*Y[r*{0} + c];\n"
          "      Y[i*{0} + c] *= W[i*{2} + i];\n    }}\n"
          "    for (r = 0; r < {2}; ++r)\n"
          "      for (k = 0; k < {1}; ++k) X[k*{0} + c] += Z[r*{1} + k]*Y[r*{0} + c];\n",
          columns, n, m());
    }
    out_ += fmt::format(
        "    for (k = 0; k < {1}; ++k) {{\n"
        "      X[k*{0} + c] *= D_inverse[k];\n"
        "      for (i = 0; i < k; ++i) X[k*{0} + c] -= L[k*{1} + i]*X[i*{0} + c];\n    }}\n  }}\n",
        columns, n);
    if (form_.turned.first >= 0) {
      const auto first = static_cast<std::size_t>(form_.turned.first);
      out_ += fmt::format("  for (c = 0; c < {}; ++c) {{\n", columns);
      for (std::size_t k = 0; k < 3; ++k)
        out_ += fmt::format("    const double v{} = X[{} + c];\n", k, (first + k) * columns);
      for (std::size_t k = 0; k < 3; ++k) {
        out_ += fmt::format("    X[{} + c] = ({})*v0 + ({})*v1 + ({})*v2;\n", (first + k) * columns,
                            writer.text(form_.turned.R[3 * k]), writer.text(form_.turned.R[3 * k + 1]),
                            writer.text(form_.turned.R[3 * k + 2]));
      }
      out_ += "  }\n";
    }
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t row = nq + form_.free[k];
      out_ += fmt::format("  for (c = 0; c < {}; ++c) A[{} + c] = X[{} + c];\n", nx, row * nx, k * columns);
      if (ns > 0)
        out_ += fmt::format("  for (c = 0; c < {}; ++c) B[{} + c] = X[{} + c];\n", ns, row * ns, k * columns + nx);
    }
    if (n == 0) out_ += "  (void)(L), (void)(D_inverse), (void)(X), (void)(k);\n";
    if (ns == 0) ignore("B");
  }

  /// Rows of loops.
  [[nodiscard]] std::size_t m() const { return form_.loops ? form_.loops->rows.size() : 0; }

  std::string prefix_;
};

}  // namespace

std::string to_c(const Form& form) { return CPrinter(form).print(); }

}  // namespace gyrostat::scalar
