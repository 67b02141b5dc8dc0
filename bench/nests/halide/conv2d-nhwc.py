"""conv2d-nhwc in Halide."""


def define(hl, sizes):
    I, W = hl.ImageParam(hl.Float(32), 4, "I"), hl.ImageParam(hl.Float(32), 4, "W")
    f, x, y, b = hl.Var("f"), hl.Var("x"), hl.Var("y"), hl.Var("b")
    r = hl.RDom([(0, sizes["C"]), (0, sizes["K"]), (0, sizes["K"])], "r")
    O = hl.Func("O")
    O[f, x, y, b] = hl.f32(0)
    O[f, x, y, b] += I[r.x, 2 * x + r.y, 2 * y + r.z, b] * W[f, r.x, r.y, r.z]
    return I, W, O
