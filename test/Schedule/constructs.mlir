// Constructs beyond affine loops, loads, stores and conditions: schedules keep the
// results, bit for bit.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/compare_each.py %nestor_bin/nestor-opt %nestor_bin/nestor-measure %t 2 > %t.log
// RUN: FileCheck %s < %t.log
// CHECK: casts: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: condread: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: condstore: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: 'scf.if' is moved and copied as a whole; affine ops in its place can be scheduled one by one [kept-whole]
// CHECK: extended: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: 'arith.mului_extended' is moved and copied as a whole; affine ops in its place can be scheduled one by one [kept-whole]
// CHECK: gather: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: global_twice: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: histogram: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: 'memref.store' is moved and copied as a whole; affine ops in its place can be scheduled one by one [kept-whole]
// CHECK: ifres: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: kinds: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: memrefops: same, {{[0-9]}} of 2 random schedules reorder
// CHECK: outer_scf: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: overlapping: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: parallel: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: 'affine.parallel' is moved and copied as a whole; affine ops in its place can be scheduled one by one [kept-whole]
// CHECK: parts: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: spmv: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: strided: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: toparith: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: topload: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: transposed: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: whole: same, {{[1-9]}} of 2 random schedules reorder
// CHECK: 'memref.copy' is moved and copied as a whole; affine ops in its place can be scheduled one by one [kept-whole]

