// What the discardable attributes of the dialect refuse.
// RUN: nestor-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{attribute 'nestor.schedule' must be an array of #nestor.schedule on a function}}
func.func @schedule_is_no_array() attributes {nestor.schedule = 1} {
  return
}

// -----

func.func @schedule_on_a_loop() {
  // expected-error @+1 {{attribute 'nestor.schedule' must be an array of #nestor.schedule on a function}}
  affine.for %i = 0 to 8 {
  } {nestor.schedule = []}
  return
}

// -----

// expected-error @+1 {{attribute 'nestor.schedule' holds "tile", which is no #nestor.schedule}}
func.func @schedule_of_something_else() attributes {nestor.schedule = ["tile"]} {
  return
}

// -----

// expected-error @+1 {{attribute 'nestor.skip' must be a unit attribute}}
func.func @skip_is_no_unit() attributes {nestor.skip = true} {
  return
}

// -----

func.func @fallback_is_no_unit() {
  // expected-error @+1 {{attribute 'nestor.fallback' must be a unit attribute}}
  affine.for %i = 0 to 8 {
  } {nestor.fallback = 1}
  return
}

// -----

func.func @scheduled_is_no_unit() {
  // expected-error @+1 {{attribute 'nestor.scheduled' must be a unit attribute}}
  affine.for %i = 0 to 8 {
  } {nestor.scheduled = "yes"}
  return
}

// -----

// expected-error @+1 {{unknown attribute 'nestor.skpi': the nestor dialect knows nestor.schedule, nestor.skip, nestor.fallback and nestor.scheduled on operations}}
func.func @misspelt() attributes {nestor.skpi} {
  return
}

// -----

// expected-error @+1 {{argument #1 has attribute 'nestor.init': expected nestor.init (a string) or nestor.value (a number)}}
func.func @init_is_no_string(%a: memref<8xf32>, %b: memref<8xf32> {nestor.init = 1}) {
  return
}

// -----

// expected-error @+1 {{argument #0 has attribute 'nestor.value': expected nestor.init (a string) or nestor.value (a number)}}
func.func @value_is_no_number(%n: index {nestor.value = "7"}) {
  return
}

// -----

// expected-error @+1 {{argument #0 has attribute 'nestor.skip': expected nestor.init (a string) or nestor.value (a number)}}
func.func @unknown_on_an_argument(%n: index {nestor.skip}) {
  return
}
