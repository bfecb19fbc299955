#include <nlohmann/json.hpp>

#include "gyrostat/analysis/linear_file.h"

namespace gyrostat {

namespace {

using Json = nlohmann::ordered_json;

Json rows_of(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json list_of(const Eigen::VectorXd& vector) {
  Json list = Json::array();
  for (const double x : vector) list.push_back(x);
  return list;
}

Json variables_of(const std::vector<LinearVariable>& variables) {
  Json list = Json::array();
  for (const LinearVariable& v : variables) {
    list.push_back({{"name", v.name}, {"unit", v.unit}, {"description", v.description}});
  }
  return list;
}

}  // namespace

std::string linear_json(const LinearModel& model, const StateSpace& space, const std::string& model_name) {
  Json json = {{"format", linear_format},
               {"model", model_name},
               {"t", model.t},
               {"period", space.period},
               {"states", variables_of(space.states)},
               {"inputs", variables_of(space.inputs)},
               {"outputs", variables_of(space.outputs)},
               {"A", rows_of(space.A)},
               {"B", rows_of(space.B)},
               {"C", rows_of(space.C)},
               {"D", rows_of(space.D)}};
  Json channels = Json::array();
  for (const Channel& channel : model.channels) {
    const bool gain = channel.kind == Channel::Kind::gain;
    Json item = {{"signal", channel.signal}, {"kind", channel_kinds.at(static_cast<std::size_t>(channel.kind))}};
    if (gain) {
      item["gain"] = {channel.gain.real(), channel.gain.imag()};
    } else {
      item["time"] = channel.time;
    }
    channels.push_back(std::move(item));
  }
  json["channels"] = std::move(channels);
  json["operating_point"] = {{"q", list_of(model.state.q)},
                             {"u", list_of(model.state.u)},
                             {"rates", list_of(model.rates)},
                             {"inputs", list_of(model.at_inputs)},
                             {"outputs", list_of(model.at_outputs)}};
  const SecondOrder& s = model.second_order;
  json["second_order"] = {{"M", rows_of(s.M)}, {"G", rows_of(s.G)}, {"D", rows_of(s.D)},
                          {"K", rows_of(s.K)}, {"F", rows_of(s.F)}, {"H", rows_of(s.H)}};
  json["basis"] = rows_of(model.basis);
  json["notes"] = model.notes;
  return json.dump(1) + "\n";
}

}  // namespace gyrostat
