#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/dynamics/formulation.h"
#include "gyrostat/format/schema.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/version.h"
#include "gyrostat/simulate/integrator.h"

#include "campaign.h"
#include "commands.h"
#include "completion.h"
#include "derive.h"
#include "exit_codes.h"
#include "linear_commands.h"
#include "man_page.h"
#include "outline.h"
#include "report.h"
#include "results_commands.h"
#include "run.h"
#include "usage_error.h"

namespace gyrostat::app {

CLI::App* model_command(Program& program, const std::string& name, const std::string& description,
                        ModelArguments& arguments) {
  CLI::App* command = program.add_subcommand(name, description);
  program.offer(command->add_option("FILE", arguments.file, "model file"), model_files)->required();
  command->add_option("--set", arguments.set, "give a parameter another value; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--json", arguments.json, "answer in JSON");
  return command;
}

namespace {

template <class Names>
Offer words_of(const Names& names, std::vector<std::string> more = {}) {
  more.insert(more.begin(), std::begin(names), std::end(names));
  return {std::move(more), {}};
}

/// A campaign has a billion flights at most.
CLI::Range flight_numbers() { return {0, 999'999'999}; }

CLI::App* add_run_command(Program& program, RunArguments& a) {
  CLI::App* command = model_command(program, "run", "simulate a model and record the results", a.model);
  program
      .offer(command->add_option("-o,--output", a.output, "results file; default the model's name with .h5, here"),
             results_files)
      ->type_name("OUT.h5");
  program.offer(command->add_option("--csv", a.csv, "the same as text"), {{}, {"csv"}})->type_name("OUT.csv");
  program
      .offer(command->add_option("--formulation", a.formulation,
                                 fmt::format("equations of motion to use: {}", fmt::join(formulation_names, ", "))),
             words_of(formulation_names))
      ->type_name("NAME");
  program
      .offer(command->add_option("--integrator", a.integrator, fmt::format("{}", fmt::join(integrator_names, ", "))),
             words_of(integrator_names))
      ->type_name("NAME");
  command->add_option("--tolerance", a.tolerance, "relative error of a step")->type_name("X");
  command->add_option("--step", a.step, "of rk4")->type_name("SECONDS");
  command->add_option("--until", a.until, "simulate so long, instead of simulation.duration")->type_name("SECONDS");
  command->add_option("--interval", a.interval, "between records, instead of output.interval")->type_name("SECONDS");
  command->add_option("--checkpoint", a.checkpoint, "be able to resume from every so many seconds of simulated time")
      ->type_name("SECONDS");
  program
      .offer(command->add_option("--state", a.state, "JSON file with another state to begin with than the initial one"),
             {{}, {"json"}})
      ->type_name("STATE.json");
  CLI::Option* sample =
      command
          ->add_option("--sample", a.sample,
                       "with the parameters and the noise of flight K of a campaign, measured and recorded as by its "
                       "--replay")
          ->type_name("K")
          ->check(flight_numbers());
  CLI::Option* campaign =
      program
          .offer(command->add_option("--campaign", a.campaign, "results of that campaign, or its file"),
                 {{}, {"h5", "yaml", "yml"}})
          ->type_name("OUT.h5")
          ->needs(sample);
  sample->needs(campaign);
  CLI::Option* linear = command->add_flag(
      "--linear", a.linear, "integrate the linear model beside, and record what it predicts and the difference");
  program
      .offer(command->add_option("--about", a.about,
                                 "where it is linearised: a state file, or the steady motion that is found from the "
                                 "initial state: rest, orbit or spin; default the initial state"),
             {{steady_motions.begin(), steady_motions.end()}, {"json"}})
      ->type_name("STATE.json|KIND")
      ->needs(linear);
  add_replacement_options(command, a.beside);
  for (const char* option : {"--gain", "--describe", "--pade"}) command->get_option(option)->needs(linear);
  command->add_flag("--allow-plugins", a.allow_plugins, "run the libraries that the model names");
  command->add_flag("--force", a.force, "replace files that Gyrostat did not write");
  command->add_flag("--report", a.report, "write a report, to be opened in a browser, beside the results");
  command->add_option("--template", a.page, "page for the report")->group("");
  command->add_flag("--quiet", a.quiet, "print warnings and errors only");
  return command;
}

CLI::App* add_resume_command(Program& program, ResumeArguments& a) {
  CLI::App* command = program.add_subcommand(
      "resume", "go on with a run that was interrupted or killed, or extend one that is finished");
  program
      .offer(command->add_option("FILE", a.file,
                                 "results of the run (.h5); one that was killed needs a checkpoint beside it"),
             results_files)
      ->required();
  command->add_option("--until", a.until, "simulate so long, instead of as long as the run was to last")
      ->type_name("SECONDS");
  command->add_flag("--allow-plugins", a.allow_plugins, "run the libraries that the model names");
  command->add_flag("--quiet", a.quiet, "print warnings and errors only");
  command->add_flag("--json", a.json, "answer in JSON");
  return command;
}

CLI::App* add_campaign_command(Program& program, CampaignArguments& a) {
  CLI::App* command = program.add_subcommand(
      "campaign", "fly a model many times with parameters that vary, and sum up what came of it");
  program
      .offer(command->add_option("FILE", a.file,
                                 "campaign file; with --replay or --resume also the results of a campaign (.h5)"),
             {{}, {"yaml", "yml", "h5"}})
      ->required();
  program
      .offer(command->add_option("-o,--output", a.output, "results file; default the campaign's name with .h5, here"),
             results_files)
      ->type_name("OUT.h5");
  CLI::Option* threads = command->add_option("-j,--threads", a.threads, "how many threads fly; default all cores")
                             ->type_name("N")
                             ->check(CLI::Range(1, 4096));
  CLI::Option* resume = command->add_flag("--resume", a.resume, "fly what is missing in the results file");
  CLI::Option* slurm =
      command->add_option("--slurm", a.slurm, "print a job script for Slurm with N processes of -j threads each")
          ->type_name("N")
          ->check(CLI::Range(1, 1000000));
  command->add_option("--replay", a.replay, "fly flight K again, alone, and record it as `run` does")
      ->type_name("K")
      ->check(flight_numbers())
      ->excludes(threads)
      ->excludes(resume)
      ->excludes(slurm);
  command->add_flag("--report", a.report, "write a report, to be opened in a browser, beside the results")
      ->excludes(slurm);
  command->add_option("--page", a.page, "take this file for the page of the report")->type_name("FILE")->group("");
  command->add_flag("--allow-plugins", a.allow_plugins, "run the libraries that the model names");
  command->add_flag("--force", a.force, "replace files that Gyrostat did not write");
  command->add_flag("--quiet", a.quiet, "print warnings and errors only");
  command->add_flag("--json", a.json, "answer in JSON");
  return command;
}

CLI::App* add_show_command(Program& program, ShowArguments& arguments) {
  CLI::App* command = program.add_subcommand("show", "what is in a results file: a summary, columns, events");
  program.offer(command->add_option("FILE", arguments.file, "results file (.h5)"), results_files)->required();
  command->add_option("NAME", arguments.names, "columns to print; '*' and '?' stand for any characters: 'bus.*'");
  command
      ->add_option(
          "--at", arguments.at,
          "print the columns at these times [s], interpolated linearly between records, instead of all records")
      ->type_name("T");
  command->add_flag("--events", arguments.events, "list all events");
  CLI::Option* csv = command->add_flag("--csv", arguments.csv, "answer in CSV; without names, all columns");
  command->add_flag("--json", arguments.json, "answer in JSON")->excludes(csv);
  return command;
}

CLI::App* add_report_command(Program& program, ReportArguments& arguments) {
  CLI::App* command = program.add_subcommand(
      "report", "results as one HTML file to be opened in a browser: motion, plots, model, ledger; or a campaign");
  program
      .offer(command->add_option("FILE", arguments.files, "results file (.h5), or two to be compared"), results_files)
      ->required()
      ->expected(1, 2);
  program
      .offer(command->add_option("-o,--output", arguments.output,
                                 "the report; default the first file with .html, beside it"),
             {{}, {"html"}})
      ->type_name("FILE.html");
  program
      .offer(command->add_option("--analysis", arguments.linear,
                                 "a linear model of the same model, written by linearize: its modes and responses"),
             results_files)
      ->type_name("LINEAR.h5");
  command->add_flag("--equations", arguments.equations, "the equations of motion of the model, as derive prints them");
  command->add_flag("--force", arguments.force, "replace a file that is not a report");
  command->add_option("--template", arguments.page, "page to fill")->group("");
  command->add_flag("--json", arguments.json, "answer in JSON");
  return command;
}

CLI::App* add_plot_command(Program& program, PlotArguments& a) {
  CLI::App* command = program.add_subcommand("plot", "curves over time, in the terminal or as a picture for a paper");
  program.offer(command->add_option("FILE", a.file, "results file (.h5)"), results_files)->required();
  command->add_option("NAME", a.names, "columns to draw, as in 'show'");
  CLI::Option* output =
      program.offer(command->add_option("-o,--output", a.output, "draw a picture with gnuplot: .png, .svg or .pdf")
                        ->type_name("FILE"),
                    {{}, {"png", "svg", "pdf"}});
  command->add_flag("--force", a.force, "replace a file that is not a picture of Gyrostat's")->needs(output);
  command->add_option("--size", a.size, "of the picture, in pixels")->type_name("WxH")->needs(output);
  command->add_option("--from", a.from, "begin at this time [s]")->type_name("T");
  command->add_option("--to", a.to, "end at this time [s]")->type_name("T");
  const std::string where = " in the terminal; default its own";
  command->add_option("--width", a.width, "characters" + where)->type_name("N")->excludes(output);
  command->add_option("--height", a.height, "lines" + where)->type_name("N")->excludes(output);
  command->add_flag("--ascii", a.ascii, "plain characters, where the terminal has no Braille")->excludes(output);
  command->footer(
      "Columns of different units have panels of their own, and so have those that would be flat beside the others.\n"
      "Without colour (NO_COLOR, or not on a terminal) each curve has its own panel.");
  return command;
}

CLI::App* add_compare_command(Program& program, CompareArguments& arguments) {
  CLI::App* command = program.add_subcommand("compare", "how far two results files are from each other");
  program.offer(command->add_option("A", arguments.first, "results file (.h5)"), results_files)->required();
  program.offer(command->add_option("B", arguments.second, "results file (.h5)"), results_files)->required();
  command->add_option("NAME", arguments.names, "columns to compare, as in 'show'; default all that both have");
  command->add_option("--tolerance", arguments.tolerance, "largest relative difference that counts as agreement")
      ->capture_default_str();
  command->add_option("--floor", arguments.floor, "no magnitude counts as smaller than this")->capture_default_str();
  command->add_flag("--json", arguments.json, "answer in JSON");
  command->footer(
      "For each column: the largest difference, its time, and its ratio to the largest magnitude of the column in "
      "both\n"
      "files. The components x, y, z, w of a vector have the largest magnitude of all of them; one below --floor "
      "counts\n"
      "as --floor, so that rounding about zero is no difference. Where the times differ, B is interpolated linearly "
      "at\n"
      "the times of A. NaN agrees with NaN only. Columns in one file only are listed and do not count;\n"
      "those of the ledger are compared only if named.\n"
      "Exit codes: 0 all within the tolerance and over the same time, 1 they differ, 2 the usage is wrong.");
  return command;
}

CLI::App* add_import_command(Program& program, ImportArguments& a) {
  CLI::App* command = program.add_subcommand("import", "make a model file from the input of another program");
  program.offer(command->add_option("FORMAT", a.format, "dasc: a data deck of DASC"), words_of(import_formats))
      ->required();
  program.offer(command->add_option("FILE", a.file, "the input of the other program"), {{}, {"deck", "dat", "txt"}})
      ->required();
  program
      .offer(command->add_option("-o,--output", a.output, "model file; default the file's name with .yaml, here"),
             {{}, {"yaml"}})
      ->type_name("MODEL.yaml");
  command->add_flag("--force", a.force, "replace a file that exists");
  command->add_flag("--json", a.json, "answer in JSON");
  return command;
}

CLI::App* add_flex_command(Program& program, FlexArguments& a) {
  CLI::App* command = model_command(
      program, "flex", "the modes of a flexible body, and its data as a file for `flexible: {file: ..}`", a.model);
  command->add_option("BODY", a.body, "the flexible body; may be left out if there is only one");
  CLI::Option* output =
      program
          .offer(command->add_option("-o,--output", a.output, "write nodes, shapes and modal matrices: .json or .h5"),
                 {{}, {"json", "h5"}})
          ->type_name("DATA.h5");
  command->add_flag("--force", a.force, "replace a file that is not one of flexible data")->needs(output);
  return command;
}

CLI::App* add_derive_command(Program& program, DeriveArguments& a) {
  CLI::App* command = model_command(program, "derive",
                                    "the equations of motion of the model, to be read, checked and printed", a.model);
  program
      .offer(command->add_option("--form", a.form,
                                 "vector (default): vectors and dyadics, by nests of bodies; scalar: M(q) u' = f in "
                                 "scalar symbols"),
             words_of(derive_forms))
      ->type_name("FORM");
  program
      .offer(command->add_option("--format", a.format,
                                 "text (default), latex, html, json; of the scalar form also c and python"),
             words_of(derive_formats))
      ->type_name("FORMAT");
  program
      .offer(command->add_option("-o,--output", a.output, "write a file; its name may say the format"),
             {{}, {"txt", "tex", "html", "json", "c", "py"}})
      ->type_name("FILE");
  command->add_option("--for", a.body, "the equations of one body only")->type_name("BODY");
  command->add_flag("--terms", a.terms, "explain each term in a sentence");
  command->add_flag("--ascii", a.ascii, "text without Greek letters and signs");
  command->add_flag("--jacobian", a.jacobian,
                    "of the scalar form: derivatives of the accelerations too, in C and Python the matrices A and B");
  command->add_flag("--force", a.force, "replace a file that Gyrostat did not write");
  return command;
}

CLI::App* add_completion_command(Program& program, std::string& shell) {
  CLI::App* command =
      program.add_subcommand("completion", "print the script by which a shell completes commands, options and files");
  program.offer(command->add_option("SHELL", shell, fmt::format("{}", fmt::join(shells, ", "))), words_of(shells))
      ->required();
  command->footer(
      "An installed gyrostat has them where the shells look. For one user:\n\n"
      "bash: add to ~/.bashrc the line source <(gyrostat completion bash)\n\n"
      "zsh: add to ~/.zshrc, after compinit, the line source <(gyrostat completion zsh)\n\n"
      "fish: gyrostat completion fish > ~/.config/fish/completions/gyrostat.fish");
  return command;
}

CLI::App* add_assemble_command(Program& program, AssembleArguments& arguments) {
  CLI::App* command = model_command(
      program, "assemble", "coordinates and speeds that satisfy the constraints, by the least change", arguments.model);
  command->add_option("--hold", arguments.hold, "joints that stay where they are")->type_name("JOINT");
  program
      .offer(command->add_option("--state", arguments.state, "JSON file with another state to begin with"),
             {{}, {"json"}})
      ->type_name("STATE.json");
  CLI::Option* output =
      program
          .offer(command->add_option("-o,--output", arguments.output, "state file, for `run --state`"), {{}, {"json"}})
          ->type_name("STATE.json");
  command->add_flag("--force", arguments.force, "replace a file that is not a state file")->needs(output);
  return command;
}

std::string command_line(int argc, char** argv) {
  std::string line = "gyrostat";
  for (int k = 1; k < argc; ++k) line.append(" ").append(argv[k]);
  return line;
}

int dispatch(int argc, char** argv) {
  Program program("Gyrostat: attitude dynamics of spacecraft made of many bodies.", "gyrostat");
  program.set_version_flag("--version", "gyrostat " + std::string(version()));
  program.footer(std::string(exit_code::explained) + "\n'gyrostat COMMAND --help' explains a command.");

  ModelArguments arguments;
  CLI::App* check_command = model_command(
      program, "check", "read a model or a campaign and report everything that is wrong with it", arguments);
  std::string file_to_expand;
  CLI::App* expand_command =
      program.add_subcommand("expand", "print a model as one file, with what it includes and without templates");
  program.offer(expand_command->add_option("FILE", file_to_expand, "model file"), model_files)->required();
  CLI::App* info_command = model_command(
      program, "info", "show a model: its tree, mass properties, degrees of freedom and state", arguments);
  AccelArguments accel_arguments;
  CLI::App* accel_command =
      model_command(program, "accel", "accelerations, reactions, energy and momentum at the initial or a given state",
                    accel_arguments.model);
  program
      .offer(accel_command->add_option("--formulation", accel_arguments.formulation,
                                       "equations of motion to use, or 'all' to compare; default the model's own"),
             words_of(formulation_names, {"all"}))
      ->type_name("NAME");
  program
      .offer(accel_command->add_option("--state", accel_arguments.state,
                                       "JSON file with another state than the initial one"),
             {{}, {"json"}})
      ->type_name("STATE.json");
  AssembleArguments assemble_arguments;
  CLI::App* assemble_command = add_assemble_command(program, assemble_arguments);
  DeriveArguments derive_arguments;
  CLI::App* derive_command = add_derive_command(program, derive_arguments);
  FlexArguments flex_arguments;
  CLI::App* flex_command = add_flex_command(program, flex_arguments);
  const LinearCommands linear_commands(program);
  RunArguments run_arguments;
  CLI::App* run_command = add_run_command(program, run_arguments);
  ResumeArguments resume_arguments;
  CLI::App* resume_command = add_resume_command(program, resume_arguments);
  CampaignArguments campaign_arguments;
  CLI::App* campaign_command = add_campaign_command(program, campaign_arguments);
  ShowArguments show_arguments;
  CLI::App* show_command = add_show_command(program, show_arguments);
  ReportArguments report_arguments;
  CLI::App* report_command = add_report_command(program, report_arguments);
  PlotArguments plot_arguments;
  CLI::App* plot_command = add_plot_command(program, plot_arguments);
  CompareArguments compare_arguments;
  CLI::App* compare_command = add_compare_command(program, compare_arguments);
  ImportArguments import_arguments;
  CLI::App* import_command = add_import_command(program, import_arguments);
  bool schema_of_campaigns = false;
  CLI::App* schema_command = program.add_subcommand("schema", "print the JSON Schema of the model format, for editors");
  schema_command->add_flag("--campaign", schema_of_campaigns, "that of campaign files");
  std::string shell;
  CLI::App* completion_command = add_completion_command(program, shell);
  CLI::App* man_command = program.add_subcommand("man", "print the manual page: gyrostat man | man -l -");

  try {
    program.parse(argc, argv);
    if (check_command->parsed()) return check(arguments);
    if (expand_command->parsed()) return expand(file_to_expand);
    if (info_command->parsed()) return info(arguments);
    if (accel_command->parsed()) return accel(accel_arguments);
    if (assemble_command->parsed()) return assemble(assemble_arguments);
    if (derive_command->parsed()) return derive(derive_arguments);
    if (flex_command->parsed()) return flex(flex_arguments);
    if (const auto code = linear_commands.run()) return *code;
    if (run_command->parsed()) return run(run_arguments, command_line(argc, argv));
    if (resume_command->parsed()) return resume(resume_arguments);
    if (campaign_command->parsed()) {
      const std::string line = command_line(argc, argv);
      return campaign_arguments.replay ? fly_again(campaign_arguments, line) : fly(campaign_arguments, line);
    }
    if (show_command->parsed()) return show(show_arguments);
    if (report_command->parsed()) return report(report_arguments);
    if (plot_command->parsed()) return plot(plot_arguments);
    if (compare_command->parsed()) return compare(compare_arguments);
    if (import_command->parsed()) return import_model(import_arguments);
    if (schema_command->parsed()) return schema(schema_of_campaigns);
    if (completion_command->parsed()) return completion(outline_of(program), shell);
    if (man_command->parsed()) {
      fmt::print("{}", man_page(outline_of(program)));
      return exit_code::done;
    }
    fmt::print(stderr, "A subcommand is required.\n\n{}", program.help());
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = unknown_word(program); !unknown.empty()) {
      fmt::print(stderr, "{}\n", unknown);
    } else {
      program.exit(error);
    }
    return exit_code::wrong_usage;
  }
  return exit_code::wrong_usage;
}

/// Standard output or standard error takes no more: a full disk, say.
int cannot_print(int error) {
  static_cast<void>(std::fprintf(stderr, "gyrostat: the output cannot be written: %s\n",
                                 error == 0 ? "unknown reason" : std::strerror(error)));
  return exit_code::cannot_go_on;
}

int run_program(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  results::skip_hdf5_cleanup();
  try {
    const int code = dispatch(argc, argv);
    if (code != exit_code::done || (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)) return code;
    return cannot_print(errno);
  } catch (const std::system_error& error) {  // what fmt::print throws
    return cannot_print(error.code().value());
  } catch (const std::exception& error) {  // a defect of ours, or no memory
    static_cast<void>(std::fprintf(stderr, "gyrostat: internal error: %s\n", error.what()));
    return exit_code::internal_error;
  }
}

}  // namespace

int schema(bool campaign) {
  fmt::print("{}", campaign ? campaign::campaign_schema() : json_schema());
  return exit_code::done;
}

}  // namespace gyrostat::app

int main(int argc, char** argv) { return gyrostat::app::run_program(argc, argv); }
