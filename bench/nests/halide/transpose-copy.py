"""transpose-copy in Halide."""


def define(hl, sizes):
    A = hl.ImageParam(hl.Float(32), 2, "A")
    i, j = hl.Var("i"), hl.Var("j")
    B = hl.Func("B")
    B[i, j] = A[j, i]
    return A, B
