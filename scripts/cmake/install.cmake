# Where the program finds its shared libraries, `cmake --install`, and the relocatable tarball (cpack).
#
# RUNPATH: the libraries packed beside the program first, then the runtime it was built with (ridge_cudart
# adds that, since CMake writes none for a folder that it takes for the system's).
include(GNUInstallDirs)
set_target_properties(ridge PROPERTIES SKIP_BUILD_RPATH OFF BUILD_WITH_INSTALL_RPATH ON
  INSTALL_RPATH "$ORIGIN/../lib")

# What every Linux has, and what must fit the driver or the system, stays outside.
install(TARGETS ridge
  RUNTIME_DEPENDENCIES
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so" "^libcuda\\.so" "^libnvidia" "^libcublas"
    POST_EXCLUDE_REGEXES "virtual_card"
    DIRECTORIES ${CUDAToolkit_LIBRARY_DIR}
  RUNTIME DESTINATION bin
  LIBRARY DESTINATION lib)
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES results/schema.json results/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/ridge)
install(FILES results/datasheets/cards.csv results/datasheets/cards.md
  DESTINATION ${CMAKE_INSTALL_DATADIR}/ridge/datasheets)

# A packed library looks for its own needs beside itself: RUNPATH, unlike RPATH, is not inherited.
find_program(PATCHELF patchelf)
set(patchelf_program ${PATCHELF})
install(CODE "set(patchelf \"${patchelf_program}\")")
install(CODE [[
  file(GLOB packed "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/*.so*")
  if(NOT patchelf)
    message(WARNING "patchelf is missing: the libraries in lib/ find each other only where the system has them")
  else()
    foreach(library IN LISTS packed)
      if(NOT IS_SYMLINK ${library})
        execute_process(COMMAND ${patchelf} --set-rpath $ORIGIN ${library} COMMAND_ERROR_IS_FATAL ANY)
      endif()
    endforeach()
  endif()
]])

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME ridge)
set(CPACK_PACKAGE_FILE_NAME ridge-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
