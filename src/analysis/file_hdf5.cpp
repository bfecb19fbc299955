#include <fmt/format.h>

#include "gyrostat/analysis/linear_file.h"
#include "gyrostat/hdf5/memory_file.h"

namespace gyrostat {

namespace {

void write(const hdf5::MemoryFile& file, const char* path, const Eigen::MatrixXd& matrix) {
  std::vector<double> numbers;
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) numbers.push_back(matrix(r, c));
  }
  file.numbers(path, {static_cast<hsize_t>(matrix.rows()), static_cast<hsize_t>(matrix.cols())}, numbers);
}

void write(const hdf5::MemoryFile& file, const std::string& group, const std::vector<LinearVariable>& variables) {
  std::vector<std::string> names, units, descriptions;
  for (const LinearVariable& v : variables) {
    names.push_back(v.name);
    units.push_back(v.unit);
    descriptions.push_back(v.description);
  }
  file.group(group.c_str());
  file.names((group + "/name").c_str(), names);
  file.names((group + "/unit").c_str(), units);
  file.names((group + "/description").c_str(), descriptions);
}

/// The model with its channels, from which everything else can be computed again.
void write_channels(const hdf5::MemoryFile& file, const LinearModel& model) {
  std::vector<std::string> signals, kinds;
  std::vector<double> times, real, imaginary;
  for (const Channel& channel : model.channels) {
    signals.push_back(channel.signal);
    kinds.emplace_back(channel_kinds.at(static_cast<std::size_t>(channel.kind)));
    times.push_back(channel.time);
    real.push_back(channel.gain.real());
    imaginary.push_back(channel.gain.imag());
  }
  const hdf5::MemoryFile::Shape count = {model.channels.size()};
  file.group("/channels");
  file.names("/channels/signal", signals);
  file.names("/channels/kind", kinds);
  file.numbers("/channels/time", count, times);
  file.numbers("/channels/gain_real", count, real);
  file.numbers("/channels/gain_imaginary", count, imaginary);
  write(file, "/channels/A", model.A);
  write(file, "/channels/B", model.B);
  write(file, "/channels/C", model.C);
  write(file, "/channels/D", model.D);
  write(file, "/channels/states", model.states);
}

void write(const hdf5::MemoryFile& file, const LinearOrigin& origin) {
  file.group("/source");
  file.names("/source/file", {origin.model_file});
  file.names("/source/text", {origin.model_text});
  file.names("/source/set", origin.overrides);
  file.numbers("/source/pade", {1}, {static_cast<double>(origin.pade)});
}

}  // namespace

std::string linear_hdf5(const LinearModel& model, const StateSpace& space, const LinearOrigin& origin) {
  const hdf5::MemoryFile file;
  file.attribute("format", std::string(linear_format));
  file.attribute("model", origin.model_name);
  write(file, origin);
  file.numbers("/t", {1}, {model.t});
  file.numbers("/period", {1}, {space.period});
  write(file, "/states", space.states);
  write(file, "/inputs", space.inputs);
  write(file, "/outputs", space.outputs);
  write(file, "/A", space.A);
  write(file, "/B", space.B);
  write(file, "/C", space.C);
  write(file, "/D", space.D);
  file.group("/operating_point");
  write(file, "/operating_point/q", model.state.q);
  write(file, "/operating_point/u", model.state.u);
  write(file, "/operating_point/rates", model.rates);
  write(file, "/operating_point/inputs", model.at_inputs);
  write(file, "/operating_point/outputs", model.at_outputs);
  file.group("/second_order");
  const SecondOrder& s = model.second_order;
  write(file, "/second_order/M", s.M);
  write(file, "/second_order/G", s.G);
  write(file, "/second_order/D", s.D);
  write(file, "/second_order/K", s.K);
  write(file, "/second_order/F", s.F);
  write(file, "/second_order/H", s.H);
  write(file, "/basis", model.basis);
  std::vector<double> speeds(model.speeds.begin(), model.speeds.end());
  file.numbers("/speeds", {speeds.size()}, speeds);
  file.names("/opened", model.opened);
  write_channels(file, model);
  file.names("/notes", model.notes);
  return file.bytes();
}

}  // namespace gyrostat
