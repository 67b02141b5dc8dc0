# Finds what Nestor stands on: MLIR and LLVM 22, isl as shipped with Polly,
# SQLite, nlohmann/json, GoogleTest and LibTorch. A missing one is an error that
# names the Debian package (or the pip command) to install.
option(NESTOR_ENABLE_MODEL "Build the learned cost model (needs LibTorch)" ON)
option(NESTOR_ENABLE_TESTS "Build the tests (needs GoogleTest, lit, FileCheck)" ON)

# Another LLVM 22 than Debian's: -DMLIR_DIR=<prefix>/lib/cmake/mlir
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

# isl with its exception-free C++ bindings comes with Polly. Its symbols must be
# bound before LLVM's on every link line: libLLVM.so exports isl symbols of
# another version, which would win silently.
get_filename_component(NESTOR_LLVM_LIBDIR "${LLVM_LIBRARY_DIR}" ABSOLUTE)
find_library(NESTOR_POLLYISL PollyISL HINTS ${NESTOR_LLVM_LIBDIR} NO_DEFAULT_PATH)
find_path(NESTOR_ISL_INCLUDE_DIR isl/isl-noexceptions.h
  HINTS ${LLVM_INCLUDE_DIRS}/polly ${NESTOR_LLVM_LIBDIR}/../include/polly
  NO_DEFAULT_PATH)
if(NOT NESTOR_POLLYISL OR NOT NESTOR_ISL_INCLUDE_DIR)
  message(FATAL_ERROR "isl (libPollyISL.a and isl-noexceptions.h) was not found "
    "beside LLVM: install the Debian package libpolly-22-dev")
endif()
# Whole: a static library that CMake puts behind LLVM (a dependency of a room)
# would find libLLVM's isl first. The linker drops the functions nobody uses.
set(NESTOR_ISL_LIBS
  "-Wl,--whole-archive,${NESTOR_POLLYISL},--no-whole-archive"
  "-Wl,--exclude-libs,libPollyISL.a" "-Wl,--gc-sections")

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

find_package(SQLite3 QUIET)
if(NOT SQLite3_FOUND)
  message(FATAL_ERROR
    "SQLite 3 was not found: install the Debian package libsqlite3-dev")
endif()
find_package(nlohmann_json 3.10 CONFIG QUIET)
if(NOT nlohmann_json_FOUND)
  message(FATAL_ERROR "nlohmann/json 3.10 or later was not found: install the "
    "Debian package nlohmann-json3-dev")
endif()

if(NESTOR_ENABLE_TESTS)
  find_package(GTest CONFIG QUIET)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "GoogleTest was not found: install the Debian package "
      "libgtest-dev, or pass -DNESTOR_ENABLE_TESTS=OFF")
  endif()
  find_program(NESTOR_LIT NAMES lit llvm-lit
    HINTS ${LLVM_TOOLS_BINARY_DIR} DOC "The test runner lit")
  find_program(NESTOR_FILECHECK FileCheck
    HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
  if(NOT NESTOR_LIT OR NOT NESTOR_FILECHECK)
    message(FATAL_ERROR "lit and FileCheck were not found: install the Debian "
      "package llvm-22-tools (or 'pip install lit' and pass -DNESTOR_LIT=<lit>), "
      "or pass -DNESTOR_ENABLE_TESTS=OFF")
  endif()
endif()

# Only the Model room uses it; see FindLibTorch.cmake for LIBTORCH_DIR.
if(NESTOR_ENABLE_MODEL)
  find_package(LibTorch 2.0 QUIET)
  if(NOT LibTorch_FOUND)
    message(FATAL_ERROR "LibTorch 2.x was not found in '${LibTorch_ROOT}': run "
      "'python3 -m venv .venv && .venv/bin/pip install torch==2.13.0' in "
      "${CMAKE_SOURCE_DIR}, or pass -DLIBTORCH_DIR=<unpacked LibTorch, or "
      "site-packages/torch>, or build without the learned cost model: "
      "-DNESTOR_ENABLE_MODEL=OFF")
  endif()
  message(STATUS "LibTorch ${LibTorch_VERSION}: ${LibTorch_ROOT}")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION}: ${MLIR_DIR}")

find_program(NESTOR_CCACHE ccache)
if(NESTOR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${NESTOR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    ${NESTOR_CCACHE})
endif()
