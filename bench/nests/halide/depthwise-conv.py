"""depthwise-conv in Halide."""


def define(hl, sizes):
    I, W = hl.ImageParam(hl.Float(32), 4, "I"), hl.ImageParam(hl.Float(32), 3, "W")
    c, x, y, b = hl.Var("c"), hl.Var("x"), hl.Var("y"), hl.Var("b")
    r = hl.RDom([(0, sizes["K"]), (0, sizes["K"])], "r")
    O = hl.Func("O")
    O[c, x, y, b] = hl.f32(0)
    O[c, x, y, b] += I[c, x + r.x, y + r.y, b] * W[c, r.x, r.y]
    return I, W, O
