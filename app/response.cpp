// bode, nichols, step.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unsupported/Eigen/MatrixFunctions>

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/analysis/loops.h"

#include "gnuplot.h"
#include "linear.h"
#include "linear_report.h"
#include "output.h"
#include "response_picture.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

/// What is asked for: from an input to an output, or the gain of one loop that is opened.
struct Asked {
  LinearArguments linear;
  bool loop = false;
  std::string title;
};

Asked asked_of(const ResponseArguments& arguments) {
  Asked asked{arguments.linear, false, ""};
  const std::vector<std::string> open = split_list(arguments.linear.open, "--open");
  if (arguments.from.empty() && arguments.to.empty() && open.size() == 1) {
    asked.loop = true;
    asked.title = "loop gain at " + open.front();
    return asked;
  }
  if (arguments.from.empty() || arguments.to.empty()) {
    throw UsageError("name an input with --from and an output with --to, or one loop with --open");
  }
  if (std::ranges::find(open, arguments.from) == open.end())
    asked.linear.inputs.insert(asked.linear.inputs.begin(), arguments.from);
  if (std::ranges::find(open, arguments.to) == open.end())
    asked.linear.outputs.insert(asked.linear.outputs.begin(), arguments.to);
  asked.title = fmt::format("{} to {}", arguments.from, arguments.to);
  return asked;
}

/// Number of the input and the output.
std::pair<Eigen::Index, Eigen::Index> entry_of(const ResponseArguments& arguments, const Asked& asked,
                                               const LinearModel& model) {
  if (asked.loop) return {0, 0};
  const auto place = [](const std::vector<LinearVariable>& list, const std::string& name) {
    return std::ranges::find(list, name, &LinearVariable::name) - list.begin();
  };
  return {place(model.inputs, arguments.from), place(model.outputs, arguments.to)};
}

FrequencyResponse response_of(const ResponseArguments& arguments, const Asked& asked, const LinearModel& model) {
  const Limits range = range_of(arguments.range);
  const Modes modes = find_modes(state_space(model, arguments.linear.pade).A);
  const auto [input, output] = entry_of(arguments, asked, model);
  return gyrostat::frequency_response(model, input, output, asked.loop ? -1 : 1,
                                      frequency_grid(modes, range.from, range.to, 50));
}

/// About five in a decade, and every peak and dip: what is printed.
FrequencyResponse coarse(const FrequencyResponse& fine) {
  FrequencyResponse few;
  double next = 0;
  const auto& d = fine.decibels;
  for (std::size_t k = 0; k < d.size(); ++k) {
    const bool extreme =
        k > 0 && k + 1 < d.size() && ((d[k] > d[k - 1] && d[k] >= d[k + 1]) || (d[k] < d[k - 1] && d[k] <= d[k + 1]));
    if (!extreme && fine.frequency[k] < next && k + 1 < d.size()) continue;
    if (!extreme) next = fine.frequency[k] * std::pow(10, 0.199);
    few.frequency.push_back(fine.frequency[k]);
    few.decibels.push_back(d[k]);
    few.phase.push_back(fine.phase[k]);
    few.value.push_back(fine.value[k]);
  }
  return few;
}

/// Reports what is wrong with the arguments before there is a model.
int with_response(const ResponseArguments& arguments, const std::function<int(const Asked&, const LinearTask&)>& act) {
  try {
    check_output(arguments.linear.output);
    static_cast<void>(range_of(arguments.range));
    const Asked asked = asked_of(arguments);
    return with_linear_model(asked.linear, [&](const LinearTask& task) {
      try {
        return act(asked, task);
      } catch (const GnuplotError& error) {
        return refuse(arguments.linear.model.json, printable(error.what()), exit_code::cannot_go_on);
      }
    });
  } catch (const UsageError& error) {
    return refuse(arguments.linear.model.json, printable(error.what()));
  }
}

/// A page of a response. Of the gain of a loop the modes are those of the closed loop, and the margins are marked.
void write_response_page(LinearReport& report, const Asked& asked, const LinearTask& task,
                         const FrequencyResponse& response) {
  if (!report.wanted()) return;
  report::LinearStudy study;
  if (!asked.loop) {
    study.responses = report::study_loops(task.linear, asked.linear.pade);
    study.responses.insert(study.responses.begin(), {asked.title, "", response, std::nullopt});
    return report.write(task, task.linear, std::move(study));
  }
  study.responses = report::study_loops(task.linear, asked.linear.pade);
  report.write(task, close_loops(task.linear, task.linear.opened), std::move(study));
}

