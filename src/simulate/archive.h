// Numbers in a row of bytes: what a checkpoint is made of.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace gyrostat {

class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)) {}

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(value);
  }

  template <class T>
  T get() {
    T value;
    need(sizeof value);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    const auto count = get<std::uint64_t>();
    if (count > (bytes_.size() - at_) / sizeof(T)) need(bytes_.size() + 1);
    std::vector<T> values(count);
    for (T& value : values) value = get<T>();
    return values;
  }
  /// As many as there have to be.
  template <class T>
  std::vector<T> get_all(std::size_t count) {
    std::vector<T> values = get_all<T>();
    if (values.size() != count) throw std::runtime_error("the checkpoint belongs to another model");
    return values;
  }

  /// Everything has been read.
  void expect_end() const {
    if (at_ != bytes_.size()) throw std::runtime_error("the checkpoint has more in it than this model");
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void need(std::size_t count) const {
    if (count > bytes_.size() - at_) throw std::runtime_error("the checkpoint is not complete");
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace gyrostat
