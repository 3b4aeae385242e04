# What --version and every result file say of this build.
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE RIDGE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
list(JOIN RIDGE_ARCHITECTURES " " RIDGE_ARCHITECTURE_LIST)
set(RIDGE_TOOLKIT "")
if(RIDGE_CUDA)
  set(RIDGE_TOOLKIT "${CUDAToolkit_VERSION}")
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/version.c CONTENT
"/* Made by the build. */
#include \"harness/base/version.h\"
const char *const version_number = \"${PROJECT_VERSION}\";
const char *const version_commit = \"${RIDGE_COMMIT}\";
const char *const version_toolkit = \"${RIDGE_TOOLKIT}\";
const char *const version_architectures = \"${RIDGE_ARCHITECTURE_LIST}\";
" @ONLY)
target_sources(ridge_base PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/version.c)
