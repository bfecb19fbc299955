// Samples of a CSV file, by column.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gyrostat::campaign {

/// The CSV files of a campaign, each read once. The first line has the names of columns; empty lines are passed over.
class SamplesFiles {
 public:
  /// The numbers of a column as they are written, or what is wrong: "samples.csv, line 17: ...".
  std::variant<std::vector<double>, std::string> column(const std::string& path, std::string_view name);

 private:
  struct File {
    std::string text, why;           // why it cannot be read
    std::vector<std::string> names;  // of columns
    std::size_t begin = 0;           // of the second line
  };
  const File& open(const std::string& path);

  std::map<std::string, File> files_;
};

}  // namespace gyrostat::campaign
