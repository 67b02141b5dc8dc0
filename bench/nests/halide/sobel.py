"""sobel in Halide."""


def define(hl, sizes):
    I = hl.ImageParam(hl.Float(32), 2, "I")
    x, y = hl.Var("x"), hl.Var("y")
    gx, gy, O = hl.Func("gx"), hl.Func("gy"), hl.Func("O")
    gx[x, y] = (I[x + 2, y] - I[x, y] + 2 * (I[x + 2, y + 1] - I[x, y + 1])
                + I[x + 2, y + 2] - I[x, y + 2])
    gy[x, y] = (I[x, y + 2] - I[x, y] + 2 * (I[x + 1, y + 2] - I[x + 1, y])
                + I[x + 2, y + 2] - I[x + 2, y])
    O[x, y] = hl.sqrt(gx[x, y] * gx[x, y] + gy[x, y] * gy[x, y])
    # The gradients are arguments of the program, but no results of it.
    return I, None, None, O
