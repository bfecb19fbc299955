// Where histories are while they are recorded: a file beside the results, "OUT.h5.histories", that is whole at any
// moment. Each flight has its place in it, with a checksum; so a file that was left is gone on with.
#pragma once

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/results/histories.h"

namespace gyrostat::campaign {

std::string history_path_beside(const std::string& results_path);

class HistoryFile {
 public:
  /// Goes on with the file of these flights and this `origin` if there is one, else begins anew. Each flight has `size`
  /// numbers. Throws ResultsError, also where another file has the name.
  HistoryFile(std::string path, std::uint64_t origin, std::vector<std::uint64_t> flights, std::size_t size);

  [[nodiscard]] const std::vector<std::uint64_t>& flights() const { return flights_; }
  /// Is the history of flights()[k] there?
  [[nodiscard]] bool has(std::size_t k) const { return has_[k] != 0; }
  [[nodiscard]] std::uint64_t recorded() const { return recorded_; }

  void write(std::size_t k, std::span<const double> values);
  /// Some of the numbers of flights()[k], from the one with number `first` on.
  void read(std::size_t k, std::size_t first, std::span<double> into);

  /// As if none were there.
  void forget();
  /// It is no longer needed.
  void remove();

 private:
  [[nodiscard]] std::uint64_t place(std::size_t k) const;
  bool go_on(std::uint64_t origin);
  void begin(std::uint64_t origin);
  void put(std::uint64_t place, const void* data, std::size_t bytes);
  bool get(std::uint64_t place, void* into, std::size_t bytes);

  std::string path_;
  std::fstream stream_;
  std::vector<std::uint64_t> flights_;
  std::size_t size_;
  std::vector<std::uint8_t> has_;
  std::uint64_t recorded_ = 0;
};

}  // namespace gyrostat::campaign
