# Debian packages: `cpack -G DEB` in the build folder makes picus and libpicus-dev ('./dev package').
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME picus)
set(CPACK_PACKAGE_VENDOR "Picus")
set(CPACK_PACKAGE_CONTACT "The Picus developers <picus@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Simulates mechanisms that hit, stick and slip
 The program picus: models in YAML, results in HDF5, pages for the browser.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME picus)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Simulates mechanisms that hit, stick and slip, C++ library
 Headers and static libraries, for equations of your own; find_package(picus) finds them.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libpicus-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libeigen3-dev, libfmt-dev, libyaml-cpp-dev, libsuitesparse-dev, libhdf5-dev, zlib1g-dev")
include(CPack)
