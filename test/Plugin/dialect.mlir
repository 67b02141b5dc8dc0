// A stock mlir-opt that loads the plugin knows the dialect: it reads a schedule
// and checks it. (A plugin that fails to load may leave mlir-opt's status at 0,
// so the output is what counts.)
// REQUIRES: plugin
// RUN: %mlir_opt %s -split-input-file -verify-diagnostics \
// RUN:   --load-dialect-plugin=%nestor_plugin --load-pass-plugin=%nestor_plugin \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @scheduled
// CHECK-SAME: #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf>
func.func @scheduled() attributes {nestor.schedule = [
    #nestor.schedule<version = 1, hash = "0123456789abcdef", tree = #nestor.leaf>]} {
  return
}

// -----

// expected-error @+1 {{attribute 'nestor.skip' must be a unit attribute}}
func.func @refused() attributes {nestor.skip = 1} {
  return
}
