// HDF5's C interface made safe: handles that close themselves, its messages kept from stderr and turned into a reason.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <hdf5.h>

namespace gyrostat::hdf5 {

/// While one lives, HDF5 prints no errors from this thread.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Closes what it holds. A negative id is what HDF5 returns on failure; it is held and not closed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t held, Close how) : id_(held), close_(how) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() { close(); }

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }

  /// False if HDF5 could not do it, as when a file's last bytes find no room.
  bool close() {
    const hid_t held = std::exchange(id_, -1);
    return held < 0 || close_(held) >= 0;
  }

 private:
  hid_t id_;
  Close close_;
};

/// Why HDF5's last call failed: the system's words ("No space left on device") where there are any, else HDF5's own.
std::string reason();

/// Strings of `size` bytes, UTF-8, padded with zeros.
Handle string_type(std::size_t size);

}  // namespace gyrostat::hdf5
