# The lit suite of everything that can be seen in IR or on a command line.
#
# Expected results must not depend on the machine that runs the tests: a test
# names its target descriptor and seed, and never checks a measured time.
import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "Nestor"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.nestor_obj_root, "test")

nestor_bin = os.path.join(config.nestor_obj_root, "bin")
nestor_lib = os.path.join(config.nestor_obj_root, "lib")
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
# One thread, also in libraries that have pools of their own.
llvm_config.with_environment("OMP_NUM_THREADS", "1")

config.substitutions += [
    ("%nestor_src", config.nestor_src_root),
    ("%nestor_obj", config.nestor_obj_root),
    ("%nestor_bin", nestor_bin),
    ("%nestor_plugin", os.path.join(nestor_lib, "NestorPlugin.so")),
    ("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%mlir_runner", os.path.join(config.llvm_tools_dir, "mlir-runner")),
    ("%mlir_lib_dir", config.llvm_lib_dir),
    ("%python", config.python),
    ("%cmake", config.cmake),
    ("%cxx_compiler", config.cxx_compiler),
    ("%c_compiler", config.c_compiler),
]

# Every tool that tools/ builds, by its name alone.
tools_src = os.path.join(config.nestor_src_root, "tools")
tools = sorted(d for d in os.listdir(tools_src) if d.startswith("nestor-"))
llvm_config.add_tool_substitutions(
    [ToolSubst(t, unresolved="ignore") for t in tools]
    + ["FileCheck", "not", "count", "split-file"],
    [nestor_bin, config.llvm_tools_dir],
)

# A test that needs the learned model says "REQUIRES: model".
if config.enable_model:
    config.available_features.add("model")
if config.have_plugin:
    config.available_features.add("plugin")
