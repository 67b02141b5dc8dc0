# How a room of Nestor is built: one static library NestorX from lib/X, with a
# precompiled header shared by all rooms (MLIR headers cost 10 s a file without).
add_library(NestorPCH OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(NestorPCH PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
target_compile_options(NestorPCH PRIVATE -fno-exceptions -frtti)
target_include_directories(NestorPCH SYSTEM PRIVATE ${NESTOR_ISL_INCLUDE_DIR})
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # Lets ccache reuse the precompiled header.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

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
endfunction()
