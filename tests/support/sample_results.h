// Results files with numbers that can be told from their place.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"

namespace gyrostat::testing {
using namespace results;

inline Header sample_header() {
  return {"A bus with a hub",
          "hub.yaml",
          "gyrostat: 1\nbodies: {}\n",
          "0.1.0",
          "run hub.yaml",
          "articulated_body",
          "adams",
          {{"overrides", "K=3"}, {"until", "10"}}};
}

inline std::vector<Column> sample_columns(std::size_t count) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < count; ++c) {
    columns.push_back({(c % 3 == 2 ? "ledger/" : "bus.") + std::string("value") + std::to_string(c), "rad/s",
                       "value number " + std::to_string(c)});
  }
  return columns;
}

inline double sample_time(std::uint64_t record) { return 0.1 * static_cast<double>(record); }

inline double sample_value(std::uint64_t record, std::size_t column) {
  return std::sin(static_cast<double>(record) + 0.37 * static_cast<double>(column));
}

inline std::vector<double> sample_row(std::uint64_t record, std::size_t columns) {
  std::vector<double> row;
  for (std::size_t c = 0; c < columns; ++c) row.push_back(sample_value(record, c));
  return row;
}

inline void append_samples(ResultsWriter& writer, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t r = first; r < end; ++r) writer.append(sample_time(r), sample_row(r, writer.columns().size()));
}

inline Event sample_event(std::uint64_t number) {
  return {0.5 * static_cast<double>(number), "signal" + std::to_string(number), number % 2 == 0 ? "on" : "off"};
}

inline void expect_samples(const ResultsReader& reader, std::uint64_t records) {
  ASSERT_EQ(reader.records(), records);
  for (std::uint64_t r = 0; r < records; ++r) ASSERT_EQ(reader.time()[r], sample_time(r)) << r;
  for (std::size_t c = 0; c < reader.columns().size(); ++c) {
    const std::vector<double> values = reader.column(reader.columns()[c].name);
    ASSERT_EQ(values.size(), records);
    for (std::uint64_t r = 0; r < records; ++r) ASSERT_EQ(values[r], sample_value(r, c)) << r << ", " << c;
  }
}

inline void expect_sample_events(const ResultsReader& reader, std::uint64_t count) {
  ASSERT_EQ(reader.events().size(), count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Event expected = sample_event(i);
    ASSERT_EQ(reader.events()[i].t, expected.t);
    ASSERT_EQ(reader.events()[i].name, expected.name);
    ASSERT_EQ(reader.events()[i].what, expected.what);
  }
}

/// The message of the ResultsError that `act` throws.
template <class Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const ResultsError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ResultsError";
  return "";
}

}  // namespace gyrostat::testing
