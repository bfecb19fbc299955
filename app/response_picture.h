// Frequency and step responses as gnuplot is told to draw them.
#pragma once

#include <string>
#include <vector>

#include "picture.h"

namespace gyrostat::app {

/// One curve over x in a panel.
struct ResponsePanel {
  std::string x_label, y_label;
  bool logarithmic = false;  // of x
  const std::vector<double>* x = nullptr;
  const std::vector<double>* y = nullptr;
};

/// Panels below each other. The picture goes to gnuplot's standard output.
std::string response_script(const std::string& title, const std::vector<ResponsePanel>& panels, Format format,
                            const PictureSize& size);

}  // namespace gyrostat::app
