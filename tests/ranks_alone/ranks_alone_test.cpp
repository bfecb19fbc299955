// A program that was built without MPI. (Compiled from its source: the build may have MPI.)
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/ranks.h"

namespace gyrostat::campaign {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

TEST(WithoutMpi, OneProcessTakesEveryFlight) {
  EXPECT_FALSE(has_mpi());
  Ranks ranks;
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.take(1), 0U);
  EXPECT_EQ(ranks.take(5), 1U);
  EXPECT_EQ(ranks.take(1), 6U);
}

TEST(WithoutMpi, SeveralProcessesAreRefused) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const Environment of_mpirun(name, "2");
    EXPECT_EQ(processes_started(), 2);
    EXPECT_THAT([] { const Ranks ranks; },
                ::testing::Throws<std::runtime_error>(
                    Property(&std::runtime_error::what, HasSubstr("built without MPI: each would fly the whole"))))
        << name;
  }
  const Environment alone("OMPI_COMM_WORLD_SIZE", "1");
  EXPECT_NO_THROW(Ranks());
}

TEST(ProcessNumber, IsThatOfMpirun) {
  EXPECT_EQ(process_number(), 0);
  EXPECT_EQ(processes_started(), 1);
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    const Environment of_mpirun(name, "3");
    EXPECT_EQ(process_number(), 3) << name;
  }
}

}  // namespace
}  // namespace gyrostat::campaign
