// The exit codes of the program.
#pragma once

namespace gyrostat::app::exit_code {

inline constexpr int done = 0;
inline constexpr int wrong_model = 1;
inline constexpr int wrong_usage = 2;    // or a file that cannot be read, or not be made
inline constexpr int cannot_go_on = 3;   // the simulation or a write; what was recorded so far is kept
inline constexpr int interrupted = 130;  // by SIGINT or SIGTERM

inline constexpr int results_differ = 1;   // of `compare`
inline constexpr int internal_error = 70;  // a defect of the program, or no memory

/// For --help.
inline constexpr const char* explained =
    "Exit codes: 0 done, 1 the model is wrong, 2 the usage is wrong, 3 the simulation or a write could not go on, "
    "130 interrupted.";

}  // namespace gyrostat::app::exit_code
