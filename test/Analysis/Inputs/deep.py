"""Prints a program of N nested loops or conditions: deep.py for|if N."""
import sys

kind, depth = sys.argv[1], int(sys.argv[2])
print("func.func @f(%A: memref<8xf32>, %x: f32, %c: i1) {")
for level in range(depth):
    print(f"affine.for %i{level} = 0 to 2 {{" if kind == "for" else "scf.if %c {")
print("affine.for %j = 0 to 8 { affine.store %x, %A[%j] : memref<8xf32> }")
print("}" * depth, "return", "}", sep="\n")
