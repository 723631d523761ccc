# Install, configure, build and run the consumer; any failure fails the test.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=address,undefined")
endif()
file(REMOVE_RECURSE ${SCRATCH_DIR})
run(${CMAKE_COMMAND} --install ${PICUS_BINARY_DIR} --prefix ${SCRATCH_DIR}/prefix)
run(${SCRATCH_DIR}/prefix/bin/picus new ${SCRATCH_DIR}/cart --template equations)
run(${CMAKE_COMMAND} -S ${SCRATCH_DIR}/cart -B ${SCRATCH_DIR}/build -G Ninja
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
    -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_PREFIX_PATH=${SCRATCH_DIR}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH_DIR}/build)
run(${CMAKE_COMMAND} -E chdir ${SCRATCH_DIR}/build ./cart)
# the energy is kept, and the program reads the result
execute_process(COMMAND ${SCRATCH_DIR}/prefix/bin/picus export ${SCRATCH_DIR}/build/cart.h5 --csv -
                        --channels energy.total
                RESULT_VARIABLE result OUTPUT_VARIABLE table)
string(REGEX MATCHALL "\n5,-?[0-9.]+e-(0[6-9]|1[0-9])\n" last "${table}")
if(NOT result EQUAL 0 OR NOT last)
  message(FATAL_ERROR "the energy of cart.h5 is not kept:\n${table}")
endif()
