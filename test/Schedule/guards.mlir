// Conditions in generated code. Where statements share a condition with `or`, each
// of its cases has a copy of them (this isl loses statements if it must split such
// conditions itself).
// RUN: nestor-opt %s --nestor-apply-schedule=alias=assume-distinct -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=shared
// RUN: nestor-measure compare %s %t --entry=either
// RUN: nestor-measure compare %s %t --entry=nested
// RUN: nestor-measure compare %s %t --entry=division

// Two statements in the else branch of an equality: below it or above it.
// CHECK-LABEL: func.func @shared
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.if
// CHECK: affine.store %{{.*}}, %arg0
// CHECK: } else {
// CHECK: affine.store %{{.*}}, %arg1
// CHECK: affine.store %{{.*}}, %arg2
func.func @shared(%A: memref<8x8xi32>, %B: memref<8x8xi32>, %C: memref<8x8xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "c9330a6c6318047e", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 5 {
      %c = arith.constant 5 : i32
      affine.if affine_set<(d0, d1) : (d0 + d1 - 4 == 0)>(%i, %j) {
        affine.store %c, %A[%i, %j] : memref<8x8xi32>
      } else {
        affine.store %c, %B[%i, %j] : memref<8x8xi32>
        affine.store %c, %C[%j, %i] : memref<8x8xi32>
      }
    }
  }
  return
}

// Nothing where the equality holds: two cases, and a copy in each.
// CHECK-LABEL: func.func @either
// CHECK: affine.for
// CHECK: affine.for
// CHECK: affine.store %{{.*}}, %arg0
// CHECK: affine.if
// CHECK: affine.store %{{.*}}, %arg1
// CHECK: affine.store %{{.*}}, %arg2
// CHECK: } else {
// CHECK: affine.if
// CHECK: affine.store %{{.*}}, %arg1
// CHECK: affine.store %{{.*}}, %arg2
// CHECK: return
func.func @either(%A: memref<8x8xi32>, %B: memref<8x8xi32>, %C: memref<8x8xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0a1023a1940568ce", steps = [#nestor.reverse<"L0">]>]} {
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 5 {
      %c = arith.constant 5 : i32
      affine.store %c, %A[%i, %j] : memref<8x8xi32>
      affine.if affine_set<(d0, d1) : (d0 + d1 - 4 == 0)>(%i, %j) {
      } else {
        affine.store %c, %B[%i, %j] : memref<8x8xi32>
        affine.store %c, %C[%j, %i] : memref<8x8xi32>
      }
    }
  }
  return
}

// The same with a loop in one branch and conditions in the other.
// CHECK-LABEL: func.func @nested
// CHECK: return
func.func @nested(%A: memref<16x16xi64>, %B: memref<16xi64>, %n: index {nestor.value = 11 : index}) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "ef997a82e142eed3", steps = [#nestor.reverse<"L2">]>]} {
  affine.for %i = 0 to 16 {
    affine.if affine_set<(d0)[s0] : (d0 - 2 >= 0, s0 - d0 >= 0)>(%i)[%n] {
      affine.for %j = 0 to 16 step 2 {
        affine.if affine_set<(d0, d1) : (d0 + d1 - 7 == 0)>(%i, %j) {
          affine.for %k = 0 to %n {
            %c1 = arith.constant 1 : i64
            affine.store %c1, %A[%j, %k] : memref<16x16xi64>
          }
        } else {
          affine.if affine_set<(d0, d1) : ((d0 + d1) mod 3 - 1 == 0, d0 - 1 >= 0)>(%i, %j) {
            %x = affine.load %B[%i] : memref<16xi64>
            %y = affine.load %A[%i, %j] : memref<16x16xi64>
            %z = arith.addi %x, %y : i64
            affine.store %z, %B[%i] : memref<16xi64>
          } else {
            %y = affine.load %A[%i, %j] : memref<16x16xi64>
            %z = arith.subi %y, %y : i64
            affine.store %z, %A[%i, %j + 1] : memref<16x16xi64>
          }
        }
      }
    }
  }
  return
}

// What a condition guards is not evaluated outside it: division by zero.
// CHECK-LABEL: func.func @division
// CHECK-NOT: arith.divsi
// CHECK: affine.for %{{.*}} = 3 to 8 {
// CHECK: arith.divsi
func.func @division(%A: memref<19x8xi32>, %B: memref<19x8xi32>) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "d7e3b59b3bf633c9", steps = [#nestor.interchange<["L1", "L0"]>, #nestor.unroll<"L0", 4>]>]} {
  affine.for %i = 0 to 19 {
    affine.for %j = 0 to 8 {
      %d = arith.index_cast %j : index to i32
      affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%j) {
        %e = arith.constant 3 : i32
        %f = arith.subi %d, %e : i32
        %g = arith.constant 1 : i32
        %h = arith.addi %f, %g : i32
        %a = affine.load %A[%i, %j] : memref<19x8xi32>
        %q = arith.divsi %a, %h : i32
        affine.store %q, %B[%i, %j] : memref<19x8xi32>
      }
    }
  }
  return
}
