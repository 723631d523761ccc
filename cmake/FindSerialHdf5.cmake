# The serial HDF5 C library, as Debian ships it (hdf5/serial/) or under its plain name. CMake's own
# FindHDF5 would take a parallel build, with MPI, where one is installed beside it.
include(FindPackageHandleStandardArgs)
set(FPHSA_NAME_MISMATCHED TRUE)  # also included from picusConfig.cmake
find_path(SERIAL_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SERIAL_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
find_package_handle_standard_args(SerialHdf5
  REQUIRED_VARS SERIAL_HDF5_INCLUDE_DIR SERIAL_HDF5_LIBRARY
  REASON_FAILURE_MESSAGE "install libhdf5-dev (or run ./dev setup)")
if(NOT SerialHdf5_FOUND)
  message(FATAL_ERROR "HDF5 not found: install libhdf5-dev (or run ./dev setup)")
endif()
if(NOT TARGET SerialHdf5::SerialHdf5)
  add_library(SerialHdf5::SerialHdf5 INTERFACE IMPORTED)
  target_include_directories(SerialHdf5::SerialHdf5 SYSTEM INTERFACE ${SERIAL_HDF5_INCLUDE_DIR})
  target_link_libraries(SerialHdf5::SerialHdf5 INTERFACE ${SERIAL_HDF5_LIBRARY})
endif()
