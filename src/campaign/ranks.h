// The processes that fly one campaign together: those that mpirun or Slurm started, or this one alone. Whoever has time
// takes the next flights; nobody waits for anybody until all are taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gyrostat::campaign {

class Ranks {
 public:
  /// Of the processes that were started together, where the program was built with MPI. Throws std::runtime_error where
  /// several were started and it was not: each would fly everything.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// The first of `count` numbers that nobody else gets. May be called by any thread, one at a time.
  std::uint64_t take(std::uint64_t count);
  /// Lets others take theirs from this process, whose network may need its help. Often, between calls of `take`.
  void help_others();

  struct Report {
    std::uint64_t ended = 0, failed = 0;  // flights; those that failed are among the ended ones
  };
  /// Tells the first process what has come to it since the last report. Not for the first itself.
  void report(const Report& more);
  /// In the first process: the sum of what the others have told.
  Report reported();

  /// The bytes of the first process, for all. All must call it.
  void share(std::vector<std::uint8_t>& bytes);
  /// Until all are here. All must call it.
  void wait_for_all();
  /// The sum over all. All must call it.
  double sum(double value);
  /// The end, at which all arrive: by this or by the destructor. Where an exception leaves one process alone, the
  /// others would wait for it: the destructor then ends them.
  void leave();

 private:
  int rank_ = 0, size_ = 1;
  std::uint64_t next_ = 0;
  struct Messages;
  Messages* messages_ = nullptr;
};

/// Was the program built with MPI?
bool has_mpi();

/// How many processes were started together, and the number of this one, as mpirun says in the environment; 1 and 0 of
/// one that was started by itself. Known before there are Ranks.
int processes_started();
int process_number();

}  // namespace gyrostat::campaign
