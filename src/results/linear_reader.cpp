#include "gyrostat/results/linear_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/results/input_file.h"
#include "gyrostat/results/results.h"

namespace gyrostat::results {

namespace {

using Index = Eigen::Index;
using hdf5::Dataset;
using hdf5::InputFile;

class LinearReader {
 public:
  explicit LinearReader(const std::string& path) : path_(path), file_(path, "linear model") {}

  StoredLinearModel read() {
    check_format();
    StoredLinearModel stored;
    LinearModel& m = stored.model;
    read_origin(stored.origin);
    stored.period = numbers("/period", 1)[0];
    m.t = numbers("/t", 1)[0];
    m.states = variables("/channels/states");
    m.inputs = variables("/inputs");
    m.outputs = variables("/outputs");
    m.opened = texts("/opened");
    m.notes = texts("/notes");
    m.channels = channels();
    const std::size_t n = m.states.size(), c = m.channels.size();
    m.A = matrix("/channels/A", n, n);
    m.B = matrix("/channels/B", n, m.inputs.size() + c);
    m.C = matrix("/channels/C", m.outputs.size() + c, n);
    m.D = matrix("/channels/D", m.outputs.size() + c, m.inputs.size() + c);
    m.state.q = column("/operating_point/q");
    m.state.u = column("/operating_point/u");
    m.rates = column("/operating_point/rates");
    m.at_inputs = column("/operating_point/inputs");
    m.at_outputs = column("/operating_point/outputs");
    for (const double u : numbers("/speeds")) {
      if (!(u >= 0 && u < static_cast<double>(m.state.u.size()))) file_.damaged("'/speeds' has others than there are");
      m.speeds.push_back(static_cast<std::uint32_t>(u));
    }
    m.coordinates = m.speeds.size();
    if (2 * m.coordinates > n) file_.damaged("there are more coordinates than states");
    m.basis = matrix("/basis", static_cast<std::size_t>(m.state.u.size()), m.coordinates);
    const auto is_opened = [&](const LinearVariable& v) { return std::ranges::count(m.opened, v.name) > 0; };
    if (m.opened.size() > m.outputs.size() ||
        std::ranges::count_if(m.inputs, is_opened) != static_cast<std::ptrdiff_t>(m.opened.size())) {
      file_.damaged("'/opened' has signals that are no inputs");
    }
    return stored;
  }

 private:
  void check_format() const {
    const auto attributes = file_.attributes();
    const auto format = std::ranges::find(attributes, "format", [](const auto& a) { return a.first; });
    if (format == attributes.end() || format->second != linear_format) {
      throw ResultsError(fmt::format("{}: is not a linear model that `gyrostat linearize -o` wrote", path_));
    }
    if (!file_.has("/source") || !file_.has("/channels")) {
      throw ResultsError(fmt::format(
          "{}: an earlier version wrote it, without the model that it is of; make it anew with `gyrostat linearize`",
          path_));
    }
  }

  void read_origin(LinearOrigin& origin) const {
    for (const auto& [name, value] : file_.attributes()) {
      if (name == "model") origin.model_name = value;
    }
    origin.model_file = one_text("/source/file");
    origin.model_text = one_text("/source/text");
    origin.overrides = texts("/source/set");
    const double pade = numbers("/source/pade", 1)[0];
    if (!(pade >= 1 && pade <= 8)) file_.damaged("'/source/pade' is no order");
    origin.pade = static_cast<int>(pade);
  }

  [[nodiscard]] std::vector<Channel> channels() const {
    const std::vector<std::string> signals = texts("/channels/signal"), kinds = texts("/channels/kind");
    const std::size_t count = signals.size();
    const std::vector<double> times = numbers("/channels/time", count), real = numbers("/channels/gain_real", count),
                              imaginary = numbers("/channels/gain_imaginary", count);
    if (kinds.size() != count) file_.damaged("'/channels/kind' has not as many as there are channels");
    std::vector<Channel> list;
    for (std::size_t k = 0; k < count; ++k) {
      const auto kind = std::ranges::find(channel_kinds, kinds[k]);
      if (kind == channel_kinds.end()) file_.damaged("'/channels/kind' has an unknown kind");
      list.push_back(
          {signals[k], static_cast<Channel::Kind>(kind - channel_kinds.begin()), times[k], {real[k], imaginary[k]}});
    }
    return list;
  }

  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const {
    const Dataset dataset = file_.texts(path);
    return dataset.texts(dataset.length());
  }
  [[nodiscard]] std::string one_text(const std::string& path) const {
    const std::vector<std::string> all = texts(path);
    if (all.size() != 1) file_.damaged(fmt::format("'{}' is not one text", path));
    return all.front();
  }
  [[nodiscard]] std::vector<LinearVariable> variables(const std::string& group) const {
    const std::vector<std::string> names = texts(group + "/name"), units = texts(group + "/unit"),
                                   descriptions = texts(group + "/description");
    if (units.size() != names.size() || descriptions.size() != names.size()) {
      file_.damaged(fmt::format("'{}' has not as many units as names", group));
    }
    std::vector<LinearVariable> list;
    for (std::size_t k = 0; k < names.size(); ++k) list.push_back({names[k], units[k], descriptions[k]});
    return list;
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& path, std::size_t count) const {
    std::vector<double> values = numbers(path);
    if (values.size() != count) {
      file_.damaged(fmt::format("'{}' has {} values instead of {}", path, values.size(), count));
    }
    return values;
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& path) const {
    const Dataset dataset = file_.numbers(path);
    return checked(path, dataset.numbers(dataset.length()));
  }
  [[nodiscard]] std::vector<double> checked(const std::string& path, std::vector<double> values) const {
    if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) {
      file_.damaged(fmt::format("'{}' has values that are not finite", path));
    }
    return values;
  }

  [[nodiscard]] Eigen::MatrixXd matrix(const std::string& path, std::size_t rows, std::size_t columns) const {
    const Dataset dataset = file_.matrix(path);
    if (dataset.columns() != columns || dataset.length() != rows * columns) {
      file_.damaged(fmt::format("'{}' is not a matrix of {} rows and {} columns", path, rows, columns));
    }
    const std::vector<double> values = checked(path, dataset.numbers(dataset.length()));
    using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const ByRows>(values.data(), static_cast<Index>(rows), static_cast<Index>(columns));
  }
  [[nodiscard]] Eigen::VectorXd column(const std::string& path) const {
    return matrix(path, file_.matrix(path).length(), 1);
  }

  std::string path_;
  hdf5::Quiet quiet_;
  InputFile file_;
};

}  // namespace

std::vector<Override> StoredLinearModel::overrides() const {
  std::vector<Override> list;
  for (const std::string& text : origin.overrides) {
    const std::size_t equals = std::min(text.find('='), text.size());
    list.push_back({text.substr(0, equals), text.substr(std::min(equals + 1, text.size()))});
  }
  return list;
}

StoredLinearModel read_linear_model(const std::string& path) { return LinearReader(path).read(); }

}  // namespace gyrostat::results
