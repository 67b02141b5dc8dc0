"""softmax in Halide."""


def define(hl, sizes):
    X = hl.ImageParam(hl.Float(32), 2, "X")
    i, j = hl.Var("i"), hl.Var("j")
    k = hl.RDom([(0, sizes["N"])], "k")
    largest, power, total, Y = (hl.Func(name) for name in
                                ("largest", "power", "total", "Y"))
    largest[i] = hl.f32(-3e38)
    largest[i] = hl.max(largest[i], X[k.x, i])
    power[j, i] = hl.exp(X[j, i] - largest[i])
    total[i] = hl.f32(0)
    total[i] += power[k.x, i]
    Y[j, i] = power[j, i] / total[i]
    return X, Y
