"""batch-matmul in Halide."""


def define(hl, sizes):
    A, B = hl.ImageParam(hl.Float(32), 3, "A"), hl.ImageParam(hl.Float(32), 3, "B")
    i, j, b = hl.Var("i"), hl.Var("j"), hl.Var("b")
    k = hl.RDom([(0, sizes["K"])], "k")
    C = hl.Func("C")
    C[j, i, b] = hl.f32(0)
    C[j, i, b] += A[k.x, i, b] * B[j, k.x, b]
    return A, B, C
