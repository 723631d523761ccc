# SuiteSparse as Debian ships it: headers under suitesparse/, no CMake package of its own.
include(FindPackageHandleStandardArgs)
set(FPHSA_NAME_MISMATCHED TRUE)  # also included from picusConfig.cmake
find_path(SUITESPARSE_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(_suitesparse_libraries)
foreach(_part spqr cholmod klu btf amd colamd suitesparseconfig)
  find_library(SUITESPARSE_${_part} ${_part})
  list(APPEND _suitesparse_libraries SUITESPARSE_${_part})
endforeach()
find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS SUITESPARSE_INCLUDE_DIR ${_suitesparse_libraries}
  REASON_FAILURE_MESSAGE "install libsuitesparse-dev (or run ./dev setup)")
if(NOT SuiteSparse_FOUND)
  message(FATAL_ERROR "SuiteSparse not found: install libsuitesparse-dev (or run ./dev setup)")
endif()
if(NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  target_include_directories(SuiteSparse::SuiteSparse SYSTEM INTERFACE ${SUITESPARSE_INCLUDE_DIR})
  foreach(_part ${_suitesparse_libraries})
    target_link_libraries(SuiteSparse::SuiteSparse INTERFACE ${${_part}})
  endforeach()
endif()
