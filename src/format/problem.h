// What is wrong with a model, and where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gyrostat {

/// A place in a text as an editor shows it: line and column from 1, columns in characters. 0: unknown.
struct Place {
  std::uint32_t line = 0, column = 0;
};

/// A model file's name and text, and where its lines begin.
class Source {
 public:
  Source() = default;
  Source(std::string file, std::string text);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// A line from 0, without its end.
  [[nodiscard]] std::string_view line(std::size_t index) const;

  /// The place of a byte in a line, both from 0.
  [[nodiscard]] Place place(std::size_t line, std::size_t byte) const;

 private:
  std::string file_, text_;
  std::vector<std::size_t> line_starts_{0};
};

enum class Severity { error, warning };

struct Problem {
  Severity severity = Severity::error;
  std::string path;     // "joints.pan.axis"; empty for the file as a whole
  std::string message;  // what is wrong and what would be right
  Place place;
  std::size_t offset = 0;  // the byte of the value at `path` that is meant, while the place is not known
};

/// Problems as they are found. Past the limit they are counted, not kept.
class Problems {
 public:
  void add(Problem problem);
  void error(std::string path, std::string message, Place place = {});
  void warning(std::string path, std::string message, Place place = {});

  [[nodiscard]] const std::vector<Problem>& all() const { return problems_; }
  [[nodiscard]] std::vector<Problem>& all() { return problems_; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] std::size_t warnings() const { return warnings_; }
  [[nodiscard]] std::size_t not_kept() const { return errors_ + warnings_ - problems_.size(); }

  /// Are further problems only counted? Then there is no point in composing a long message.
  [[nodiscard]] bool full() const;

  /// In the order of the file; those without a place first.
  void sort();

 private:
  std::vector<Problem> problems_;
  std::size_t errors_ = 0, warnings_ = 0;
};

/// "file:31:7: error: joints.pan.axis: expected 3 numbers, got 2", the line and a caret under the column. Control
/// characters of the file do not reach the terminal.
std::string render(const Problem& problem, const Source& source, bool colour);

}  // namespace gyrostat
