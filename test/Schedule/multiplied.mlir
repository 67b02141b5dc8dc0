// isl's bounds may hold a multiple of a parameter that the source does not compute,
// here -8 * ((n + 2) floordiv 4), which overflows where n is 2^62. Then the program
// as written runs.
// RUN: nestor-opt %s --nestor-apply-schedule -o %t
// RUN: FileCheck %s < %t
// RUN: nestor-measure compare %s %t --entry=huge
// RUN: nestor-measure compare %s %t --entry=five
// RUN: nestor-measure compare %s %t --entry=lowest
// RUN: nestor-measure compare %s %t --entry=below
// RUN: nestor-measure compare %s %t --entry=near

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK-DAG: %[[MOST:.+]] = arith.constant 1099511627776 : index
// CHECK-DAG: %[[TWICE:.+]] = arith.constant 2199023255552 : index
// CHECK: %[[MOVED:.+]] = arith.addi %[[N]], %[[MOST]] : index
// CHECK: %[[FITS:.+]] = arith.cmpi ule, %[[MOVED]], %[[TWICE]] : index
// CHECK: scf.if %[[FITS]]
// CHECK: nestor.scheduled
// CHECK: } else {
// CHECK: nestor.fallback
func.func @f(%A: memref<9x5xf32>, %n: index, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
      %a = affine.load %A[%j, 4] : memref<9x5xf32>
      %b = arith.subf %a, %y : f32
      affine.store %b, %A[%j, 4] : memref<9x5xf32>
    }
  }
  return
}

// A size of an array is far from overflow: no condition.
// CHECK-LABEL: func.func @size(
// CHECK-NOT: scf.if
// CHECK: affine.for
func.func @size(%A: memref<?x5xf32>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "77a926f9102f6267", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  %zero = arith.constant 0 : index
  %n = memref.dim %A, %zero : memref<?x5xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
      %a = affine.load %A[%j, 4] : memref<?x5xf32>
      %b = arith.subf %a, %y : f32
      affine.store %b, %A[%j, 4] : memref<?x5xf32>
    }
  }
  return
}

// The lowest constant has no magnitude: it is not taken for a small one.
// CHECK-LABEL: func.func @below(
// CHECK: affine.for %[[N:.+]] = -9223372036854775808 to 6 step
// CHECK: %[[MOVED:.+]] = arith.addi %[[N]], %{{.+}} : index
// CHECK: %[[FITS:.+]] = arith.cmpi ule, %[[MOVED]], %{{.+}} : index
// CHECK: scf.if %[[FITS]]
// CHECK-LABEL: func.func @near(
// CHECK-NOT: scf.if
// CHECK: nestor.scheduled
func.func @below(%A: memref<9x5xf32>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  affine.for %n = -9223372036854775808 to 6 step 4611686018427387904 {
    affine.for %i = 0 to 6 {
      affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
        %a = affine.load %A[%j, 4] : memref<9x5xf32>
        %b = arith.subf %a, %y : f32
        affine.store %b, %A[%j, 4] : memref<9x5xf32>
      }
    }
  }
  return
}

func.func @near(%A: memref<9x5xf32>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  affine.for %n = -9 to 6 step 4294967296 {
    affine.for %i = 0 to 6 {
      affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
        %a = affine.load %A[%j, 4] : memref<9x5xf32>
        %b = arith.subf %a, %y : f32
        affine.store %b, %A[%j, 4] : memref<9x5xf32>
      }
    }
  }
  return
}

// A size may be anything where another one may be zero, or all cells are one.
// CHECK-LABEL: func.func @no_cells(
// CHECK: arith.cmpi ule
// CHECK: scf.if
// CHECK-LABEL: func.func @maybe_none(
// CHECK: arith.cmpi ule
// CHECK: scf.if
// CHECK-LABEL: func.func @one_place(
// CHECK: arith.cmpi ule
// CHECK: scf.if
// CHECK-LABEL: func.func @huge(
func.func @no_cells(%A: memref<9x5xf32>, %Z: memref<?x0xf32>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  %zero = arith.constant 0 : index
  %n = memref.dim %Z, %zero : memref<?x0xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
      %a = affine.load %A[%j, 4] : memref<9x5xf32>
      %b = arith.subf %a, %y : f32
      affine.store %b, %A[%j, 4] : memref<9x5xf32>
    }
  }
  return
}

func.func @maybe_none(%A: memref<9x5xf32>, %Z: memref<?x?xf32>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  %zero = arith.constant 0 : index
  %n = memref.dim %Z, %zero : memref<?x?xf32>
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
      %a = affine.load %A[%j, 4] : memref<9x5xf32>
      %b = arith.subf %a, %y : f32
      affine.store %b, %A[%j, 4] : memref<9x5xf32>
    }
  }
  return
}

func.func @one_place(%A: memref<9x5xf32>, %Z: memref<?xf32, strided<[0]>>, %y: f32) attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "097d95527f672a37", tree =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1)[s0] -> ((((d1 floordiv 4) * -4) floordiv 8) * 8)>], coincident = true>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) * -4)>], coincident = true>, 
        #nestor.member<name = "c1", maps = [affine_map<(d0, d1)[s0] -> (d0)>]>], permutable = true, child =
      #nestor.band<stmts = [0], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1)[s0] -> (d1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>>]} {
  %zero = arith.constant 0 : index
  %n = memref.dim %Z, %zero : memref<?xf32, strided<[0]>>
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(d0) -> (d0 + 2)>(%i) to min affine_map<(d0) -> (d0 + 3, 9)>(%n) {
      %a = affine.load %A[%j, 4] : memref<9x5xf32>
      %b = arith.subf %a, %y : f32
      affine.store %b, %A[%j, 4] : memref<9x5xf32>
    }
  }
  return
}

func.func @huge(%A: memref<9x5xf32>, %y: f32) {
  %one = arith.constant 1 : index
  %bits = arith.constant 62 : index
  %n = arith.shli %one, %bits : index
  func.call @f(%A, %n, %y) : (memref<9x5xf32>, index, f32) -> ()
  return
}

func.func @five(%A: memref<9x5xf32>, %y: f32) {
  %n = arith.constant 5 : index
  func.call @f(%A, %n, %y) : (memref<9x5xf32>, index, f32) -> ()
  return
}

func.func @lowest(%A: memref<9x5xf32>, %y: f32) {
  %one = arith.constant 1 : index
  %bits = arith.constant 63 : index
  %n = arith.shli %one, %bits : index
  func.call @f(%A, %n, %y) : (memref<9x5xf32>, index, f32) -> ()
  return
}
