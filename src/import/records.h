// The records of a deck: numbers without a format, as Fortran's list-directed READ takes them. Every READ begins on a
// new line and goes on over as many as it needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/format/problem.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat::dasc {

/// A record that is wrong, reported already: the rest of its section is not read.
struct BadRecord {};

class Records {
 public:
  Records(const Source& source, Problems& problems);

  /// The keyword of the next line that has one, as three capitals: "SYS", "BOD", ..., "END"; empty at the end of the
  /// deck. Lines of numbers before it, which nothing reads, are an error.
  std::string_view next_section();

  /// The next `count` numbers; `what` tells what they are.
  std::vector<double> read(std::size_t count, std::string_view what);
  /// The same, with whole numbers at the first `whole` places.
  std::vector<double> read(std::size_t count, std::size_t whole, std::string_view what);

  /// Nothing of this section is read.
  void pass_over() { failed_ = true; }

  /// Of the record that was read last.
  [[nodiscard]] Place place() const { return place_; }
  [[noreturn]] void fail(std::string message) const;

 private:
  struct Number {
    double value = 0;
    bool whole = false;
    Place place;
  };
  [[nodiscard]] bool at_keyword() const;
  void read_line(std::size_t count, std::string_view what, std::vector<Number>& numbers);
  void add_number(std::string_view text, Place place, std::size_t count, std::vector<Number>& numbers) const;
  [[noreturn]] void fail_at(Place place, std::string message) const;

  const Source& source_;
  Problems& problems_;
  std::size_t line_ = 0, lines_ = 0;  // the next one, from 0
  Place place_;
  std::string section_;
  mutable bool failed_ = false;  // in this section
};

inline Vector3 vector_at(const std::vector<double>& numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

}  // namespace gyrostat::dasc
