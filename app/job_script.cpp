#include "job_script.h"

#include <filesystem>

#include <fmt/format.h>

#include "completion.h"
#include "output.h"

namespace gyrostat::app {

namespace {

/// As the shell takes it for one word; not in quotes where that is so anyway.
std::string shell_word(const std::string& text) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:,@%";
  return !text.empty() && text.find_first_not_of(plain) == std::string::npos ? text : in_quotes(text);
}

/// Where this program is; elsewhere it is found by its name.
std::string this_program() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "gyrostat" : path.string();
}

/// A name without what sbatch's directives would take apart.
std::string job_name(const std::string& output) {
  std::string name = std::filesystem::path(output).stem().string();
  for (char& letter : name) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' || letter == '.';
    if (!plain) letter = '_';
  }
  return name;
}

}  // namespace

std::string slurm_script(const CampaignArguments& arguments, const std::string& output, std::uint64_t flights) {
  const bool whole_machines = arguments.threads == 0;
  const std::string share =
      whole_machines
          ? fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n#SBATCH --exclusive\n", arguments.slurm)
          : fmt::format("#SBATCH --ntasks={}\n#SBATCH --cpus-per-task={}\n", arguments.slurm, arguments.threads);
  const std::string threads = whole_machines ? "" : fmt::format(" -j {}", arguments.threads);
  return fmt::format(
      R"(#!/bin/bash
# {flights} flights by {processes} processes, each with {share_text}. Submit it with sbatch, from the folder in
# which it was made. If it ends before the campaign does, submit it again: it goes on with what is missing.
# Add what your cluster asks for: --time, --partition, --account.
#SBATCH --job-name={name}
#SBATCH --output={name}.%j.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
{share}
# A time limit, --requeue or scancel --batch -s TERM: this shell is told, and tells mpirun, which it does not wait for
# in the foreground: bash would be told only afterwards.
stopped=
trap 'stopped=yes; kill -TERM $job 2> /dev/null' TERM
# 137 and the like: a process was killed, and with it all. What it had not written yet is flown again.
for attempt in 1 2 3; do
  [[ $stopped ]] && exit 143
  mpirun --bind-to none {program} campaign {file} -o {output}{threads} --resume{more} &
  job=$!
  wait $job
  code=$?
  while kill -0 $job 2> /dev/null; do  # a signal ended the waiting, not mpirun
    wait $job
    code=$?
  done
  [[ ! $stopped ]] && (( code > 128 && code != 130 )) || exit $code
done
exit $code
)",
      fmt::arg("flights", grouped(flights)), fmt::arg("processes", arguments.slurm),
      fmt::arg("share_text", whole_machines ? "a machine to itself" : fmt::format("{} threads", arguments.threads)),
      fmt::arg("name", job_name(output)), fmt::arg("share", share), fmt::arg("program", shell_word(this_program())),
      fmt::arg("file", shell_word(arguments.file)), fmt::arg("output", shell_word(output)),
      fmt::arg("threads", threads),
      fmt::arg("more",
               std::string(arguments.allow_plugins ? " --allow-plugins" : "") + (arguments.force ? " --force" : "")));
}

}  // namespace gyrostat::app
