#include "linear_commands.h"

#include "commands.h"
#include "linear.h"

namespace gyrostat::app {

struct LinearCommands::Parts {
  LinearArguments linearize, modes, margins, trim;
  ResponseArguments bode, nichols, step;
  LocusArguments locus;
  RandomArguments psd;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands;
};

namespace {

CLI::Option* take_lists(CLI::Option* option, const std::string& label) {
  return option->type_name(label)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_state_options(Program& program, CLI::App* command, LinearArguments& a) {
  CLI::Option* at = command->add_option("--at", a.at, "simulate until then, and begin there")->type_name("SECONDS");
  program
      .offer(command->add_option("--state", a.state, "JSON file with another state than the initial one"),
             {{}, {"json"}})
      ->type_name("STATE.json")
      ->excludes(at);
  program
      .offer(command->add_option("--steady", a.steady,
                                 "what a trimmed motion is steady in: rest, the world (default); orbit, axes that turn "
                                 "with the orbit; spin, axes that turn with the body"),
             {{steady_motions.begin(), steady_motions.end()}, {}})
      ->type_name("KIND");
  take_lists(
      command->add_option("--hold", a.hold, "states that trimming leaves as they are: pan, pan.angle, base.omega"),
      "NAME,..");
}

/// Where and how the model is linearised.
void add_point_options(Program& program, CLI::App* command, LinearArguments& a) {
  add_state_options(program, command, a);
  command->add_flag("--trim", a.trim, "linearise at a steady motion near there");
  add_replacement_options(command, a);
}

/// `--report`, and `--force` for it and for what `-o` writes.
void add_report_option(Program& program, CLI::App* command, LinearArguments& a) {
  const auto is_page = [](const std::string& name) {
    if (name.empty() || name.ends_with(".html")) return std::string();
    return "the name of a page ends with .html, and '" + name + "' does not; name the model file before --report";
  };
  program
      .offer(command->add_option("--report", a.report,
                                 "write a page to be opened in a browser, where the modes move; default the model's "
                                 "name and the command's, here"),
             {{}, {"html"}})
      ->type_name("[PAGE.html]")
      ->expected(0, 1)
      ->check(is_page);
  command->add_flag("--force", a.force, "replace a file that Gyrostat did not write");
  command->add_option("--template", a.page, "page for the report")->group("");
}

/// A table or a picture to write.
void add_picture_options(Program& program, CLI::App* command, LinearArguments& a, std::string& size, bool reports) {
  CLI::Option* output =
      program
          .offer(command->add_option("-o,--output", a.output, "a table (.csv), or a picture (.png, .svg, .pdf)"),
                 {{}, {"csv", "png", "svg", "pdf"}})
          ->type_name("FILE");
  command->add_option("--size", size, "of the picture, in pixels")->type_name("WxH")->needs(output);
  if (reports) {
    add_report_option(program, command, a);
  } else {
    command->add_flag("--force", a.force, "replace a file that Gyrostat did not write")->needs(output);
  }
}

void add_open_option(CLI::App* command, LinearArguments& a, const std::string& text) {
  take_lists(command->add_option("--open", a.open, text), "SIGNAL,..");
}

/// With `reports` or, of what has none, with a --force for the file.
void add_response_options(Program& program, CLI::App* command, ResponseArguments& a, const std::string& range,
                          bool reports) {
  add_point_options(program, command, a.linear);
  command->add_option("--from", a.from, "input: a signal, or a force or torque like bus.torque_x")->type_name("INPUT");
  command->add_option("--to", a.to, "output: any expression of the model file")->type_name("OUTPUT");
  add_open_option(command, a.linear, "signals at which loops are opened");
  command->add_option("--range", a.range, range)->type_name("LOW:HIGH");
  add_picture_options(program, command, a.linear, a.size, reports);
}

}  // namespace

void add_replacement_options(CLI::App* command, LinearArguments& a) {
  take_lists(command->add_option("--gain", a.gains, "what stands for a switching amplifier, sample, delay or plugin"),
             "SIGNAL=K");
  take_lists(command->add_option("--describe", a.describe,
                                 "the amplitude at which the describing function stands for a switching amplifier"),
             "SIGNAL=AMPLITUDE");
  command->add_option("--pade", a.pade, "order of what stands for a delay where states are counted; default 3")
      ->type_name("N");
}

LinearCommands::LinearCommands(Program& program) : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  const auto add = [&](const char* name, const char* description, LinearArguments& a, std::function<int()> act) {
    CLI::App* command = model_command(program, name, description, a.model);
    p.commands.emplace_back(command, std::move(act));
    return command;
  };
  CLI::App* linear = add("linearize", "the exact linear model of the closed loop: A, B, C, D with names and units",
                         p.linearize, [&p] { return linearize(p.linearize); });
  add_point_options(program, linear, p.linearize);
  take_lists(linear->add_option("--inputs", p.linearize.inputs,
                                "signals to which a perturbation is added, or forces and torques: pan.torque, "
                                "bus.torque_x, bus.jet.force_y, bus.rw1.torque"),
             "NAME,..");
  take_lists(linear->add_option("--outputs", p.linearize.outputs, "any expressions of the model file"), "NAME,..");
  add_open_option(linear, p.linearize,
                  "signals at which loops are opened: what reads one becomes an input, what computes it an output");
  linear->add_flag("--discrete", p.linearize.discrete, "in discrete time, at the period of the sample blocks");
  CLI::Option* output =
      program
          .offer(linear->add_option("-o,--output", p.linearize.output, "write the model: .h5, .json, .mat, .m or .csv"),
                 {{}, {"h5", "json", "mat", "m", "csv"}})
          ->type_name("FILE");
  linear->add_flag("--force", p.linearize.force, "replace a file that is no linear model")->needs(output);

