// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cstddef>

namespace {

std::atomic<long> count{0};

}  // namespace

namespace picus::testing {

long allocations() {
  return count;
}

}  // namespace picus::testing

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PICUS_UNDER_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define PICUS_UNDER_SANITIZER
#endif

#ifdef PICUS_UNDER_SANITIZER

// the sanitizer owns malloc and offers hooks
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
namespace {
const int kInstalled = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}  // namespace

#else

// glibc's own entry points, with a counter in front
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) {
  ++count;
  return __libc_realloc(old, size);
}
}

#endif
