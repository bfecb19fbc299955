// Files that are damaged, foreign or hostile: an error says so, and nothing worse happens.
#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include "support/program.h"
#include "support/sample_results.h"
#include "support/survives.h"

// HDF5 forgets memory when it meets damage.
extern "C" const char* __lsan_default_suppressions();                 // NOLINT(bugprone-reserved-identifier)
const char* __lsan_default_suppressions() { return "leak:libhdf5"; }  // NOLINT(bugprone-reserved-identifier)

namespace gyrostat::testing {
using namespace results;
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

std::string read_error(const std::string& path) {
  return error_of([&] { const ResultsReader reader(path); });
}

/// Reads everything there is.
void read_all(const std::string& path) {
  try {
    const ResultsReader reader(path);
    for (const Column& column : reader.columns()) EXPECT_EQ(reader.column(column.name).size(), reader.records());
  } catch (const ResultsError& error) {
    EXPECT_THAT(error.what(), StartsWith(path + ": "));
  }
}

std::string sample_file(const Scratch& scratch) {
  const std::string path = (scratch.path() / "sample.h5").string();
  std::vector<std::string> statistics = {"steps", "evaluations"};  // many: HDF5 keeps more than eight names otherwise
  for (int k = 0; k < 14; ++k) statistics.push_back("ledger_" + std::to_string(k));
  ResultsWriter writer(path, sample_header(), sample_columns(12), 20, statistics);
  append_samples(writer, 0, 20);
  for (std::uint64_t i = 0; i < 5; ++i) writer.add_event(sample_event(i));
  writer.finish();
  return path;
}

TEST(Foreign, FilesAreNamedForWhatTheyAre) {
  const Scratch scratch;
  const std::string missing = (scratch.path() / "missing.h5").string();
  EXPECT_EQ(read_error(missing), missing + ": no such file");
  EXPECT_EQ(read_error(scratch.path().string()), scratch.path().string() + ": is a directory");
  EXPECT_EQ(read_error(""), ": no such file");
  EXPECT_EQ(read_error("/dev/zero"), "/dev/zero: is not a regular file");
  for (const std::string text : {"", "x", "gyrostat: 1\nbodies: {}\n", "\x89HDF\r\n\x1a\n"}) {
    const std::string path = scratch.write("text", text);
    EXPECT_THAT(read_error(path), StartsWith(path + ": is ")) << text;
  }
  EXPECT_THAT(read_error(scratch.write("model.yaml", "gyrostat: 1\n")), EndsWith("is not a Gyrostat results file"));
  const std::string pipe = (scratch.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(read_error(pipe), EndsWith("is not a regular file"));
}

TEST(Damaged, FilesCutShortAreRefused) {
  const Scratch scratch;
  const std::string whole = slurp(sample_file(scratch));
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 40) {
    const std::string path = scratch.write("cut.h5", whole.substr(0, size));
    EXPECT_THAT(read_error(path), StartsWith(path + ": is ")) << size;
  }
  EXPECT_THAT(read_error(scratch.write("cut.h5", whole.substr(0, whole.size() - 1))), EndsWith("its end is missing"));
}

TEST(Damaged, BytesAnywhereDoNoHarm) {
  const Scratch scratch;
  const std::string whole = slurp(sample_file(scratch));
  // One process per block of places, so that one that dies says where.
  constexpr std::size_t blocks = 40;
  for (std::size_t block = 0; block < blocks; ++block) {
    EXPECT_TRUE(survives([&] {
      std::mt19937_64 random(block);
      const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
      for (int trial = 0; trial < 60; ++trial) {
        std::string text = whole;
        const std::size_t place = (block * text.size() + below(text.size())) / blocks;
        const std::size_t changes = 1 + below(4);
        for (std::size_t k = 0; k < changes && place + k < text.size(); ++k)
          text[place + k] = static_cast<char>(trial % 3 == 0 ? 0xff : below(256));
        read_all(scratch.write("changed.h5", text));
      }
    })) << "block "
        << block;
  }
}

TEST(Damaged, RandomBytesAfterTheSignatureDoNoHarm) {
  const Scratch scratch;
  EXPECT_TRUE(survives([&] {
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 300; ++trial) {
      std::string text = "\x89HDF\r\n\x1a\n";
      text += static_cast<char>(trial % 4);  // the superblock's version
      for (int k = 0; k < 3000; ++k) text += static_cast<char>(random() & 0xffU);
      read_all(scratch.write("random.h5", text));
    }
  }));
}

