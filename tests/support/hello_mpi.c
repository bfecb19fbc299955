/* What campaigns ask of MPI, and nothing else: whether it works here at all. Every process increases a number in the memory of the first by one-sided messages; the first prints it. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

int main(int argc, char** argv) {
  enum { times = 100 };
  int rank = 0, size = 0, level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  uint64_t* memory = NULL;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate(rank == 0 ? sizeof *memory : 0, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  if (rank == 0) *memory = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  uint64_t one = 1, none = 0, seen = 0;
  for (int k = 0; k < times; ++k) {
    MPI_Fetch_and_op(&one, &seen, MPI_UINT64_T, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Fetch_and_op(&none, &seen, MPI_UINT64_T, 0, 0, MPI_SUM, window);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  const int right = level >= MPI_THREAD_SERIALIZED && seen == (uint64_t)size * times;
  if (rank == 0 || !right) printf("process %d of %d: %" PRIu64 ", threads %d\n", rank, size, seen, level);
  MPI_Finalize();
  return right ? 0 : 1;
}
