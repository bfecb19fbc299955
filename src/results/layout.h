// The structure of a results file, and the one function that makes it.
//
//   attributes of the root   format, model_name, model_file, version, command, formulation, integrator, and more
//   model                    the model's text
//   texts/, tables/          of campaigns: the campaign's text and what it says of data files; samples of CSV files
//   columns                  the names of all columns, in the order of a row
//   time, <columns>          numbers, one per record; attributes unit and description, and of a state machine states:
//                            the names of its states, a line each; note, if there is one. In place of `time` another
//                            column may number the records (attribute index): `flight` in campaigns
//   checksums                of each record: of its time and its columns, while the run goes on
//   records                  how many records are written; `time` is NaN beyond
//   events/                  time, name, what; count: how many are written
//   statistics/              a number each
//   status                   "running", "finished", ...
//   attribute checksum       of all datasets with several values, when the run has ended
//   checkpoint               from what a run that has ended can go on
//   histories/               of some records, when the run has ended (histories.h)
//
// While a run goes on nothing in its file is moved: every dataset has its full size and its place from the beginning.
// What the run adds are numbers at known places, and the file is complete and readable at any moment, even if the
// program is killed. When the run has ended the file is packed (packed_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/results/raw_file.h"
#include "gyrostat/results/results.h"

namespace gyrostat::results {

inline constexpr std::string_view results_format = "gyrostat results 1";
inline constexpr std::size_t event_text_bytes = 64, reason_text_bytes = 256, status_bytes = 256;

struct Contents {
  Header header;
  std::vector<Column> columns;
  std::vector<std::string> statistics;  // their names

  /// Of the two texts of an event: names and what happened; of a campaign, why a flight failed.
  [[nodiscard]] std::size_t event_text_bytes() const {
    return header.index == "time" ? results::event_text_bytes : reason_text_bytes;
  }
};

/// How many records and events a file has room for.
struct Capacity {
  std::uint64_t records = 0, events = 0;
};

/// Where in the file each dataset's numbers begin, in bytes.
struct Layout {
  Capacity capacity;
  std::uint64_t time = 0, checksums = 0, records = 0, status = 0;
  std::uint64_t event_time = 0, event_name = 0, event_what = 0, event_count = 0;
  std::size_t event_text_bytes = 0;
  std::vector<std::uint64_t> columns, statistics;
};

/// The dataset of a column: its name, but names that the file itself or a group uses get a '_': "status_",
/// "loads_".
std::string dataset_path(std::string_view column_name);

/// The column that numbers the records.
inline Column index_column(const Header& header) {
  constexpr const char* missing = "; NaN where none is written yet";
  if (header.index == "time") return {"time", "s", std::string("time of the record") + missing};
  return {header.index, "", "number of the " + header.index + missing};
}

/// Makes the file: room for everything and nothing in it yet, but NaN for all times.
Layout create_results_file(RawFile& file, const Contents& contents, Capacity capacity);

}  // namespace gyrostat::results
