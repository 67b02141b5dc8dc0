"""conv2d-nchw in Halide."""


def define(hl, sizes):
    I, W = hl.ImageParam(hl.Float(32), 4, "I"), hl.ImageParam(hl.Float(32), 4, "W")
    x, y, f, b = hl.Var("x"), hl.Var("y"), hl.Var("f"), hl.Var("b")
    r = hl.RDom([(0, sizes["K"]), (0, sizes["K"]), (0, sizes["C"])], "r")
    O = hl.Func("O")
    O[x, y, f, b] = hl.f32(0)
    O[x, y, f, b] += I[2 * x + r.x, 2 * y + r.y, r.z, b] * W[r.x, r.y, r.z, f]
    return I, W, O
