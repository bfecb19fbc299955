// Runs gnuplot, and puts the picture that it draws in its place.
#pragma once

#include <stdexcept>
#include <string>

namespace gyrostat::app {

/// gnuplot is not there, or cannot do what it is asked.
class GnuplotError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What gnuplot writes to its standard output when given the script. No shell is between.
std::string run_gnuplot(const std::string& script);

/// A file that is complete or not there at all. One that was there is replaced in one step.
void write_picture(const std::string& path, const std::string& bytes);

}  // namespace gyrostat::app
