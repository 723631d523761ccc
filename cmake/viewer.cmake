# The page of runs: TypeScript in viewer/, made one HTML file by Vite and built into the program.
# Without Node.js the program builds all the same, and `picus report` says what is missing.
option(PICUS_VIEWER "Build the page of runs (needs Node.js 18 and npm)" ON)
find_program(PICUS_NODE node)
find_program(PICUS_NPM npm)

set(PICUS_VIEWER_SOURCES ${PROJECT_SOURCE_DIR}/viewer)
set(PICUS_RUN_PAGE ${PROJECT_BINARY_DIR}/viewer/index.html)

if(PICUS_NODE)
  execute_process(COMMAND ${PICUS_NODE} --version OUTPUT_VARIABLE node_version ERROR_QUIET)
  string(REGEX MATCH "[0-9]+[.0-9]*" node_version "${node_version}")
endif()

if(PICUS_VIEWER AND PICUS_NPM AND node_version VERSION_GREATER_EQUAL 18)
  set(PICUS_HAS_VIEWER TRUE)
  # npm writes this file last
  set(installed ${PICUS_VIEWER_SOURCES}/node_modules/.package-lock.json)
  add_custom_command(
    OUTPUT ${installed}
    COMMAND ${PICUS_NPM} ci --silent --no-audit --no-fund --ignore-scripts
    COMMAND ${CMAKE_COMMAND} -E touch ${installed}
    DEPENDS ${PICUS_VIEWER_SOURCES}/package.json ${PICUS_VIEWER_SOURCES}/package-lock.json
    WORKING_DIRECTORY ${PICUS_VIEWER_SOURCES}
    COMMENT "Installing the libraries of the viewer")
  file(GLOB viewer_files CONFIGURE_DEPENDS ${PICUS_VIEWER_SOURCES}/src/*.ts
       ${PICUS_VIEWER_SOURCES}/src/*.css ${PICUS_VIEWER_SOURCES}/*.ts
       ${PICUS_VIEWER_SOURCES}/*.json ${PICUS_VIEWER_SOURCES}/index.html)
  add_custom_command(
    OUTPUT ${PICUS_RUN_PAGE}
    COMMAND ${PICUS_NODE} node_modules/typescript/bin/tsc --noEmit
    COMMAND ${PICUS_NODE} node_modules/vite/bin/vite.js build --logLevel warn
            --outDir ${PROJECT_BINARY_DIR}/viewer --emptyOutDir
    DEPENDS ${viewer_files} ${installed}
    WORKING_DIRECTORY ${PICUS_VIEWER_SOURCES}
    COMMENT "Building the page of runs")
else()
  set(PICUS_HAS_VIEWER FALSE)
  message(STATUS "No Node.js 18 with npm, or PICUS_VIEWER is off: 'picus report' has no page of runs")
  file(CONFIGURE OUTPUT ${PICUS_RUN_PAGE} CONTENT "")
endif()
add_custom_target(picus_viewer DEPENDS ${PICUS_RUN_PAGE})
