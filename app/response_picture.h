// Frequency and step responses as gnuplot is told to draw them.
#pragma once

#include <string>
#include <vector>

#include "linear.h"
#include "picture.h"

namespace gyrostat::app {

/// One curve over x in a panel.
struct ResponsePanel {
  std::string x_label, y_label;
  bool logarithmic = false;  // of x
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
  bool logarithmic_y = false;
};

/// The name of a table or of a picture; any other throws UsageError.
void check_output(const std::string& path);

/// Writes a table to the output of the arguments, and says so.
void write_table(const LinearArguments& arguments, const std::string& text);

/// Draws a picture to it. `size` is what the user says of it, or empty.
void draw(const LinearArguments& arguments, const std::string& size, const std::string& title,
          const std::vector<ResponsePanel>& panels);

/// Panels below each other. The picture goes to gnuplot's standard output.
std::string response_script(const std::string& title, const std::vector<ResponsePanel>& panels, Format format,
                            const PictureSize& size);

}  // namespace gyrostat::app
