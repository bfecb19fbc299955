// The letters of the equations, each with its type, its indices and how it is written.
#pragma once

#include <span>
#include <string_view>

#include "gyrostat/derive/algebra.h"

namespace gyrostat::derive {

struct Letter {
  std::string_view id;  // in JSON and messages
  Type type = Type::scalar;
  int indices = 1;        // how many; -1: one or two
  std::string_view text;  // Unicode
  std::string_view ascii;
  std::string_view latex;
  std::string_view superscript;  // c, H, ...; as text in all forms
  bool tilde = false;            // relative to the inboard body
  std::string_view meaning;      // of the letter, without its indices
};

/// All of them.
std::span<const Letter> letters();

/// Throws AlgebraError where there is none.
const Letter& letter(std::string_view id);

}  // namespace gyrostat::derive
