# cpp-httplib as Debian ships it: a header and a shared library, without a CMake package.
include(FindPackageHandleStandardArgs)
set(FPHSA_NAME_MISMATCHED TRUE)
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
find_library(HTTPLIB_LIBRARY cpp-httplib)
find_package_handle_standard_args(Httplib
  REQUIRED_VARS HTTPLIB_INCLUDE_DIR HTTPLIB_LIBRARY
  REASON_FAILURE_MESSAGE "install libcpp-httplib-dev (or run ./dev setup)")
if(NOT Httplib_FOUND)
  message(FATAL_ERROR "cpp-httplib not found: install libcpp-httplib-dev (or run ./dev setup)")
endif()
find_package(Threads REQUIRED)
if(NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib INTERFACE IMPORTED)
  target_include_directories(Httplib::Httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
  target_link_libraries(Httplib::Httplib INTERFACE ${HTTPLIB_LIBRARY} Threads::Threads)
endif()