/// One bit in each byte of a packed file in turn: the numbers are the same, or an error says that it is damaged.
TEST(Damaged, PackedFilesShowNoOtherNumbers) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "packed.h5").string();
  {
    ResultsWriter writer(path, sample_header(), sample_columns(2), 200, {"steps"});
    append_samples(writer, 0, 200);
    writer.finish();
  }
  const std::string whole = slurp(path);
  EXPECT_TRUE(survives([&] {
    std::size_t damaged = 0;
    for (std::size_t at = 0; at < whole.size(); at += sanitized ? 7 : 1) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
      const std::string copy = scratch.write("changed.h5", changed);
      try {
        expect_samples(ResultsReader(copy), 200);
      } catch (const ResultsError&) {
        ++damaged;
      }
    }
    EXPECT_GT(damaged, whole.size() / (sanitized ? 14 : 2));
  }));
}

/// Every number of a run that has not ended, one bit in each changed in turn.
TEST(Damaged, RecordsOfARunThatGoesOnAreFound) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "running.h5").string();
  ResultsWriter writer(path, sample_header(), sample_columns(3), 20, {"steps"});
  append_samples(writer, 0, 4);
  writer.flush();
  append_samples(writer, 4, 7);
  writer.flush();
  const std::string whole = slurp(path);
  const ResultsReader reader(path);
  ASSERT_EQ(reader.records(), 7U);
  std::vector<std::vector<double>> columns = {reader.time()};
  for (const Column& column : reader.columns()) columns.push_back(reader.column(column.name));
  std::size_t found = 0;
  for (const std::vector<double>& column : columns) {
    const std::string bytes(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(double));
    const std::size_t from = whole.find(bytes);
    ASSERT_NE(from, std::string::npos);
    for (std::size_t record = 0; record < column.size(); ++record) {
      std::string changed = whole;
      changed[from + 8 * record] = static_cast<char>(changed[from + 8 * record] ^ 1);
      const std::string error = read_error(scratch.write("changed.h5", changed));
      EXPECT_THAT(error, HasSubstr("is damaged: record " + std::to_string(record) + " has another checksum"));
      ++found;
    }
  }
  EXPECT_EQ(found, 28U);
}

/// A results file that was changed through HDF5 itself, checksums and all.
class Changed : public ::testing::Test {
 protected:
  Scratch scratch;
  std::string path = sample_file(scratch);

  Changed() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

  std::string error_after(const std::function<void(hid_t)>& change) const {
    const std::string copy = (scratch.path() / "copy.h5").string();
    fs::copy_file(path, copy, fs::copy_options::overwrite_existing);
    const hid_t file = H5Fopen(copy.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    H5Fclose(file);
    return read_error(copy);
  }

  static void replace(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& size,
                      hid_t properties = H5P_DEFAULT) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space =
        size.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
    H5Sclose(space);
  }
};

TEST_F(Changed, MissingPartsAreNamed) {
  for (const char* name : {"time", "records", "model", "columns", "status", "statistics", "events/time", "events/name",
                           "events/what", "events/count", "bus.value0", "ledger/value2"}) {
    EXPECT_THAT(error_after([&](hid_t file) { H5Ldelete(file, name, H5P_DEFAULT); }),
                EndsWith("copy.h5: is damaged: '" + std::string(name) + "' is missing"));
  }
  for (const char* name : {"format", "model_name", "command"}) {
    EXPECT_THAT(error_after([&](hid_t file) { H5Adelete(file, name); }), EndsWith("is not a Gyrostat results file"));
  }
  EXPECT_THAT(error_after([](hid_t file) { H5Adelete_by_name(file, "bus.value0", "unit", H5P_DEFAULT); }),
              EndsWith("the attribute 'unit' of 'bus.value0' is missing"));
}