//--- condread.mlir
func.func @condread(%A: memref<20x20xi32>, %B: memref<20x20xi32>, %C: memref<20x20xi32>) {
  %c3 = arith.constant 3 : i32
  affine.for %i = 1 to 19 {
    affine.for %j = 1 to 19 {
      %a = affine.load %A[%j, %i] : memref<20x20xi32>
      %p = arith.cmpi slt, %a, %c3 : i32
      %v = scf.if %p -> i32 {
        %x = affine.load %B[%i - 1, %j + 1] : memref<20x20xi32>
        scf.yield %x : i32
      } else {
        %y = affine.load %B[%i, %j - 1] : memref<20x20xi32>
        %z = arith.addi %y, %a : i32
        scf.yield %z : i32
      }
      affine.store %v, %B[%i, %j] : memref<20x20xi32>
      affine.store %v, %C[%j, %i] : memref<20x20xi32>
    }
  }
  return
}
//--- ifres.mlir
func.func @ifres(%A: memref<20x20xf32>, %B: memref<20x20xf32>) {
  affine.for %i = 1 to 19 {
    affine.for %j = 1 to 19 {
      %v = affine.if affine_set<(d0, d1) : (d0 - d1 - 2 >= 0)>(%i, %j) -> f32 {
        %x = affine.load %A[%i - 1, %j + 1] : memref<20x20xf32>
        affine.yield %x : f32
      } else {
        %y = affine.load %A[%j, %i] : memref<20x20xf32>
        affine.yield %y : f32
      }
      %w = arith.addf %v, %v : f32
      affine.store %w, %A[%i, %j] : memref<20x20xf32>
      affine.store %v, %B[%j, %i] : memref<20x20xf32>
    }
  }
  return
}
//--- gather.mlir
func.func @gather(%A: memref<20x20xi32>, %B: memref<20x20xi32>, %C: memref<20x20xi32>) {
  %c20 = arith.constant 20 : i32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %a = affine.load %A[%j, %i] : memref<20x20xi32>
      %m = arith.remui %a, %c20 : i32
      %k = arith.index_cast %m : i32 to index
      %b = memref.load %B[%i, %k] : memref<20x20xi32>
      %s = arith.addi %b, %a : i32
      affine.store %s, %C[%j, %i] : memref<20x20xi32>
      affine.store %s, %B[%i, %j] : memref<20x20xi32>
    }
  }
  return
}
//--- histogram.mlir
func.func @histogram(%A: memref<20x20xi32>, %H: memref<20x16xi32>, %C: memref<20x20xi32>) {
  %c16 = arith.constant 16 : i32
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %a = affine.load %A[%i, %j] : memref<20x20xi32>
      %m = arith.remui %a, %c16 : i32
      %k = arith.index_cast %m : i32 to index
      %b = memref.load %H[%i, %k] : memref<20x16xi32>
      %s = arith.muli %b, %a : i32
      %t = arith.addi %s, %c1 : i32
      memref.store %t, %H[%i, %k] : memref<20x16xi32>
      affine.store %t, %C[%j, %i] : memref<20x20xi32>
    }
  }
  return
}
//--- memrefops.mlir
func.func @memrefops(%A: memref<20x20xf32>, %B: memref<20x20xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 19 {
    affine.for %j = 0 to 19 {
      %i1 = arith.addi %i, %c1 : index
      %a = memref.load %A[%j, %i1] : memref<20x20xf32>
      %b = memref.load %B[%i, %j] : memref<20x20xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %B[%i, %j] : memref<20x20xf32>
      memref.store %s, %A[%j, %i] : memref<20x20xf32>
    }
  }
  return
}
//--- spmv.mlir
func.func @spmv(%row: memref<21xi32>, %col: memref<64xi32>, %val: memref<64xf32>, %x: memref<20xf32>, %y: memref<20xf32>, %z: memref<20x20xf32>) {
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : i32
  %c9 = arith.constant 9 : i32
  %f0 = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    %lo0 = affine.load %row[%i] : memref<21xi32>
    %hi0 = affine.load %row[%i + 1] : memref<21xi32>
    %lo1 = arith.remui %lo0, %c9 : i32
    %hi1 = arith.remui %hi0, %c20 : i32
    %lo = arith.index_cast %lo1 : i32 to index
    %hi = arith.index_cast %hi1 : i32 to index
    %s = scf.for %k = %lo to %hi step %c1 iter_args(%acc = %f0) -> f32 {
      %cc = memref.load %col[%k] : memref<64xi32>
      %c = arith.remui %cc, %c20 : i32
      %ci = arith.index_cast %c : i32 to index
      %v = memref.load %val[%k] : memref<64xf32>
      %xx = memref.load %x[%ci] : memref<20xf32>
      %p = arith.mulf %v, %xx : f32
      %t = arith.addf %acc, %p : f32
      scf.yield %t : f32
    }
    affine.for %j = 0 to 20 {
      %q = affine.load %z[%j, %i] : memref<20x20xf32>
      %w = arith.addf %q, %s : f32
      affine.store %w, %z[%j, %i] : memref<20x20xf32>
    }
    affine.store %s, %y[%i] : memref<20xf32>
  }
  return
}
//--- extended.mlir
func.func @extended(%A: memref<20x20xi32>, %B: memref<20x20xi32>, %C: memref<20x20xi32>) {
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %a = affine.load %A[%j, %i] : memref<20x20xi32>
      %lo, %hi = arith.mului_extended %a, %a : i32
      affine.store %hi, %B[%j, %i] : memref<20x20xi32>
      affine.store %lo, %C[%j, %i] : memref<20x20xi32>
    }
  }
  return
}
//--- whole.mlir
func.func @whole(%A: memref<20x20xf32>, %B: memref<20xf32>, %C: memref<20xf32>, %D: memref<20x20xf32>) {
  %f = arith.constant 1.5 : f32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 20 {
      %a = affine.load %A[%j, %i] : memref<20x20xf32>
      affine.store %a, %B[%j] : memref<20xf32>
    }
    memref.copy %B, %C : memref<20xf32> to memref<20xf32>
    affine.for %j = 0 to 20 {
      %a = affine.load %C[%j] : memref<20xf32>
      %b = arith.addf %a, %f : f32
      affine.store %b, %D[%j, %i] : memref<20x20xf32>
    }
  }
  return
}
//--- condstore.mlir
func.func @condstore(%A: memref<20x20xi32>, %B: memref<20x20xi32>) {
  %c3 = arith.constant 3 : i32
  affine.for %i = 1 to 19 {
    affine.for %j = 1 to 19 {
      %a = affine.load %A[%j, %i] : memref<20x20xi32>
      %p = arith.cmpi slt, %a, %c3 : i32
      scf.if %p {
        %x = affine.load %B[%i - 1, %j + 1] : memref<20x20xi32>
        affine.store %x, %B[%i, %j] : memref<20x20xi32>
      }
    }
  }
  return
}
//--- parallel.mlir
func.func @parallel(%A: memref<20x20xi32>, %B: memref<20x20xi32>) {
  affine.for %i = 1 to 19 {
    affine.parallel (%j, %k) = (0, 0) to (20, 2) {
      %a = affine.load %A[%j, %i] : memref<20x20xi32>
      affine.store %a, %B[%j, %i * 0 + %k] : memref<20x20xi32>
    }
    affine.for %j = 0 to 20 {
      %a = affine.load %A[%i, %j] : memref<20x20xi32>
      affine.store %a, %A[%i - 1, %j] : memref<20x20xi32>
    }
  }
  return
}
//--- strided.mlir
func.func @strided(%A: memref<24x24xf32>, %B: memref<24x24xf32>) {
  %a = memref.subview %A[2, 2] [20, 20] [1, 1] : memref<24x24xf32> to memref<20x20xf32, strided<[24, 1], offset: 50>>
  %b = memref.subview %B[1, 1] [10, 10] [2, 2] : memref<24x24xf32> to memref<10x10xf32, strided<[48, 2], offset: 25>>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %x = affine.load %a[%j * 2, %i] : memref<20x20xf32, strided<[24, 1], offset: 50>>
      %y = affine.load %b[%i, %j] : memref<10x10xf32, strided<[48, 2], offset: 25>>
      %z = arith.addf %x, %y : f32
      affine.store %z, %b[%i, %j] : memref<10x10xf32, strided<[48, 2], offset: 25>>
    }
  }
  return
}
//--- parts.mlir
func.func @parts(%A: memref<24x24xf32>, %n: index {nestor.value = 12 : index}) {
  %a = memref.subview %A[0, 0] [12, 24] [1, 1] : memref<24x24xf32> to memref<12x24xf32, strided<[24, 1]>>
  %b = memref.subview %A[%n, 0] [12, 24] [1, 1] : memref<24x24xf32> to memref<12x24xf32, strided<[24, 1], offset: ?>>
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 12 {
      %x = affine.load %a[%j, %i] : memref<12x24xf32, strided<[24, 1]>>
      %z = arith.addf %x, %x : f32
      affine.store %z, %b[%j, %i] : memref<12x24xf32, strided<[24, 1], offset: ?>>
    }
  }
  return
}
//--- overlapping.mlir
func.func @overlapping(%A: memref<24x24xf32>, %n: index {nestor.value = 6 : index}) {
  %a = memref.subview %A[0, 0] [12, 24] [1, 1] : memref<24x24xf32> to memref<12x24xf32, strided<[24, 1]>>
  %b = memref.subview %A[%n, 0] [12, 24] [1, 1] : memref<24x24xf32> to memref<12x24xf32, strided<[24, 1], offset: ?>>
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 12 {
      %x = affine.load %a[%j, %i] : memref<12x24xf32, strided<[24, 1]>>
      %z = arith.addf %x, %x : f32
      affine.store %z, %b[%j, %i] : memref<12x24xf32, strided<[24, 1], offset: ?>>
    }
  }
  return
}
//--- transposed.mlir
func.func @transposed(%B: memref<12x24xf32>) {
  %A = memref.alloc() : memref<24x12xf32>
  %T = memref.transpose %A (i, j) -> (j, i) : memref<24x12xf32> to memref<12x24xf32, strided<[1, 12]>>
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 12 {
      %x = affine.load %B[%j, %i] : memref<12x24xf32>
      affine.store %x, %T[%j, %i] : memref<12x24xf32, strided<[1, 12]>>
    }
  }
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 12 {
      %x = affine.load %T[11 - %j, %i] : memref<12x24xf32, strided<[1, 12]>>
      affine.store %x, %B[%j, %i] : memref<12x24xf32>
    }
  }
  memref.dealloc %A : memref<24x12xf32>
  return
}
//--- kinds.mlir
func.func @kinds(%A: memref<12x24xi1>, %B: memref<12x24xi8>, %C: memref<12x24xf16>, %D: memref<12x24xbf16>, %E: memref<12x24xindex>, %I: memref<12x24xindex>) {
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 12 {
      %b = affine.load %B[11 - %j, %i] : memref<12x24xi8>
      affine.store %b, %B[%j, %i] : memref<12x24xi8>
      %c = affine.load %C[%j, %i] : memref<12x24xf16>
      %c2 = arith.addf %c, %c : f16
      affine.store %c2, %C[%j, %i] : memref<12x24xf16>
      %d = affine.load %D[%j, %i] : memref<12x24xbf16>
      affine.store %d, %D[11 - %j, %i] : memref<12x24xbf16>
      %e = affine.load %E[%j, %i] : memref<12x24xindex>
      %e2 = arith.addi %e, %j : index
      affine.store %e2, %E[%j, 23 - %i] : memref<12x24xindex>
      %q = arith.cmpi ult, %e, %i : index
      affine.store %q, %A[%j, %i] : memref<12x24xi1>
      affine.store %i, %I[%j, %i] : memref<12x24xindex>
    }
  }
  return
}
//--- global_twice.mlir
memref.global "private" @g : memref<24x24xf32> = dense<1.0>
func.func @global_twice(%B: memref<24x24xf32>) {
  %g = memref.get_global @g : memref<24x24xf32>
  affine.for %i = 0 to 23 {
    affine.for %j = 0 to 24 {
      %x = affine.load %B[%j, %i] : memref<24x24xf32>
      affine.store %x, %g[%j, %i] : memref<24x24xf32>
    }
  }
  %h = memref.get_global @g : memref<24x24xf32>
  affine.for %i = 0 to 23 {
    affine.for %j = 0 to 24 {
      %x = affine.load %h[%j, %i + 1] : memref<24x24xf32>
      %y = affine.load %g[%j, %i] : memref<24x24xf32>
      %z = arith.subf %x, %y : f32
      affine.store %z, %h[%j, %i] : memref<24x24xf32>
      affine.store %z, %B[%j, %i] : memref<24x24xf32>
    }
  }
  return
}
//--- casts.mlir
func.func @casts(%A: memref<24x24xf32>) {
  %v = memref.cast %A : memref<24x24xf32> to memref<?x24xf32>
  affine.for %i = 0 to 23 {
    affine.for %j = 0 to 24 {
      %x = affine.load %A[%j, %i + 1] : memref<24x24xf32>
      %y = affine.load %v[%j, %i] : memref<?x24xf32>
      %z = arith.subf %x, %y : f32
      affine.store %z, %v[%j, %i] : memref<?x24xf32>
    }
  }
  return
}
//--- outer_scf.mlir
func.func @outer_scf(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    affine.for %i = 0 to 8 {
      %a = memref.load %A[%k, %i] : memref<8x8xf32>
      affine.store %a, %B[%i, 0] : memref<8x8xf32>
    }
  }
  return
}
//--- topload.mlir
// A loaded value that becomes a symbol: the run is cut in front of the nest.
func.func @topload(%A: memref<16xf32>, %N: memref<4xindex>, %B: memref<16x16xf32>) {
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : index
  affine.store %c2, %N[2] : memref<4xindex>
  affine.for %i = 0 to 4 {
    affine.store %i, %N[%i] : memref<4xindex>
  }
  %s = affine.load %N[2] : memref<4xindex>
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 16 {
      %v = scf.execute_region -> f32 {
        %t = affine.load %A[%i + symbol(%s)] : memref<16xf32>
        scf.yield %t : f32
      }
      affine.store %v, %B[%j, %i] : memref<16x16xf32>
    }
  }
  return
}
//--- toparith.mlir
// A symbol that is computed between the nests stays where affine ops may use it.
func.func @toparith(%A: memref<16xf32>, %n: index {nestor.value = 1 : index}, %B: memref<16x16xf32>) {
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 16 {
      %t = affine.load %A[%i] : memref<16xf32>
      affine.store %t, %B[%i, %j] : memref<16x16xf32>
    }
  }
  %s = arith.addi %n, %n : index
  affine.for %i = 0 to 14 {
    affine.for %j = 0 to 16 {
      %v = scf.execute_region -> f32 {
        %t = affine.load %A[%i + symbol(%s)] : memref<16xf32>
        scf.yield %t : f32
      }
      affine.store %v, %B[%j, %i] : memref<16x16xf32>
    }
  }
  return
}
