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

}  // namespace

std::string linear_hdf5(const LinearModel& model, const StateSpace& space, const std::string& model_name) {
  const hdf5::MemoryFile file;
  file.attribute("format", std::string(linear_format));
  file.attribute("model", model_name);
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
  file.names("/notes", model.notes);
  return file.bytes();
}

}  // namespace gyrostat