TEST_F(Changed, PartsOfAnotherKindAreNamed) {
  const hid_t endless = H5Tcopy(H5T_C_S1);
  H5Tset_size(endless, H5T_VARIABLE);
  for (const char* name : {"time", "bus.value0", "events/time", "records", "statistics/steps", "columns", "status"}) {
    for (const hid_t type : {H5T_NATIVE_CHAR, H5T_NATIVE_OPAQUE, H5T_STD_REF_OBJ, endless}) {
      EXPECT_THAT(error_after([&](hid_t file) { replace(file, name, type, {20}); }), HasSubstr(": is damaged: "));
    }
    EXPECT_THAT(error_after([&](hid_t file) {
                  replace(file, name, H5T_NATIVE_DOUBLE, {5, 4});
                }),
                EndsWith("'" + std::string(name) + "' is of another kind than it should be"));
  }
  EXPECT_THAT(error_after([](hid_t file) {
                H5Ldelete(file, "bus.value0", H5P_DEFAULT);
                H5Gclose(H5Gcreate2(file, "bus.value0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
              }),
              EndsWith("'bus.value0' is missing"));
  EXPECT_THAT(error_after([](hid_t file) {
                H5Ldelete(file, "ledger", H5P_DEFAULT);
                H5Lcreate_soft("/ledger", file, "ledger", H5P_DEFAULT, H5P_DEFAULT);
              }),
              HasSubstr("is missing"));
  H5Tclose(endless);
}

TEST_F(Changed, SizesThatTheFileCannotHaveAreRefused) {
  const hid_t chunks = H5Pcreate(H5P_DATASET_CREATE), elsewhere = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 10;
  H5Pset_chunk(chunks, 1, &chunk);
  H5Pset_external(elsewhere, "/etc/passwd", 0, H5F_UNLIMITED);
  constexpr hsize_t huge = hsize_t{1} << 50U;
  for (const char* name : {"time", "bus.value0", "events/time"}) {
    for (const hid_t properties : {hid_t{H5P_DEFAULT}, chunks, elsewhere}) {
      for (const hsize_t size : {hsize_t{20}, huge}) {
        EXPECT_THAT(error_after([&](hid_t file) { replace(file, name, H5T_NATIVE_DOUBLE, {size}, properties); }),
                    MatchesRegex(".*: is damaged: (the values of )?'" + std::string(name) + "' (is|are) missing"));
      }
    }
  }
  EXPECT_THAT(error_after([&](hid_t file) { replace(file, "columns", H5T_C_S1, {huge}); }),
              EndsWith("the values of 'columns' are missing"));
  H5Pclose(chunks);
  H5Pclose(elsewhere);
}

TEST_F(Changed, ShortColumnsAndForeignVersionsAreRefused) {
  EXPECT_THAT(error_after([](hid_t file) {
                replace(file, "bus.value0", H5T_NATIVE_DOUBLE, {5});
                const hid_t column = H5Dopen2(file, "bus.value0", H5P_DEFAULT);
                const std::vector<double> values(5);
                H5Dwrite(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
                H5Dclose(column);
              }),
              EndsWith("'bus.value0' is too short"));
  EXPECT_THAT(error_after([](hid_t file) {
                const hid_t format = H5Aopen(file, "format", H5P_DEFAULT), type = H5Aget_type(format);
                H5Awrite(format, type, "gyrostat results 7");
                H5Tclose(type);
                H5Aclose(format);
              }),
              EndsWith("is of another version of Gyrostat ('gyrostat results 7')"));
}

TEST_F(Changed, CountsBeyondTheDataDoNoHarm) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const char* name : {"records", "events/count"}) {
    const hid_t count = H5Dopen2(file, name, H5P_DEFAULT);
    const std::uint64_t many = ~std::uint64_t{0};
    H5Dwrite(count, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &many);
    H5Dclose(count);
  }
  H5Fclose(file);
  const ResultsReader reader(path);
  expect_samples(reader, 20);
  expect_sample_events(reader, 5);
}

TEST_F(Changed, PackedFilesAreReadAsWell) {
  if (std::system("command -v h5repack >/dev/null") != 0) GTEST_SKIP() << "no h5repack";
  const std::string packed = (scratch.path() / "packed.h5").string();
  ASSERT_EQ(std::system(("h5repack -f GZIP=6 -m 1 '" + path + "' '" + packed + "'").c_str()), 0);
  const ResultsReader reader(packed);
  expect_samples(reader, 20);
  expect_sample_events(reader, 5);
  EXPECT_EQ(reader.statistics()[0].first, "steps");
  ResultsWriter::reopen(packed, 20, 5, 20).finish();
  const std::string a = slurp(packed), b = slurp(path);
  ASSERT_EQ(a.size(), b.size());
  const auto differs = std::ranges::mismatch(a, b).in1 - a.begin();
  EXPECT_EQ(static_cast<std::size_t>(differs), a.size()) << "first other byte";
}

}  // namespace
}  // namespace gyrostat::testing
