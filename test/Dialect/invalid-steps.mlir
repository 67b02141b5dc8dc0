// What the steps of a schedule refuse.
// RUN: nestor-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics

// expected-error @+1 {{interchange: loops are named by strings}}
"test.op"() {step = #nestor.interchange<[0, 1]>} : () -> ()

// -----

// expected-error @+1 {{interchange: loop 'L0' is named twice}}
"test.op"() {step = #nestor.interchange<["L0", "L0"]>} : () -> ()

// -----

// expected-error @+1 {{interchange: needs at least 2 loops}}
"test.op"() {step = #nestor.interchange<["L0"]>} : () -> ()

// -----

// expected-error @+1 {{tile: needs at least 1 loops}}
"test.op"() {step = #nestor.tile<[], []>} : () -> ()

// -----

// expected-error @+1 {{tile: loop 'L0' is named twice}}
"test.op"() {step = #nestor.tile<["L0", "L0"], [8, 8]>} : () -> ()

// -----

// expected-error @+1 {{tile: one size per loop}}
"test.op"() {step = #nestor.tile<["L0", "L1"], [32]>} : () -> ()

// -----

// expected-error @+1 {{tile: sizes must be 2 to 1048576}}
"test.op"() {step = #nestor.tile<["L0"], [1]>} : () -> ()

// -----

// expected-error @+1 {{tile: sizes must be 2 to 1048576}}
"test.op"() {step = #nestor.tile<["L0"], [1048577]>} : () -> ()

// -----

// expected-error @+1 {{unroll: factor must be 2 to 64}}
"test.op"() {step = #nestor.unroll<"L0", 1>} : () -> ()

// -----

// expected-error @+1 {{unroll_jam: factor must be 2 to 64}}
"test.op"() {step = #nestor.unroll_jam<"L0", 65>} : () -> ()

// -----

// expected-error @+1 {{vectorize: width must be 2 to 64 and count 1 to 16}}
"test.op"() {step = #nestor.vectorize<"L0", 1, 1>} : () -> ()

// -----

// expected-error @+1 {{vectorize: width must be 2 to 64 and count 1 to 16}}
"test.op"() {step = #nestor.vectorize<"L0", 8, 17>} : () -> ()