  CLI::App* modes_command = add("modes", "eigenvalues of the closed loop, and what moves in each mode", p.modes,
                                [&p] { return modes(p.modes); });
  add_point_options(program, modes_command, p.modes);
  add_open_option(modes_command, p.modes, "signals at which loops are opened");
  modes_command->add_flag("--discrete", p.modes.discrete, "in discrete time, at the period of the sample blocks");
  add_report_option(program, modes_command, p.modes);

  CLI::App* margins_command = add("margins", "gain, phase and delay margins of the loops at signals", p.margins,
                                  [&p] { return margins(p.margins); });
  add_point_options(program, margins_command, p.margins);
  add_open_option(margins_command, p.margins, "signals at which the loops are opened, one at a time");
  add_report_option(program, margins_command, p.margins);

  CLI::App* trim_command = add("trim", "an equilibrium or steady motion near the initial or a given state", p.trim,
                               [&p] { return trim(p.trim); });
  add_state_options(program, trim_command, p.trim);
  CLI::Option* state =
      program
          .offer(trim_command->add_option("-o,--output", p.trim.output, "state file, for `run --state`"),
                 {{}, {"json"}})
          ->type_name("STATE.json");
  trim_command->add_flag("--force", p.trim.force, "replace a file that is not a state file")->needs(state);

  CLI::App* locus = add("rootlocus", "eigenvalues of the closed loop as a parameter varies", p.locus.linear,
                        [&p] { return root_locus(p.locus); });
  locus->add_option("--vary", p.locus.vary, "the parameter, and from where to where; 51 values unless COUNT says more")
      ->type_name("NAME=FROM:TO[:COUNT]")
      ->required();
  add_point_options(program, locus, p.locus.linear);
  add_open_option(locus, p.locus.linear, "signals at which loops are opened");
  add_picture_options(program, locus, p.locus.linear, p.locus.size, true);

  const std::string frequencies = "of frequencies, rad/s";
  add_response_options(program,
                       add("bode", "frequency response from an input to an output, or of a loop that is opened",
                           p.bode.linear, [&p] { return bode(p.bode); }),
                       p.bode, frequencies, true);
  add_response_options(
      program, add("nichols", "the same, gain over phase", p.nichols.linear, [&p] { return nichols(p.nichols); }),
      p.nichols, frequencies, true);
  CLI::App* step_command = add("step", "response of an output of the linear model to a unit step of an input",
                               p.step.linear, [&p] { return step(p.step); });
  add_response_options(program, step_command, p.step, "of time: 0:SECONDS", false);
  step_command->add_flag("--discrete", p.step.linear.discrete, "in discrete time, at the period of the sample blocks");

  CLI::App* random = add("psd", "response to random disturbances: power spectral densities, rms by source and by mode",
                         p.psd.linear, [&p] { return psd(p.psd); });
  add_point_options(program, random, p.psd.linear);
  take_lists(random->add_option("--to", p.psd.linear.outputs, "outputs: any expressions of the model file"),
             "OUTPUT,..")
      ->required();
  take_lists(
      random->add_option("--spectrum", p.psd.spectra,
                         "what disturbs an input beside the noise blocks: its one-sided density in unit^2/Hz, or "
                         "a file with lines FREQUENCY[Hz],DENSITY"),
      "INPUT=DENSITY|INPUT=FILE.csv");
  add_open_option(random, p.psd.linear, "signals at which loops are opened");
  random->add_option("--range", p.psd.range, "of frequencies, Hz")->type_name("LOW:HIGH");
  add_picture_options(program, random, p.psd.linear, p.psd.size, false);
}

LinearCommands::~LinearCommands() = default;

std::optional<int> LinearCommands::run() const {
  for (const auto& [command, act] : parts_->commands) {
    if (command->parsed()) return act();
  }
  return std::nullopt;
}

}  // namespace gyrostat::app
