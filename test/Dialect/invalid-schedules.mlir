// What #nestor.schedule and its parts refuse, before any program is looked at.
// RUN: nestor-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Marks and band members
//===----------------------------------------------------------------------===//

// expected-error @+1 {{mark 'vector': needs a block of 2 to 1024 that is a multiple of a width of at least 2}}
"test.op"() {mark = #nestor.mark<vector block = 8>} : () -> ()

// -----

// expected-error @+1 {{mark 'vector': needs a block of 2 to 1024 that is a multiple of a width of at least 2}}
"test.op"() {mark = #nestor.mark<vector block = 12 width = 8>} : () -> ()

// -----

// expected-error @+1 {{mark 'vector': needs a block of 2 to 1024}}
"test.op"() {mark = #nestor.mark<vector block = 2048 width = 8>} : () -> ()

// -----

// expected-error @+1 {{mark 'unroll': needs a block of 2 to 1024 and no width}}
"test.op"() {mark = #nestor.mark<unroll>} : () -> ()

// -----

// expected-error @+1 {{mark 'unroll': needs a block of 2 to 1024 and no width}}
"test.op"() {mark = #nestor.mark<unroll block = 1025>} : () -> ()

// -----

// expected-error @+1 {{mark 'unroll': needs a block of 2 to 1024 and no width}}
"test.op"() {mark = #nestor.mark<unroll block = 8 width = 8>} : () -> ()

// -----

// expected-error @+1 {{mark 'promote': takes neither block nor width}}
"test.op"() {mark = #nestor.mark<promote block = 2>} : () -> ()

// -----

// expected-error @+1 {{mark 'promote': takes neither block nor width}}
"test.op"() {mark = #nestor.mark<promote width = 2>} : () -> ()

// -----

// expected-error @+1 {{band member needs a name}}
"test.op"() {member = #nestor.member<name = "", maps = []>} : () -> ()

// -----

// expected-error @+1 {{band member 'i': each map must be an affine map with one result}}
"test.op"() {member = #nestor.member<name = "i", maps = [affine_map<(d0) -> (d0, d0)>]>} : () -> ()

// -----

// expected-error @+1 {{band member 'i': each map must be an affine map with one result}}
"test.op"() {member = #nestor.member<name = "i", maps = ["d0"]>} : () -> ()

// -----

// expected-error @+1 {{band member 'i': expected a #nestor.mark but got "vector"}}
"test.op"() {member = #nestor.member<name = "i", maps = [], marks = ["vector"]>} : () -> ()

// -----

// expected-error @+1 {{band member 'i': mark 'promote' is given twice}}
"test.op"() {member = #nestor.member<name = "i", maps = [], marks = [#nestor.mark<promote>, #nestor.mark<promote>]>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

// expected-error @+1 {{band without statements}}
"test.op"() {tree = #nestor.band<stmts = [], members = [], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{band: statement numbers must rise}}
"test.op"() {tree = #nestor.band<stmts = [1, 1], members = [], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{band: statement numbers start at 0}}
"test.op"() {tree = #nestor.band<stmts = [-1, 0], members = [], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{band: child must be a band, a sequence or a leaf}}
"test.op"() {tree = #nestor.band<stmts = [0], members = [], child = #nestor.filter<stmts = [0], child = #nestor.leaf>>} : () -> ()

// -----

// expected-error @+1 {{band without members}}
"test.op"() {tree = #nestor.band<stmts = [0], members = [], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{band: expected a #nestor.member but got "i"}}
"test.op"() {tree = #nestor.band<stmts = [0], members = ["i"], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{band member 'i' has 1 maps for 2 statements}}
"test.op"() {tree = #nestor.band<stmts = [0, 1], members = [#nestor.member<name = "i", maps = [affine_map<(d0) -> (d0)>]>], child = #nestor.leaf>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// Filters and sequences
//===----------------------------------------------------------------------===//

// expected-error @+1 {{filter without statements}}
"test.op"() {tree = #nestor.filter<stmts = [], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{filter: child must be a band, a sequence or a leaf}}
"test.op"() {tree = #nestor.filter<stmts = [0], child = "leaf">} : () -> ()

// -----

// expected-error @+1 {{filter: one list of integer sets per statement}}
"test.op"() {tree = #nestor.filter<stmts = [0, 1], domains = [[]], child = #nestor.leaf>} : () -> ()

// -----

#positive = affine_set<(d0) : (d0 >= 0)>

// expected-error @+1 {{filter: domains must be lists of integer sets}}
"test.op"() {tree = #nestor.filter<stmts = [0], domains = [#positive], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{filter: domains must be lists of integer sets}}
"test.op"() {tree = #nestor.filter<stmts = [0], domains = [["all"]], child = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{sequence without branches}}
"test.op"() {tree = #nestor.sequence<[]>} : () -> ()

// -----

// expected-error @+1 {{sequence: every branch must be a #nestor.filter}}
"test.op"() {tree = #nestor.sequence<[#nestor.leaf]>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// The array table
//===----------------------------------------------------------------------===//

// expected-error @+1 {{array table: array numbers start at 0}}
"test.op"() {array = #nestor.array<kind = packed, source = -1, type = memref<4xf32>, stmts = [], maps = []>} : () -> ()

// -----

// expected-error @+1 {{array table: type must be a memref}}
"test.op"() {array = #nestor.array<kind = packed, source = 0, type = f32, stmts = [], maps = []>} : () -> ()

// -----

// expected-error @+1 {{array table: one map per statement}}
"test.op"() {array = #nestor.array<kind = packed, source = 0, type = memref<4xf32>, stmts = [0], maps = []>} : () -> ()

// -----

// expected-error @+1 {{array table: each map needs as many results as the array has dimensions}}
"test.op"() {array = #nestor.array<kind = packed, source = 0, type = memref<4x4xf32>, stmts = [0], maps = [affine_map<(d0) -> (d0)>]>} : () -> ()

// -----

// expected-error @+1 {{array table: each map needs as many results as the array has dimensions}}
"test.op"() {array = #nestor.array<kind = packed, source = 0, type = memref<4xf32>, stmts = [0], maps = ["d0"]>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// Whole schedules
//===----------------------------------------------------------------------===//

// expected-error @+1 {{schedule has version 2, but this build reads version 1}}
"test.op"() {s = #nestor.schedule<version = 2, hash = "0123456789abcdef", tree = #nestor.leaf>} : () -> ()

// -----

// The version is never left out: a later format must not pass for this one.
// expected-error @+1 {{struct is missing required parameter: version}}
"test.op"() {s = #nestor.schedule<hash = "0123456789abcdef", tree = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{schedule hash must have 16 hexadecimal digits}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123", tree = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{schedule hash must have 16 hexadecimal digits}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdeg", tree = #nestor.leaf>} : () -> ()

// -----

// expected-error @+1 {{schedule needs a tree or steps}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef">} : () -> ()

// -----

// expected-error @+1 {{array table must hold #nestor.array entries}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf, arrays = [#nestor.leaf]>} : () -> ()

// -----

// expected-error @+1 {{expected a schedule step but got #nestor.leaf}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = [#nestor.leaf]>} : () -> ()

// -----

// expected-error @+1 {{expected a schedule step but got "tile"}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", steps = ["tile"]>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// Whole trees
//===----------------------------------------------------------------------===//

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{expected a band, a sequence or a leaf but got "tree"}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = "tree">} : () -> ()

// -----

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{the tree must hold statements 0 to 1, but 1 is missing}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.band<stmts = [0, 2], members = [#nestor.member<name = "i", maps = [#i, #i]>], child = #nestor.leaf>>} : () -> ()

// -----

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{must list the statements that reach it}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.band<stmts = [0, 1], members = [#nestor.member<name = "i", maps = [#i, #i]>], child = #nestor.band<stmts = [0], members = [#nestor.member<name = "j", maps = [#i]>], child = #nestor.leaf>>>} : () -> ()

// -----

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{loop name 'i' is used twice}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.band<stmts = [0], members = [#nestor.member<name = "i", maps = [#i]>, #nestor.member<name = "i", maps = [#i]>], child = #nestor.leaf>>} : () -> ()

// -----

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{filter names statement 1, which does not reach its sequence}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.band<stmts = [0], members = [#nestor.member<name = "i", maps = [#i]>], child = #nestor.sequence<[#nestor.filter<stmts = [0, 1], child = #nestor.leaf>]>>>} : () -> ()

// -----

// expected-error @+1 {{statement 0 is in two branches of one sequence}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.sequence<[#nestor.filter<stmts = [0], child = #nestor.leaf>, #nestor.filter<stmts = [0], child = #nestor.leaf>]>>} : () -> ()

// -----

#i = affine_map<(d0) -> (d0)>

// expected-error @+1 {{a sequence must have a branch for every statement}}
"test.op"() {s = #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.band<stmts = [0, 1], members = [#nestor.member<name = "i", maps = [#i, #i]>], child = #nestor.sequence<[#nestor.filter<stmts = [0], child = #nestor.leaf>]>>>} : () -> ()
