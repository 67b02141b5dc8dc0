"""Prints a program whose stored value or subscript is a long expression.

    chain.py KIND N

N operations, each of which uses the one before: "sum" of floats, "between" two nests
for a bound, "index" of a memref.store; "double" is a subscript whose operations use the
one before twice, 2^N when it is written out.
"""
import sys

kind, length = sys.argv[1], int(sys.argv[2])


def chain(op, first, other, suffix):
    lines, last = [], first
    for k in range(length):
        lines.append(f"%s{k} = {op(last, other or last)} : {suffix}")
        last = f"%s{k}"
    return lines, last


def add(kind_of):
    return lambda a, b: f"arith.{kind_of} {a}, {b}"


print("func.func @f(%A: memref<64xf32>, %B: memref<64xf32>, %n: index, %x: f32) {")
print("affine.for %i = 0 to 64 { affine.store %x, %A[%i] : memref<64xf32> }")
if kind == "sum":
    lines, last = chain(add("addf"), "%y", "%y", "f32")
    print("affine.for %i = 0 to 64 {", "%y = affine.load %A[%i] : memref<64xf32>",
          *lines, f"affine.store {last}, %B[%i] : memref<64xf32>", "}", sep="\n")
elif kind == "between":
    lines, last = chain(add("addi"), "%n", "%n", "index")
    print(*lines, f"affine.for %i = 0 to {last} {{",
          "affine.store %x, %B[%i] : memref<64xf32>", "}", sep="\n")
else:
    if kind == "index":
        lines, last = chain(add("addi"), "%i", "%n", "index")
    else:
        lines, last = [], "%i"
        for k in range(length):
            lines.append(f"%s{k} = affine.apply affine_map<(d0, d1) -> "
                         f"((d0 + d1) floordiv 2)>({last}, {last})")
            last = f"%s{k}"
    print("affine.for %i = 0 to 64 {", *lines,
          f"memref.store %x, %B[{last}] : memref<64xf32>", "}", sep="\n")
print("return", "}", sep="\n")
