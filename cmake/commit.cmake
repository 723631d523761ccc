# The commit that the program is made of: one tiny source of the program alone, so that a commit
# compiles nothing else. As a script it writes that source, if its text has changed.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(PICUS_COMMIT_SOURCE ${PROJECT_BINARY_DIR}/generated/commit.cpp)
  find_package(Git QUIET)
  add_custom_target(picus_commit
    COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DOUTPUT=${PICUS_COMMIT_SOURCE} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${PICUS_COMMIT_SOURCE}
    COMMENT "Looking up the commit")
  return()
endif()

set(commit "")
# a tarball of git archive, or of a hosting site: git has put the commit into this file
file(STRINGS ${SOURCE}/cmake/commit.txt archived REGEX "^commit: [0-9a-f]+")
if(archived)
  string(REGEX REPLACE "^commit: " "" commit "${archived}")
elseif(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=9
                  WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
string(REGEX REPLACE "[^-+.A-Za-z0-9_/]" "" commit "${commit}")  # it becomes C++

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// SPDX-License-Identifier: BSD-3-Clause
// Written by cmake/commit.cmake.
#include "apps/picus/commit.h"

namespace picus::app {

std::string_view commit() {
  return "@commit@";
}

}  // namespace picus::app
]])
