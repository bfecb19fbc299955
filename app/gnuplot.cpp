#include "gnuplot.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gyrostat/results/target.h"

#include "output.h"
#include "results_text.h"

namespace gyrostat::app {

namespace fs = std::filesystem;

namespace {

/// A file without a name, which is gone when it is closed.
class Unnamed {
 public:
  Unnamed() : stream_(std::tmpfile()) {
    if (!stream_) fail();
  }

  void fill(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stream_.get()) != text.size() || std::fflush(stream_.get()) != 0)
      fail();
    std::rewind(stream_.get());
  }
  [[nodiscard]] std::string contents() {
    std::string text;
    char part[65536];
    std::rewind(stream_.get());
    while (const std::size_t count = std::fread(part, 1, sizeof part, stream_.get())) text.append(part, count);
    if (std::ferror(stream_.get()) != 0) fail();
    return text;
  }
  [[nodiscard]] int descriptor() const { return fileno(stream_.get()); }

 private:
  [[noreturn]] static void fail() {
    throw GnuplotError(fmt::format("a temporary file cannot be used: {}", std::strerror(errno)));
  }
  struct Close {
    void operator()(std::FILE* stream) const { static_cast<void>(std::fclose(stream)); }
  };
  std::unique_ptr<std::FILE, Close> stream_;
};

/// Starts gnuplot without the user's own settings, which could change anything. Returns errno.
int spawn_gnuplot(const Unnamed& in, const Unnamed& out, const Unnamed& err, pid_t& child) {
  char name[] = "gnuplot", defaults[] = "--default-settings";
  char* arguments[] = {name, defaults, nullptr};
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions); error != 0) return error;
  int error = posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  if (error == 0) error = posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

/// What a program complained of, in a few lines.
std::string complaint(const std::string& text) {
  constexpr std::size_t most = 1000;
  std::string shown;
  std::size_t begin = 0;
  while (begin < text.size() && shown.size() < most) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = printable(text.substr(begin, std::min(end - begin, most)));
    if (line.find_first_not_of(' ') != std::string::npos) shown += "\n  " + line;
    begin = end + 1;
  }
  return shown;
}

}  // namespace

std::string run_gnuplot(const std::string& script) {
  Unnamed in, out, err;
  in.fill(script);
  pid_t child = 0;
  const int error = spawn_gnuplot(in, out, err, child);
  if (error == ENOENT || error == EACCES || error == ENOTDIR) {
    throw GnuplotError(
        "gnuplot draws the pictures and is not installed: try 'apt-get install gnuplot-nox'\n"
        "Without -o the plot appears in the terminal, and needs no gnuplot.");
  }
  if (error != 0) throw GnuplotError(fmt::format("gnuplot cannot be started: {}", std::strerror(error)));
  const int status = wait_for(child);
  std::string picture = out.contents();
  if (WIFSIGNALED(status)) {
    throw GnuplotError(fmt::format("gnuplot was ended by signal {}{}", WTERMSIG(status), complaint(err.contents())));
  }
  if (status != 0 || picture.empty()) throw GnuplotError("gnuplot failed:" + complaint(err.contents()));
  return picture;
}

void write_picture(const std::string& path, const std::string& bytes) {
  write_file(path, results::with_picture_mark(bytes));
}

}  // namespace gyrostat::app
