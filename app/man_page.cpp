#include "man_page.h"

#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/results/version.h"

#include "exit_codes.h"

namespace gyrostat::app {

namespace {

/// Text as roff: no character is a command.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '\n' && line_begins) {
      result += ".PP\n";  // an empty line
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

/// A description as a sentence of a page.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.') text += '.';
  return roff(text);
}

/// The label of a value in italics.
std::string value(const std::string& label) { return "\\fI" + roff(label) + "\\fR"; }

std::string tagged(const Argument& a, bool positional) {
  std::string tag;
  if (positional) {
    tag = value(a.label) + (a.several ? " ..." : "");
  } else {
    std::vector<std::string> names;
    for (const std::string& name : a.names) names.push_back("\\fB" + roff(name) + "\\fR");
    tag = fmt::format("{}", fmt::join(names, ", "));
    if (!a.label.empty()) tag += " " + value(a.label) + (a.several ? " ..." : "");
  }
  return fmt::format(".TP\n{}\n{}\n", tag, roff(a.description));
}

std::string section(const CommandOutline& command) {
  std::string text = fmt::format(".SS gyrostat {}\n{}\n", roff(synopsis(command)), sentence(command.description));
  for (const Argument& a : command.positionals) text += tagged(a, true);
  for (const Argument& a : command.options) text += tagged(a, false);
  if (!command.footer.empty()) text += fmt::format(".PP\n{}\n", roff(command.footer));
  return text;
}

constexpr std::string_view examples = R"(.SH EXAMPLES
Check a model, simulate it, and write a report for the browser:
.PP
.nf
.RS
gyrostat check satellite.yaml
gyrostat run satellite.yaml \-\-report
.RE
.fi
.PP
Two columns of the results at three instants, and as curves in the terminal:
.PP
.nf
.RS
gyrostat show satellite.h5 bus.omega_x bus.omega_y \-\-at 0 10 20
gyrostat plot satellite.h5 \(aqbus.omega_*\(aq
.RE
.fi
.PP
Does another formulation of the equations of motion give the same motion?
.PP
.nf
.RS
gyrostat run satellite.yaml \-\-formulation kane \-o kane.h5
gyrostat compare satellite.h5 kane.h5 \-\-tolerance 1e\-6
.RE
.fi
)";

}  // namespace

std::string man_page(const Outline& outline) {
  std::string text = fmt::format(
      ".\\\" Made by 'gyrostat man'.\n.TH GYROSTAT 1 \"\" \"gyrostat {}\" \"User Commands\"\n"
      ".SH NAME\ngyrostat \\- simulate the attitude dynamics of spacecraft made of many bodies\n"
      ".SH SYNOPSIS\n.B gyrostat\n.I COMMAND\n.RI [ OPTIONS ]\n.RI [ ARGUMENTS ]\n",
      version());
  text +=
      ".SH DESCRIPTION\nA spacecraft is one file in YAML: bodies, joints, loads, control, and how it is to be "
      "simulated.\n"
      "gyrostat checks the file, simulates it into a results file (HDF5), and shows, plots, compares and reports\n"
      "results.\n";
  text += ".SH OPTIONS\n";
  for (const Argument& a : outline.program.options) text += tagged(a, false);
  text += ".SH COMMANDS\n";
  for (const CommandOutline& command : outline.commands) text += section(command);
  text += fmt::format(".SH EXIT STATUS\n{}\n", roff(exit_code::explained));
  text += ".SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty, nothing is printed in colour\n";
  return text + std::string(examples);
}

}  // namespace gyrostat::app
