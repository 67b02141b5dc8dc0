"""matmul-odd in Halide."""


def define(hl, sizes):
    A, B = hl.ImageParam(hl.Float(32), 2, "A"), hl.ImageParam(hl.Float(32), 2, "B")
    i, j = hl.Var("i"), hl.Var("j")
    k = hl.RDom([(0, sizes["K"])], "k")
    C = hl.Func("C")
    C[j, i] = hl.f32(0)
    C[j, i] += A[k.x, i] * B[j, k.x]
    return A, B, C
