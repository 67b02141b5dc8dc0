# How a room of Nestor is built: one static library NestorX from lib/X, with a
# precompiled header shared by all rooms (MLIR headers cost 10 s a file without).
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Without this, clang refuses a precompiled header that ccache kept from
  # another checkout. It must be set before the target that makes the header.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
add_library(NestorPCH OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(NestorPCH PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
target_compile_options(NestorPCH PRIVATE -fno-exceptions -frtti)
target_include_directories(NestorPCH SYSTEM PRIVATE ${NESTOR_ISL_INCLUDE_DIR})

# nestor_add_library(NAME SOURCES... [LINK libs...] [DEPENDS targets...])
function(nestor_add_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-exceptions -frtti)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  # Only for include paths, so that the flags equal those of the precompiled header.
  target_include_directories(${name} SYSTEM PRIVATE ${NESTOR_ISL_INCLUDE_DIR})
  target_precompile_headers(${name} REUSE_FROM NestorPCH)
  add_dependencies(${name} NestorTableGen ${ARG_DEPENDS})
endfunction()

# nestor_add_tool(NAME SOURCES... [LINK libs...])
function(nestor_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  # -fPIC instead of CMake's -fPIE: the flags must equal those of the
  # precompiled header.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fno-exceptions -frtti -fPIC)
  target_include_directories(${name} SYSTEM PRIVATE ${NESTOR_ISL_INCLUDE_DIR})
  target_precompile_headers(${name} REUSE_FROM NestorPCH)
  add_dependencies(${name} NestorTableGen)
  # isl stands first: see NestorDependencies.cmake.
  target_link_libraries(${name} PRIVATE ${NESTOR_ISL_LIBS} ${ARG_LINK}
    ${NESTOR_MLIR_LIBS})
  set_property(GLOBAL APPEND PROPERTY NESTOR_TEST_DEPENDS ${name})
endfunction()

# nestor_add_plugin(NAME SOURCES... [LINK libs...]): a plugin for mlir-opt,
# build/lib/NAME.so.
function(nestor_add_plugin name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  # The host brings the shared MLIR; a second, static copy of it would not know
  # the host's dialects.
  if(NOT TARGET MLIR)
    message(STATUS "${name} is not built: this LLVM has no shared libMLIR")
    return()
  endif()
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES PREFIX "")
  target_compile_options(${name} PRIVATE -fno-exceptions -frtti)
  target_include_directories(${name} SYSTEM PRIVATE ${NESTOR_ISL_INCLUDE_DIR})
  target_precompile_headers(${name} REUSE_FROM NestorPCH)
  add_dependencies(${name} NestorTableGen)
  target_link_libraries(${name} PRIVATE ${NESTOR_ISL_LIBS} ${ARG_LINK}
    ${NESTOR_MLIR_LIBS})
  # A missing symbol is an error here, not in the user's mlir-opt.
  target_link_options(${name} PRIVATE LINKER:-z,defs)
  set_property(GLOBAL APPEND PROPERTY NESTOR_TEST_DEPENDS ${name})
endfunction()

# nestor_add_unittest(NAME SOURCES... [LINK libs...]): a GoogleTest binary in
# build/unittests, run by check-nestor. NAME ends in Tests.
function(nestor_add_unittest name)
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "unit test '${name}': the name must end in Tests, by "
      "which lit finds it")
  endif()
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  nestor_add_tool(${name} ${ARG_UNPARSED_ARGUMENTS}
    LINK ${ARG_LINK} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
endfunction()
