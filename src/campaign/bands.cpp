#include "gyrostat/campaign/bands.h"

#include "gyrostat/campaign/statistics.h"

namespace gyrostat::campaign {

Bands bands_of(std::span<const double> values, std::size_t times) {
  Bands bands;
  for (std::vector<double>& line : bands.values) line.assign(times, not_a_number);
  bands.flights.assign(times, 0);
  const std::size_t flights = times == 0 ? 0 : values.size() / times;
  std::vector<double> now(flights);
  for (std::size_t t = 0; t < times; ++t) {
    for (std::size_t f = 0; f < flights; ++f) now[f] = values[f * times + t];
    const std::vector<double> sorted = sorted_numbers(now);
    bands.flights[t] = sorted.size();
    if (sorted.empty()) continue;
    for (std::size_t k = 0; k < band_fractions.size(); ++k) bands.values[k][t] = quantile(sorted, band_fractions[k]);
  }
  return bands;
}

}  // namespace gyrostat::campaign
