"""IREE as a peer. SUITE/iree/PROGRAM.mlir.in is the program on tensors, with
${EXPR} for sizes; its first line names the positions of its inputs and outputs
among the program's arguments: // inputs 0 1 outputs 2"""

import re

import numpy
import protocol


def build(source, out, flags, sizes, arguments):
    from iree import compiler
    text = re.sub(r"\$\{([^}]*)\}", lambda m: str(int(eval(m[1], {}, sizes))),
                  open(source).read())
    module = compiler.compile_str(
        text, target_backends=["llvm-cpu"],
        extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
    with open(out, "wb") as file:
        file.write(text.splitlines()[0].encode() + b"\n" + module)


def prepare(out, arrays):
    from iree import runtime
    head, module = open(out, "rb").read().split(b"\n", 1)
    inputs, outputs = re.match(r"// inputs ([\d ]+) outputs ([\d ]+)",
                               head.decode()).groups()
    config = runtime.Config("local-sync" if protocol.threads() == 1
                            else "local-task")
    loaded = runtime.load_vm_module(runtime.VmModule.copy_buffer(
        config.vm_instance, module), config)
    kernel = loaded["kernel"]
    given = [runtime.asdevicearray(config.device, arrays[int(i)])
             for i in inputs.split()]
    results = []

    def call():
        results[:] = [kernel(*given)]

    def collect():
        values = results[0] if isinstance(results[0], tuple) else results
        for position, value in zip(outputs.split(), values):
            arrays[int(position)][...] = numpy.asarray(value)
    return call, collect


if __name__ == "__main__":
    protocol.main(build, prepare)
