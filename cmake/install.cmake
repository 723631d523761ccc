# `cmake --install` puts the program and a package that find_package(picus) understands.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# the program, with manual pages, completion of commands and the models
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS picus_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PICUS_SHARE}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${PICUS_SHARE}/picus.bash RENAME picus
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PICUS_SHARE}/_picus DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PICUS_SHARE}/picus.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/picus)
install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# the library
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
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

include(cmake/package.cmake)
