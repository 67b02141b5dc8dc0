"""Prints a program of N nests that read and write one buffer: long.py N."""
import sys

count = int(sys.argv[1])
print("func.func @f(%A: memref<64xf32>) {")
for nest in range(count):
    print(f"affine.for %i = 0 to 32 {{ %a{nest} = affine.load %A[%i + {nest % 7}] : memref<64xf32>")
    print(f"affine.store %a{nest}, %A[%i floordiv {nest % 3 + 1}] : memref<64xf32> }}")
print("return }")
