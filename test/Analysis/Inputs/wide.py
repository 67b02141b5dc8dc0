"""Prints one nest with N stores: wide.py KIND N.

They are to one array ("stores"), to one each ("arrays"), or to one in N loops ("loops");
or N values are carried by the loop ("carried"), or bound N inner loops ("bounds"), or N loops
one behind another ("nests").
"""
import sys

kind, count = sys.argv[1], int(sys.argv[2])

if kind == "carried":
    values = [f"%s{k}" for k in range(count)]
    types = ", ".join(["f32"] * count)
    print("func.func @f(%x: f32) -> f32 {")
    print(f"%r:{count} = affine.for %i = 0 to 64 iter_args(", end="")
    print(", ".join(f"{value} = %x" for value in values), f") -> ({types}) {{")
    print(f"affine.yield {', '.join(values[1:] + values[:1])} : {types}")
    print("}", "return %r#0 : f32", "}", sep="\n")
    sys.exit()

if kind in ("bounds", "nests"):
    bounds = ", ".join(f"%n{k}: index" for k in range(count))
    print(f"func.func @f(%x: f32, %A: memref<?xf32>, {bounds}) {{")
    if kind == "bounds":
        print("affine.for %i = 0 to 64 {")
    for k in range(count):
        print(f"affine.for %j = 0 to %n{k} {{ affine.store %x, %A[%j] : memref<?xf32> }}")
    print("}" if kind == "bounds" else "", "return", "}", sep="\n")
    sys.exit()

arrays = range(count if kind == "arrays" else 1)
print("func.func @f(%x: f32, ", ", ".join(f"%A{a}: memref<9999xf32>" for a in arrays), ") {")
print("affine.for %i = 0 to 64 {")
for k in range(count):
    if kind == "loops":
        print("affine.for %j = 0 to 64 { affine.store %x, %A0[%j] : memref<9999xf32> }")
    else:
        array = k if kind == "arrays" else 0
        print(f"affine.store %x, %A{array}[%i + {k}] : memref<9999xf32>")
print("}", "return", "}", sep="\n")
