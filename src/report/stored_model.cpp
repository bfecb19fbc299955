#include "gyrostat/report/stored_model.h"

namespace gyrostat::report {

std::optional<std::string> attribute(const results::Header& header, std::string_view name) {
  for (const auto& [key, value] : header.more) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::vector<Override> stored_overrides(const results::Header& header) {
  const std::string text = attribute(header, "run_set").value_or("");
  std::vector<Override> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const std::size_t equals = std::min(line.find('='), line.size());
    list.push_back({line.substr(0, equals), line.substr(std::min(equals + 1, line.size()))});
    at = end + 1;
  }
  return list;
}

Loaded stored_model(const results::Header& header) {
  return load_text(header.model_file, header.model_text, stored_overrides(header));
}

}  // namespace gyrostat::report
