// The next flight is a number in the memory of the first process, which all others read and increase by one-sided
// messages: nobody serves requests, and a process that is busy keeps nobody waiting.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>

#define OMPI_SKIP_MPICXX 1   // C is enough
#define MPICH_SKIP_MPICXX 1  // the same
#include <mpi.h>

#include "gyrostat/campaign/ranks.h"

namespace gyrostat::campaign {

namespace {

/// MPI can be started once in a process: by us, or by whoever was here before. What we started ends with the process.
void start_mpi() {
  int started = 0, ended = 0, level = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (ended != 0) throw std::runtime_error("MPI has ended in this process, and cannot be started again");
  if (started != 0) {
    MPI_Query_thread(&level);
  } else {
    // Processes of one machine may read each other's memory where the system lets them; containers often do not, and
    // OpenMPI then complains of each message that is long. Ours are few.
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    std::atexit([] {
      int over = 0;
      MPI_Finalized(&over);
      if (over == 0) MPI_Finalize();
    });
  }
  if (level < MPI_THREAD_SERIALIZED) throw std::runtime_error("this MPI does not allow calls from several threads");
}

/// What is in the memory of the first process.
enum Word : std::uint8_t { next_flight, ended_flights, failed_flights, words };

}  // namespace

struct Ranks::Messages {
  MPI_Win window = MPI_WIN_NULL;
  std::uint64_t* memory = nullptr;  // of the first process: `words` numbers

  /// Adds to a number there, and returns what it was.
  std::uint64_t add(Word word, std::uint64_t more) const {
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&more, &before, MPI_UINT64_T, 0, word, MPI_SUM, window);
    MPI_Win_flush(0, window);
    return before;
  }
};

bool has_mpi() { return true; }

Ranks::Ranks() {
  // Without mpirun there is nobody to talk to, and starting MPI takes time.
  bool together = false;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    together = together || std::getenv(name) != nullptr;
  }
  if (!together) return;
  start_mpi();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  messages_ = new Messages;
  const MPI_Aint bytes = rank_ == 0 ? MPI_Aint{words * sizeof(std::uint64_t)} : 0;
  MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, static_cast<void*>(&messages_->memory),
                   &messages_->window);
  if (rank_ == 0) std::fill_n(messages_->memory, std::size_t{words}, std::uint64_t{0});
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, messages_->window);
}

Ranks::~Ranks() {
  if (messages_ != nullptr && std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
  leave();
}

void Ranks::leave() {
  if (messages_ == nullptr) return;
  MPI_Win_unlock_all(messages_->window);
  MPI_Win_free(&messages_->window);
  delete messages_;
  messages_ = nullptr;
}

std::uint64_t Ranks::take(std::uint64_t count) {
  if (messages_ != nullptr) return messages_->add(next_flight, count);
  const std::uint64_t first = next_;
  next_ += count;
  return first;
}

void Ranks::help_others() {
  if (messages_ == nullptr) return;
  int waiting = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE);
}

void Ranks::report(const Report& more) {
  if (messages_ == nullptr || rank_ == 0) return;
  if (more.ended > 0) messages_->add(ended_flights, more.ended);
  if (more.failed > 0) messages_->add(failed_flights, more.failed);
}

Ranks::Report Ranks::reported() {
  if (messages_ == nullptr || rank_ != 0) return {};
  return {messages_->add(ended_flights, 0), messages_->add(failed_flights, 0)};
}

void Ranks::share(std::vector<std::uint8_t>& bytes) {
  if (messages_ == nullptr) return;
  auto size = static_cast<std::uint64_t>(bytes.size());
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  bytes.resize(size);
  constexpr std::uint64_t piece = std::numeric_limits<int>::max();
  for (std::uint64_t done = 0; done < size; done += piece) {
    MPI_Bcast(bytes.data() + done, static_cast<int>(std::min(piece, size - done)), MPI_UINT8_T, 0, MPI_COMM_WORLD);
  }
}

void Ranks::wait_for_all() {
  if (messages_ != nullptr) MPI_Barrier(MPI_COMM_WORLD);
}

double Ranks::sum(double value) {
  double total = value;
  if (messages_ != nullptr) MPI_Allreduce(&value, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total;
}

}  // namespace gyrostat::campaign
