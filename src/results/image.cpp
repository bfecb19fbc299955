#include "gyrostat/results/image.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace gyrostat::results::hdf5 {

namespace {

/// What HDF5 is told to open.
struct Target {
  Image* image = nullptr;
};

/// What HDF5 knows of an open image.
struct OpenImage : H5FD_t, Target {};

Image& image_of(H5FD_t* file) { return *static_cast<OpenImage*>(file)->image; }
const Image& image_of(const H5FD_t* file) { return *static_cast<const OpenImage*>(file)->image; }

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* target = static_cast<const Target*>(H5Pget_driver_info(access));
  return target == nullptr ? nullptr : new (std::nothrow) OpenImage{{}, *target};
}

herr_t close(H5FD_t* file) {
  delete static_cast<OpenImage*>(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_size(const H5FD_t* file, H5FD_mem_t) { return image_of(file).size(); }

herr_t set_size(H5FD_t* file, H5FD_mem_t, haddr_t size) {
  image_of(file).resize(size);
  return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t bytes, void* into) {
  image_of(file).read(place, into, bytes);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t place, std::size_t bytes, const void* data) try {
  image_of(file).write(place, data, bytes);
  return 0;
} catch (const std::bad_alloc&) {
  return -1;
}

hid_t driver() {
  static const H5FD_class_t description = [] {
    H5FD_class_t d{};
    d.name = "gyrostat image";
    d.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
    d.fc_degree = H5F_CLOSE_WEAK;
    d.fapl_size = sizeof(Target);
    d.open = open;
    d.close = close;
    d.query = query;
    d.get_eoa = get_size;
    d.set_eoa = set_size;
    d.get_eof = get_size;
    d.read = read;
    d.write = write;
    constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> map = H5FD_FLMAP_DICHOTOMY;
    std::ranges::copy(map, d.fl_map);
    return d;
  }();
  static const hid_t id = H5FDregister(&description);
  return id;
}

}  // namespace

Handle Image::access() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Target target{this};
  H5Pset_driver(properties.id(), driver(), &target);
  return properties;
}

void Image::write(std::uint64_t place, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const std::uint64_t offset = place % page_bytes;
    const std::size_t piece = std::min<std::size_t>(bytes, page_bytes - offset);
    Page& page = pages_.try_emplace(place / page_bytes, Page{}).first->second;
    std::memcpy(page.data() + offset, from, piece);
    place += piece;
    from += piece;
    bytes -= piece;
  }
}

void Image::read(std::uint64_t place, void* into, std::size_t bytes) const {
  auto* to = static_cast<std::byte*>(into);
  while (bytes > 0) {
    const std::uint64_t offset = place % page_bytes;
    const std::size_t piece = std::min<std::size_t>(bytes, page_bytes - offset);
    const auto found = pages_.find(place / page_bytes);
    if (found == pages_.end()) {
      std::memset(to, 0, piece);
    } else {
      std::memcpy(to, found->second.data() + offset, piece);
    }
    place += piece;
    to += piece;
    bytes -= piece;
  }
}

void Image::save(RawFile& file) const {
  constexpr char end = 0;
  if (size_ > 0) file.write(size_ - 1, &end, 1);
  for (const auto& [number, page] : pages_) {
    const std::uint64_t place = number * page_bytes;
    if (place < size_) file.write(place, page.data(), std::min<std::uint64_t>(page_bytes, size_ - place));
  }
}

}  // namespace gyrostat::results::hdf5
