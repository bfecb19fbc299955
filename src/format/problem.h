// What is wrong with a model, and where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyrostat {

/// A place in a text as an editor shows it: line and column from 1, columns in characters. 0: unknown.
struct Place {
  std::uint32_t line = 0, column = 0;
  std::uint32_t file = 0;      // 0: the model file; from 1: those it includes (Source::part)
  std::uint32_t instance = 0;  // from 1: of a template, which the text at this place belongs to (Source::instance)
};

/// Where a part of the tree that is read comes from.
struct Origin {
  struct Replacement {
    std::uint32_t begin = 0, end = 0;                  // bytes in the text that is read
    std::uint32_t written_begin = 0, written_end = 0;  // and in the text of the file
  };

  std::uint32_t file = 0, instance = 0;    // as in Place
  std::string written = {};                // of an expression in which names were replaced: what the file has
  std::vector<Replacement> replaced = {};  // in the order of the text
};

/// A model file's name and text, where its lines begin, and the same of the files that it includes.
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

  // --- of the model file: what it includes and what its templates make -------------------------------------------

  /// A file that is included, and its number.
  std::uint32_t add_included(Source included);
  /// What a problem in an instance of a template says of it, and the instance's number.
  std::uint32_t add_instance(std::string description);
  std::uint32_t add_origin(Origin origin);
  /// The model as one file without templates, where it has any or includes others.
  void set_expanded(std::string text) { expanded_ = std::move(text); }
  /// The same of a model that has more in it than its file.
  void set_completed(std::string text) {
    expanded_ = std::move(text);
    completed_ = true;
  }

  [[nodiscard]] const Source& part(std::uint32_t file) const { return file == 0 ? *this : included_[file - 1]; }
  [[nodiscard]] const std::vector<Source>& included() const { return included_; }
  [[nodiscard]] const std::string& instance(std::uint32_t number) const { return instances_[number - 1]; }
  [[nodiscard]] const Origin& origin(std::uint32_t number) const { return origins_[number]; }

  /// A text from which the model can be read again without the files it includes: that of the file, if it is all.
  [[nodiscard]] std::string_view whole_text() const {
    return included_.empty() && !completed_ ? std::string_view(text_) : expanded_;
  }
  /// The same without templates.
  [[nodiscard]] std::string_view expanded_text() const {
    return expanded_.empty() ? std::string_view(text_) : expanded_;
  }

 private:
  std::string file_, text_;
  std::vector<std::size_t> line_starts_{0};
  std::uint32_t number_ = 0;  // of an included file
  std::vector<Source> included_;
  std::vector<std::string> instances_;
  std::vector<Origin> origins_{Origin{}};
  std::string expanded_;
  bool completed_ = false;
};

enum class Severity { error, warning };

struct Problem {
  Severity severity = Severity::error;
  std::string path;     // "joints.pan.axis"; empty for the file as a whole
  std::string message;  // what is wrong and what would be right
  Place place;
  std::size_t offset = 0;     // the byte of the value at `path` that is meant, while the place is not known
  std::size_t instances = 0;  // further ones of the same template in which the same is wrong
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
  /// Those that were known already counted too: whether reading something found any.
  [[nodiscard]] std::size_t errors_found() const { return errors_found_; }
  [[nodiscard]] std::size_t warnings() const { return warnings_; }
  [[nodiscard]] std::size_t not_kept() const { return errors_ + warnings_ - problems_.size(); }

  /// Are further problems only counted? Then there is no point in composing a long message.
  [[nodiscard]] bool full() const;

  /// In the order of the files; those without a place first. What is wrong in several instances of a template alike is
  /// kept once.
  void sort();

 private:
  std::vector<Problem> problems_;
  std::size_t errors_ = 0, warnings_ = 0, errors_found_ = 0;
};

/// "m.yaml:31:7": the file and the place in it.
std::string where(const Place& place, const Source& source);

/// "file:31:7: error: joints.pan.axis: expected 3 numbers, got 2", the line and a caret under the column; in a
/// template, the instance. Control characters of the file do not reach the terminal.
std::string render(const Problem& problem, const Source& source, bool colour);

}  // namespace gyrostat
