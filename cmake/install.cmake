# `cmake --install` gives a package that find_package(picus) understands.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS picus_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${PICUS_ROOMS} picus_library EXPORT picusTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY picus/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/picus
        FILES_MATCHING PATTERN "*.h" PATTERN "common" EXCLUDE)
install(EXPORT picusTargets NAMESPACE picus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)

configure_package_config_file(cmake/picusConfig.cmake.in picusConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)
write_basic_package_version_file(picusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/picusConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/picusConfigVersion.cmake
              cmake/FindSuiteSparse.cmake cmake/FindSerialHdf5.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)