int frequency_response(const ResponseArguments& arguments, bool nichols) {
  return with_response(arguments, [&](const Asked& asked, const LinearTask& task) {
    const std::string& path = arguments.linear.output;
    const bool json = arguments.linear.model.json;
    LinearReport report(arguments.linear, nichols ? "nichols" : "bode");
    const FrequencyResponse fine = response_of(arguments, asked, task.linear);
    const FrequencyResponse response = path.empty() && !json ? coarse(fine) : fine;
    write_response_page(report, asked, task, fine);
    if (json) {
      Json real = Json::array(), imaginary = Json::array();
      for (const std::complex<double> h : response.value) {
        real.push_back(h.real());
        imaginary.push_back(h.imag());
      }
      Json answer = {{"title", asked.title},      {"frequency", response.frequency}, {"real", real},
                     {"imaginary", imaginary},    {"decibels", response.decibels},   {"phase", response.phase},
                     {"notes", task.linear.notes}};
      report.add_to(answer);
      print_json(answer);
      return exit_code::done;
    }
    print_heading(arguments.linear, task);
    if (path.ends_with(".csv")) {
      std::string text = "frequency,gain,phase,real,imaginary  # gyrostat linear 1: rad/s, dB, deg\n";
      for (std::size_t k = 0; k < response.value.size(); ++k) {
        text += fmt::format("{},{},{},{},{}\n", response.frequency[k], response.decibels[k], response.phase[k],
                            response.value[k].real(), response.value[k].imag());
      }
      write_table(arguments.linear, text);
    } else if (!path.empty()) {
      if (nichols) {
        draw(arguments.linear, arguments.size, asked.title,
             {{"phase [deg]", "gain [dB]", false, &response.phase, &response.decibels}});
      } else {
        draw(arguments.linear, arguments.size, asked.title,
             {{"frequency [rad/s]", "gain [dB]", true, &response.frequency, &response.decibels},
              {"frequency [rad/s]", "phase [deg]", true, &response.frequency, &response.phase}});
      }
    } else {
      fmt::print("\n{}\n  {:>12}  {:>12}  {:>10}  {:>10}\n", printable(asked.title), "rad/s", "Hz", "dB", "deg");
      for (std::size_t k = 0; k < response.value.size(); ++k) {
        fmt::print("  {:>12.5g}  {:>12.5g}  {:>10.3f}  {:>10.2f}\n", response.frequency[k],
                   response.frequency[k] / (2 * std::numbers::pi), response.decibels[k], response.phase[k]);
      }
    }
    report.print();
    return exit_code::done;
  });
}

}  // namespace

int bode(const ResponseArguments& arguments) { return frequency_response(arguments, false); }
int nichols(const ResponseArguments& arguments) { return frequency_response(arguments, true); }

int step(const ResponseArguments& arguments) {
  return with_response(arguments, [&](const Asked& asked, const LinearTask& task) {
    if (asked.loop) throw UsageError("a step goes from an input to an output: name them with --from and --to");
    const Limits range = range_of(arguments.range);
    const StateSpace space = space_of(arguments.linear, task.linear);
    const auto [input, output] = entry_of(arguments, asked, task.linear);
    double until = range.to.value_or(0);
    if (!range.to) {  // five times the slowest time constant, or periods of what does not decay
      for (const Mode& mode : find_modes(space.A).modes) {
        if (mode.rigid || space.period != 0) continue;
        const double decay = std::abs(mode.eigenvalue.real()), w = mode.natural_frequency();
        until = std::max(until, std::min(5 / std::max(decay, 1e-300), 100 / w));
      }
      if (until == 0) until = space.period != 0 ? 100 * space.period : 10;
    }
    if (range.from.value_or(0) != 0 || !(until > 0)) throw UsageError("a step response begins at 0: --range 0:SECONDS");
    constexpr int points = 500;
    const double interval = space.period != 0 ? space.period : until / points;
    const auto n = space.A.rows();
    Eigen::MatrixXd Phi = space.A, Gamma = space.B;
    if (space.period == 0) {
      Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(n + 1, n + 1);
      generator.topLeftCorner(n, n) = space.A * interval;
      generator.topRightCorner(n, 1) = space.B.col(input) * interval;
      const Eigen::MatrixXd over = generator.exp();
      Phi = over.topLeftCorner(n, n);
      Gamma = over.topRightCorner(n, 1);
    } else {
      Gamma = space.B.col(input);
    }
    std::vector<double> time, value;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (int k = 0; k * interval <= until * (1 + 1e-12); ++k) {
      time.push_back(k * interval);
      value.push_back(space.C.row(output).dot(x) + space.D(output, input));
      x = (Phi * x + Gamma).eval();
    }
    if (arguments.linear.model.json) {
      print_json({{"title", asked.title}, {"time", time}, {"value", value}, {"notes", task.linear.notes}});
      return exit_code::done;
    }
    print_heading(arguments.linear, task);
    const std::string& path = arguments.linear.output;
    if (path.ends_with(".csv")) {
      std::string text = "time,value  # gyrostat linear 1: s\n";
      for (std::size_t k = 0; k < time.size(); ++k) text += fmt::format("{},{}\n", time[k], value[k]);
      write_table(arguments.linear, text);
    } else if (!path.empty()) {
      draw(arguments.linear, arguments.size, "step: " + asked.title,
           {{"time [s]", arguments.to, false, &time, &value}});
    } else {
      fmt::print("\nstep: {}\n  {:>12}  {:>14}\n", printable(asked.title), "s", printable(arguments.to));
      const std::size_t every = std::max<std::size_t>(1, time.size() / 25);
      for (std::size_t k = 0; k < time.size(); k += every) fmt::print("  {:>12.5g}  {:>14.6g}\n", time[k], value[k]);
    }
    return exit_code::done;
  });
}

}  // namespace gyrostat::app
