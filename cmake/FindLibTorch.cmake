# Finds LibTorch and defines the target LibTorch::LibTorch.
#
# Why not LibTorch's own find_package(Torch): in a CUDA build it fails without a
# CUDA toolkit. Only the two libraries that run on the CPU are needed, so only
# they are looked for, and the CPU wheel, a CUDA wheel and a LibTorch zip all do.
#
# Input:  LIBTORCH_DIR, the folder that holds lib/libtorch_cpu.so (an unpacked
#         LibTorch, or site-packages/torch); by default the environment variable
#         NESTOR_LIBTORCH_DIR, then the torch package of <source>/.venv.
# Output: LibTorch_FOUND, LibTorch_VERSION, LibTorch_ROOT, LibTorch::LibTorch.
set(LIBTORCH_DIR "" CACHE PATH
  "Folder of LibTorch 2.x, or of the torch package (default: that of .venv)")

set(LibTorch_ROOT "${LIBTORCH_DIR}")
if(NOT LibTorch_ROOT AND DEFINED ENV{NESTOR_LIBTORCH_DIR})
  set(LibTorch_ROOT "$ENV{NESTOR_LIBTORCH_DIR}")
endif()
if(NOT LibTorch_ROOT)
  file(GLOB torch_packages
    ${CMAKE_CURRENT_LIST_DIR}/../.venv/lib/python3*/site-packages/torch)
  list(POP_BACK torch_packages LibTorch_ROOT)
endif()
if(LibTorch_ROOT)
  get_filename_component(LibTorch_ROOT "${LibTorch_ROOT}" ABSOLUTE)
endif()

# Looked for anew each time: LIBTORCH_DIR may have changed since the last run.
unset(LibTorch_CPU_LIBRARY CACHE)
unset(LibTorch_C10_LIBRARY CACHE)
unset(LibTorch_INCLUDE_DIR CACHE)
find_library(LibTorch_CPU_LIBRARY torch_cpu
  PATHS "${LibTorch_ROOT}/lib" NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10
  PATHS "${LibTorch_ROOT}/lib" NO_DEFAULT_PATH)
find_path(LibTorch_INCLUDE_DIR torch/csrc/api/include/torch/torch.h
  PATHS "${LibTorch_ROOT}/include" NO_DEFAULT_PATH)
mark_as_advanced(LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR)

# The version stands in a header whose place has changed over the releases.
set(LibTorch_VERSION "")
if(LibTorch_INCLUDE_DIR)
  foreach(header torch/headeronly/version.h
                 torch/csrc/api/include/torch/version.h)
    if(NOT LibTorch_VERSION AND EXISTS ${LibTorch_INCLUDE_DIR}/${header})
      file(STRINGS ${LibTorch_INCLUDE_DIR}/${header} lines
        REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
      list(TRANSFORM lines REPLACE "^.* ([0-9]+).*$" "\\1")
      list(JOIN lines "." LibTorch_VERSION)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION)

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  foreach(lib cpu c10)
    string(TOUPPER ${lib} upper)
    add_library(LibTorch::${lib} SHARED IMPORTED)
    # A full path to a shared library also becomes a build rpath.
    set_target_properties(LibTorch::${lib} PROPERTIES
      IMPORTED_LOCATION ${LibTorch_${upper}_LIBRARY}
      IMPORTED_NO_SONAME OFF)
  endforeach()
  # Old wheels were built with the string layout of before C++11; they say so.
  set(LibTorch_CXX11_ABI 1)
  set(torch_config ${LibTorch_ROOT}/share/cmake/Torch/TorchConfig.cmake)
  if(EXISTS ${torch_config})
    file(STRINGS ${torch_config} old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
    if(old_abi)
      set(LibTorch_CXX11_ABI 0)
    endif()
  endif()
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  set_target_properties(LibTorch::LibTorch PROPERTIES
    INTERFACE_LINK_LIBRARIES "LibTorch::cpu;LibTorch::c10"
    INTERFACE_INCLUDE_DIRECTORIES
      "${LibTorch_INCLUDE_DIR};${LibTorch_INCLUDE_DIR}/torch/csrc/api/include"
    INTERFACE_COMPILE_DEFINITIONS
      "_GLIBCXX_USE_CXX11_ABI=${LibTorch_CXX11_ABI}"
    # The CUDA wheel's libtorch_cpu.so needs NVIDIA libraries that it finds at
    # run time by its own rpath; the linker need not find them.
    INTERFACE_LINK_OPTIONS "LINKER:--allow-shlib-undefined")
endif()
