# Compiler settings shared by every target of ours.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Release keeps assertions of ours (expects) but drops those of the libraries. Never -ffast-math.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -D_GLIBCXX_ASSERTIONS")

find_program(PICUS_CCACHE ccache)
if(PICUS_CCACHE)
  # ccache serves sources with precompiled headers only if it may trust their time stamps and macros
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  ${PICUS_CCACHE})
endif()

# Interface target carrying warnings and floating-point rules; private to our own targets.
add_library(picus_toolchain INTERFACE)
target_compile_options(picus_toolchain INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # g++ looks for garbage from the first megabytes on, an eighth of its time here; this lets it begin
  # at 600 MB of a unit, of which none needs more than 2 GB
  target_compile_options(picus_toolchain INTERFACE --param=ggc-min-expand=200
                                                   --param=ggc-min-heapsize=600000)
endif()
if(PICUS_WERROR)
  target_compile_options(picus_toolchain INTERFACE -Werror)
endif()
if(PICUS_SANITIZE)
  # sanitizers are linked into everything, so they are global
  set(PICUS_SANITIZERS "address,undefined" CACHE STRING "The sanitizers of PICUS_SANITIZE")
  add_compile_options(-fsanitize=${PICUS_SANITIZERS} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer -O2 -g1)
  add_link_options(-fsanitize=${PICUS_SANITIZERS})
endif()
