#include "gyrostat/analysis/root_locus.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gnuplot.h"
#include "linear.h"
#include "linear_report.h"
#include "output.h"
#include "response_picture.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

struct Varied {
  std::string name;
  std::vector<double> values;
};

/// "K=0:5000", or "K=0:5000:50".
Varied varied_of(const std::string& text) {
  const UsageError wrong(fmt::format("--vary {}: expected NAME=FROM:TO or NAME=FROM:TO:COUNT", printable(text)));
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw wrong;
  std::vector<double> numbers;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    double value = 0;
    const auto read = std::from_chars(text.data() + begin, text.data() + end, value);
    if (read.ec != std::errc() || read.ptr != text.data() + end || !std::isfinite(value)) throw wrong;
    numbers.push_back(value);
    begin = end + 1;
  }
  constexpr double most = 10'000;
  if (numbers.size() < 2 || numbers.size() > 3 || numbers[0] == numbers[1]) throw wrong;
  const double count = numbers.size() == 3 ? numbers[2] : 51;
  if (!(count >= 2 && count <= most) || count != std::floor(count)) throw wrong;
  Varied varied{text.substr(0, equals), {}};
  for (int k = 0; k < static_cast<int>(count); ++k) {
    varied.values.push_back(numbers[0] + (numbers[1] - numbers[0]) * k / (count - 1));
  }
  return varied;
}

void print_locus(const Varied& varied, const RootLocus& locus) {
  fmt::print("\n  {:>12}  largest real part [1/s], of the eigenvalue; least damping ratio of what oscillates\n",
             varied.name);
  const std::size_t every = std::max<std::size_t>(1, locus.values.size() / 25);
  for (std::size_t k = 0; k < locus.values.size(); ++k) {
    if (k % every != 0 && k + 1 != locus.values.size()) continue;
    std::complex<double> worst(-1e300, 0);
    double damping = 1;
    for (const auto& branch : locus.branches) {
      const std::complex<double> z = branch[k];
      if (z == 0.0) continue;
      if (z.real() > worst.real() || (z.real() == worst.real() && z.imag() > worst.imag())) worst = z;
      if (z.imag() != 0) damping = std::min(damping, -z.real() / std::abs(z));
    }
    fmt::print("  {:>12.6g}  {:>14.6g} {:>+13.6g}i  {:>10.4g}\n", locus.values[k], worst.real(), std::abs(worst.imag()),
               damping);
  }
}

/// The page has the modes of the model as its file says, where the locus passes through them.
void write_locus_page(LinearReport& report, const LocusArguments& arguments, const Varied& varied,
                      const RootLocus& locus, const LinearizeSettings& settings) {
  const Loaded loaded = load(arguments.linear.model);
  if (!loaded.model) {
    throw UsageError(fmt::format("without --vary the model is wrong: {}", loaded.problems.all().front().message));
  }
  const Model& model = *loaded.model;
  const OperatingPoint point = point_of(arguments.linear, model);
  const LinearModel linear = gyrostat::linearize(model, point, settings);
  report::LinearStudy study;
  study.locus = {varied.name, "", std::nullopt, locus};
  for (const ParameterDescription& parameter : model.description.parameters) {
    if (parameter.name != varied.name) continue;
    study.locus->nominal = parameter.value.value;
    if (parameter.value.dimension && *parameter.value.dimension != dimension::none) {
      study.locus->unit = unit_text(*parameter.value.dimension);
    }
  }
  study.responses = report::study_loops(linear, arguments.linear.pade);
  report.write({loaded.source, model, point, settings, linear}, linear, std::move(study));
}

}  // namespace

int root_locus(const LocusArguments& arguments) {
  const bool json = arguments.linear.model.json;
  const std::string& path = arguments.linear.output;
  try {
    const Varied varied = varied_of(arguments.vary);
    check_output(path);
    const auto at = [&](double value) {
      LinearArguments changed = arguments.linear;
      changed.model.set.push_back(fmt::format("{}={:.17g}", varied.name, value));
      return changed;
    };
    return with_linear_model(at(varied.values.front()), [&](const LinearTask& first) {
      const auto matrix = [&](double value) {
        const LinearArguments changed = at(value);
        const Loaded loaded = load(changed.model);
        if (!loaded.model) {
          throw UsageError(fmt::format("with {} = {:.6g} the model is wrong: {}", varied.name, value,
                                       loaded.problems.all().front().message));
        }
        LinearizeSettings settings = first.settings;
        settings.keep_idle_states = true;
        return space_of(changed, gyrostat::linearize(*loaded.model, point_of(changed, *loaded.model), settings)).A;
      };
      LinearReport report(arguments.linear, "rootlocus");
      const RootLocus locus = gyrostat::root_locus(matrix, varied.values);
      if (report.wanted()) write_locus_page(report, arguments, varied, locus, first.settings);
      if (json) {
        Json branches = Json::array();
        for (const auto& branch : locus.branches) {
          Json list = Json::array();
          for (const std::complex<double> z : branch) list.push_back({z.real(), z.imag()});
          branches.push_back(std::move(list));
        }
        Json answer = {{"parameter", varied.name}, {"values", locus.values}, {"branches", std::move(branches)}};
        report.add_to(answer);
        print_json(answer);
        return exit_code::done;
      }
      print_heading(arguments.linear, first);
      if (path.ends_with(".csv")) {
        std::string text = varied.name;
        for (std::size_t k = 1; k <= locus.branches.size(); ++k) text += fmt::format(",real{0},imaginary{0}", k);
        text += "  # gyrostat linear 1: 1/s\n";
        for (std::size_t k = 0; k < locus.values.size(); ++k) {
          text += fmt::format("{}", locus.values[k]);
          for (const auto& branch : locus.branches) text += fmt::format(",{},{}", branch[k].real(), branch[k].imag());
          text += "\n";
        }
        write_table(arguments.linear, text);
      } else if (!path.empty()) {
        std::vector<double> real, imaginary;
        for (const auto& branch : locus.branches) {
          for (const std::complex<double> z : branch) {
            real.push_back(z.real());
            imaginary.push_back(z.imag());
          }
          real.push_back(0);
          imaginary.push_back(std::numeric_limits<double>::quiet_NaN());  // between two branches
        }
        draw(arguments.linear, arguments.size,
             fmt::format("{} from {:.6g} to {:.6g}", varied.name, varied.values.front(), varied.values.back()),
             {{"real part [1/s]", "imaginary part [1/s]", false, &real, &imaginary}});
      } else {
        print_locus(varied, locus);
      }
      report.print();
      return exit_code::done;
    });
  } catch (const UsageError& error) {
    return refuse(json, printable(error.what()));
  } catch (const GnuplotError& error) {
    return refuse(json, printable(error.what()), exit_code::cannot_go_on);
  }
}

}  // namespace gyrostat::app
