// isl's AST generator is not trusted. Here it runs statement 3 before instances of
// statement 1 that come earlier on band c2: their places compare differently in
// different blocks of c0. The schedule is legal, its loops would not be.
// RUN: nestor-opt %s --nestor-apply-schedule --verify-diagnostics

func.func @order(%A: memref<15xf32>, %B: memref<6xf32>, %x: f32) attributes {nestor.schedule = [#nestor.schedule<version = 1, hash = "51e5d2886d580467", tree =
      #nestor.sequence<[
        #nestor.filter<stmts = [4], child = #nestor.leaf>, 
        #nestor.filter<stmts = [1, 2, 3], child = 
          #nestor.band<stmts = [1, 2, 3], members = [#nestor.member<name = "c0.t", maps = [affine_map<(d0, d1) -> (((d1 + 1) floordiv 8) * 8)>, affine_map<(d0, d1) -> (((d0 + 4) floordiv 8) * 8)>, affine_map<(d0) -> ((d0 floordiv 8) * 8)>], coincident = true, marks = [#nestor.mark<promote>]>], permutable = true, child = 
          #nestor.band<stmts = [1, 2, 3], members = [#nestor.member<name = "c0", maps = [affine_map<(d0, d1) -> (((d1 + 1) floordiv 4) * 4)>, affine_map<(d0, d1) -> ((d0 floordiv 4 + 1) * 4)>, affine_map<(d0) -> ((d0 floordiv 4) * 4)>], coincident = true>, #nestor.member<name = "c1", maps = [affine_map<(d0, d1) -> (d0 * 5 - d1 * 4 + 14)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0) -> (24)>]>, #nestor.member<name = "c2", maps = [affine_map<(d0, d1) -> (-d1 + 2)>, affine_map<(d0, d1) -> (-d1)>, affine_map<(d0) -> (0)>]>], child = #nestor.sequence<[
        #nestor.filter<stmts = [1], child = 
          #nestor.band<stmts = [1], members = [#nestor.member<name = "c0.v", maps = [affine_map<(d0, d1) -> (d1 + 1)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = 
          #nestor.band<stmts = [1], members = [#nestor.member<name = "c0.t.v", maps = [affine_map<(d0, d1) -> (((d1 + 1) floordiv 8) * 8)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>, 
        #nestor.filter<stmts = [2], child = 
          #nestor.band<stmts = [2], members = [#nestor.member<name = "c0.v_2", maps = [affine_map<(d0, d1) -> (d0 + 4)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = 
          #nestor.band<stmts = [2], members = [#nestor.member<name = "c0.t.v_2", maps = [affine_map<(d0, d1) -> (((d0 + 4) floordiv 8) * 8)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>, 
        #nestor.filter<stmts = [3], child = 
          #nestor.band<stmts = [3], members = [#nestor.member<name = "c0.v_3", maps = [affine_map<(d0) -> (d0)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = 
          #nestor.band<stmts = [3], members = [#nestor.member<name = "c0.t.v_3", maps = [affine_map<(d0) -> ((d0 floordiv 8) * 8)>], coincident = true, marks = [#nestor.mark<vector block = 4 width = 2>]>], permutable = true, child = #nestor.leaf>>>]>>>>, 
        #nestor.filter<stmts = [6], child = #nestor.leaf>, 
        #nestor.filter<stmts = [5], child = #nestor.leaf>, 
        #nestor.filter<stmts = [0], child = 
          #nestor.band<stmts = [0], members = [#nestor.member<name = "c3", maps = [affine_map<(d0, d1) -> (d0)>]>, #nestor.member<name = "c4", maps = [affine_map<(d0, d1) -> ((d1 floordiv 3) * 3)>]>, #nestor.member<name = "c4.u", maps = [affine_map<(d0, d1) -> (d1)>], marks = [#nestor.mark<unroll block = 3>]>], child = #nestor.leaf>>]>>]} {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{the schedule cannot be applied: isl made loops that do not keep its order}}
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 7 {
      affine.store %zero, %B[4] : memref<6xf32>
      affine.store %zero, %A[%j + 1] : memref<15xf32>
      affine.store %zero, %A[%i + 4] : memref<15xf32>
    }
    affine.store %x, %A[%i] : memref<15xf32>
  }
  %b = affine.load %B[1] : memref<6xf32>
  %c = arith.addf %b, %x : f32
  affine.store %c, %A[4] : memref<15xf32>
  affine.store %c, %A[2] : memref<15xf32>
  return
}
