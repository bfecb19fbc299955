// Bytes into given places of a file, and a file that takes another's place at once.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace gyrostat::results {

/// A new file. What is written goes straight to the system and survives the end of the program.
class RawFile {
 public:
  RawFile() = default;
  RawFile(const std::string& path, std::string shown_path);

  void write(std::uint64_t place, const void* data, std::size_t bytes);
  void close();
  [[nodiscard]] bool is_open() const { return stream_ != nullptr; }
  /// What errors call it.
  [[nodiscard]] const std::string& shown_path() const { return shown_path_; }

 private:
  struct Close {
    void operator()(std::FILE* stream) const { static_cast<void>(std::fclose(stream)); }
  };
  std::unique_ptr<std::FILE, Close> stream_;
  std::string shown_path_;
};

/// A file beside `path` that takes its place when it is complete, in one step, and is removed if it never is.
class Replacement {
 public:
  explicit Replacement(std::string path);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  [[nodiscard]] const std::string& temporary() const { return temporary_; }
  void put_in_place();

 private:
  std::string path_, temporary_;
  bool in_place_ = false;
};

/// `path`, or what it points to if it is a symbolic link, whether that exists or not: the link shall remain one.
std::string without_link(const std::string& path);

}  // namespace gyrostat::results
