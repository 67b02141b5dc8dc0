# Finds what Nestor stands on: MLIR and LLVM 22, and isl as shipped with Polly.
# A missing package is an error that names the Debian package to install.
if(NOT DEFINED MLIR_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/mlir)
  set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir)
endif()
if(POLICY CMP0219)
  cmake_policy(SET CMP0219 OLD)
endif()
find_package(MLIR CONFIG QUIET)
if(NOT MLIR_FOUND)
  message(FATAL_ERROR "MLIR 22 was not found: install the Debian packages "
    "libmlir-22-dev and mlir-22-tools, or pass -DMLIR_DIR=<prefix>/lib/cmake/mlir")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Nestor needs MLIR 22, but ${MLIR_DIR} is version "
    "${LLVM_VERSION}: pass -DMLIR_DIR=<prefix of an LLVM 22>/lib/cmake/mlir")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

# isl with its exception-free C++ bindings comes with Polly. libPollyISL.a must
# precede LLVM on every link line: libLLVM.so exports isl symbols of another
# version, which would win silently.
get_filename_component(NESTOR_LLVM_LIBDIR "${LLVM_LIBRARY_DIR}" ABSOLUTE)
find_library(NESTOR_POLLYISL PollyISL HINTS ${NESTOR_LLVM_LIBDIR} NO_DEFAULT_PATH)
find_path(NESTOR_ISL_INCLUDE_DIR isl/isl-noexceptions.h
  HINTS ${LLVM_INCLUDE_DIRS}/polly ${NESTOR_LLVM_LIBDIR}/../include/polly
  NO_DEFAULT_PATH)
if(NOT NESTOR_POLLYISL OR NOT NESTOR_ISL_INCLUDE_DIR)
  message(FATAL_ERROR "isl (libPollyISL.a and isl-noexceptions.h) was not found "
    "beside LLVM: install the Debian package libpolly-22-dev")
endif()
set(NESTOR_ISL_LIBS ${NESTOR_POLLYISL} "-Wl,--exclude-libs,libPollyISL.a")

# The shared libraries of Debian, as mlir-opt itself uses them; static archives
# only for an LLVM built without them.
if(TARGET MLIR)
  set(NESTOR_MLIR_LIBS MLIR LLVM)
else()
  get_property(dialect_libs GLOBAL PROPERTY MLIR_DIALECT_LIBS)
  get_property(conversion_libs GLOBAL PROPERTY MLIR_CONVERSION_LIBS)
  get_property(extension_libs GLOBAL PROPERTY MLIR_EXTENSION_LIBS)
  set(NESTOR_MLIR_LIBS ${dialect_libs} ${conversion_libs} ${extension_libs}
    MLIROptLib MLIRExecutionEngine)
endif()

find_program(NESTOR_CCACHE ccache)
if(NESTOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${NESTOR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${NESTOR_CCACHE})
endif()
