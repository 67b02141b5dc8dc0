// Bounds with several divisions make isl's operations slow: one schedule took over
// twenty seconds, which counts as a hang.
// RUN: nestor-fuzz check %s --seed=21 --schedules=4 | FileCheck %s
// CHECK: nothing found

func.func @kernel (%A: memref<24x24xf32>, %B: memref<24x24xf32>, %I: memref<24x24xi32>, %J: memref<24x24xi32>, %P: memref<64xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %mc = arith.constant 9223372036854775807 : index
  memref.store %mc, %P[%c0] : memref<64xindex>
  %m = memref.load %P[%c0] : memref<64xindex>
  affine.for %i0 = max affine_map<()[s0, s1] -> (0, -1)>()[%n, %m] to min affine_map<()[s0, s1] -> (24, (s1 * 1 + -1) ceildiv 7)>()[%n, %m] {
    affine.for %i1 = max affine_map<(d0)[s0, s1] -> (0, (d0 * -1 + s1 * 1 + -3) mod 7)>(%i0)[%n, %m] to min affine_map<(d0)[s0, s1] -> (24, (d0 * 1 + s0 * 1 + s1 * -1 + 12) mod 7, (d0 * -1 + s0 * 1 + 0) floordiv 3)>(%i0)[%n, %m] {
      affine.if affine_set<(d0)[s0, s1] : (d0 * 2 + 0 >= 0)>(%i1)[%n, %m] {
        %a = affine.load %A[%i1, %i0] : memref<24x24xf32>
        %b = affine.load %B[%i1, %i0] : memref<24x24xf32>
        %c = arith.addf %a, %b : f32
        affine.store %c, %A[%i0, %i1] : memref<24x24xf32>
      }
    }
  }
  return
}
func.func @main(%arena: memref<65536xi8>, %t: memref<64xindex>) attributes {tables = [array<i64: 1024, 3840, 6656, 9472, 12288, 4611686018427387904>]} {
  %c0 = arith.constant 0 : index
  %o0 = memref.load %t[%c0] : memref<64xindex>
  %v0 = memref.view %arena[%o0][] : memref<65536xi8> to memref<576xf32>
  %r0 = memref.reinterpret_cast %v0 to offset: [0], sizes: [24, 24], strides: [24, 1] : memref<576xf32> to memref<24x24xf32>
  %c1 = arith.constant 1 : index
  %o1 = memref.load %t[%c1] : memref<64xindex>
  %v1 = memref.view %arena[%o1][] : memref<65536xi8> to memref<576xf32>
  %r1 = memref.reinterpret_cast %v1 to offset: [0], sizes: [24, 24], strides: [24, 1] : memref<576xf32> to memref<24x24xf32>
  %c2 = arith.constant 2 : index
  %o2 = memref.load %t[%c2] : memref<64xindex>
  %v2 = memref.view %arena[%o2][] : memref<65536xi8> to memref<576xi32>
  %r2 = memref.reinterpret_cast %v2 to offset: [0], sizes: [24, 24], strides: [24, 1] : memref<576xi32> to memref<24x24xi32>
  %c3 = arith.constant 3 : index
  %o3 = memref.load %t[%c3] : memref<64xindex>
  %v3 = memref.view %arena[%o3][] : memref<65536xi8> to memref<576xi32>
  %r3 = memref.reinterpret_cast %v3 to offset: [0], sizes: [24, 24], strides: [24, 1] : memref<576xi32> to memref<24x24xi32>
  %c4 = arith.constant 4 : index
  %o4 = memref.load %t[%c4] : memref<64xindex>
  %v4 = memref.view %arena[%o4][] : memref<65536xi8> to memref<64xindex>
  %cn = arith.constant 5 : index
  %n = memref.load %t[%cn] : memref<64xindex>
  call @kernel(%r0, %r1, %r2, %r3, %v4, %n) : (memref<24x24xf32>, memref<24x24xf32>, memref<24x24xi32>, memref<24x24xi32>, memref<64xindex>, index) -> ()
  return
}
