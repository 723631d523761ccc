// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/scratch.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace picus {
namespace {

// Chunks stay where they are when further ones come, so room that was given stays valid.
struct Store {
  struct Chunk {
    std::unique_ptr<double[]> room;
    std::size_t size;
  };
  std::vector<Chunk> chunks;
  std::size_t chunk = 0, used = 0;
};

Store& store() {
  thread_local Store store;
  return store;
}

}  // namespace

Scratch::Scratch() : chunk_(store().chunk), used_(store().used) {}

Scratch::~Scratch() {
  store().chunk = chunk_;
  store().used = used_;
}

void* Scratch::take_bytes(std::size_t bytes) {
  constexpr std::size_t kLeast = 8192;  // of a chunk
  const std::size_t count = (bytes + sizeof(double) - 1) / sizeof(double);
  Store& s = store();
  while (s.chunk < s.chunks.size() && s.used + count > s.chunks[s.chunk].size) {
    ++s.chunk;
    s.used = 0;
  }
  if (s.chunk == s.chunks.size()) {
    const std::size_t size = std::max(count, kLeast << std::min<std::size_t>(s.chunk, 10));
    s.chunks.push_back({std::make_unique<double[]>(size), size});
    s.used = 0;
  }
  double* room = s.chunks[s.chunk].room.get() + s.used;
  s.used += count;
  return room;
}

}  // namespace picus
