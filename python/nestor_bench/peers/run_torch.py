"""PyTorch as a peer. SUITE/torch/PROGRAM.py has a function prepare, which gets
the program's arguments as tensors and returns what is to be timed."""

import numpy
import protocol
import torch


def build(source, out, flags, sizes, arguments):
    text = open(source).read()
    compile(text, source, "exec")
    with open(out, "w") as file:
        file.write(f"# PyTorch {torch.__version__}\n{text}")


def prepare(out, arrays):
    torch.set_num_threads(protocol.threads())
    torch.set_grad_enabled(False)
    scope = {}
    exec(compile(open(out).read(), out, "exec"), scope)
    call = scope["prepare"](*(torch.from_numpy(a) if isinstance(a, numpy.ndarray)
                              else float(a) for a in arrays))
    return call, lambda: None


if __name__ == "__main__":
    protocol.main(build, prepare)
