# Headers that are read once per build and not once per source. A precompiled header serves targets
# with the same optimisation only, so there is one for each kind of target:
#
#   picus_foreign_headers     libraries of others: rooms below the mechanism
#   picus_mechanism_headers   these and the mechanism: rooms and studies that work with one
#   picus_test_headers, picus_mechanism_test_headers
#                             the same with GoogleTest and without optimisation: tests
#
# Sources include what they use all the same: the debug build has no precompiled headers, nor has
# the installed package, nor clang-tidy.
set(PICUS_FOREIGN_HEADERS
  <algorithm> <array> <cmath> <filesystem> <functional> <limits> <map> <memory> <numeric> <optional>
  <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h> <fmt/ranges.h> <Eigen/Dense>)
set(PICUS_MECHANISM_HEADERS <picus/mechanism/mechanism.h> <picus/io/model_file.h>)

# Adds the precompiled header; the arguments are headers.
function(picus_precompiled_header name)
  if(NOT PICUS_PCH)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${name}.cpp CONTENT "// no code\n")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  target_link_libraries(${name} PRIVATE picus_toolchain)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(${name} PRIVATE -fpch-preprocess)  # or ccache cannot look behind it
  endif()
endfunction()

# Lets a target use one.
function(picus_use_precompiled target name)
  if(NOT PICUS_PCH)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # what its optimiser finds in strings of the standard library is a false alarm in some units
    # after each making of the header; the debug build has none, and takes all warnings for errors
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-error=array-bounds
      -Wno-error=restrict -Wno-error=stringop-overflow -Wno-error=stringop-overread
      -Wno-error=maybe-uninitialized -Wno-error=dangling-pointer)
  endif()
endfunction()
