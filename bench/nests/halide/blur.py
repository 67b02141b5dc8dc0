"""blur in Halide."""


def define(hl, sizes):
    I = hl.ImageParam(hl.Float(32), 2, "I")
    x, y = hl.Var("x"), hl.Var("y")
    third = hl.f32(0.333333343)
    T, O = hl.Func("T"), hl.Func("O")
    T[x, y] = (I[x, y] + I[x + 1, y] + I[x + 2, y]) * third
    O[x, y] = (T[x, y] + T[x, y + 1] + T[x, y + 2]) * third
    # T is an argument of the program, but no result of it: here it stays inside.
    return I, None, O
