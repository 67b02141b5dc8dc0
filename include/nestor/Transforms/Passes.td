//===- Passes.td - The passes of Nestor -----------------------------------===//
//
// Transforms room, the last: passes are thin, they only connect the rooms.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_TRANSFORMS_PASSES_TD
#define NESTOR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintLoopTree : Pass<"nestor-print-loop-tree", "::mlir::func::FuncOp"> {
  let summary = "print the scops of a function: loops, statements, accesses";
  let description = [{
    Prints to standard output, for each scop, its hash, arrays, loops and
    statements, and for every nest left alone the reason.

    ```mlir
    func.func @scale(%a: memref<8xf32>, %s: f32) {
      affine.for %i = 0 to 8 {
        %0 = affine.load %a[%i] : memref<8xf32>
        %1 = arith.mulf %0, %s : f32
        affine.store %1, %a[%i] : memref<8xf32>
      }
      return
    }
    ```
    has one loop `L0` and one statement `S0`, a reduction over no loop.
  }];
}

def PrintDependences : Pass<"nestor-print-dependences", "::mlir::func::FuncOp"> {
  let summary = "print the exact dependences of every scop";
  let options = [
    Option<"reassociate", "reassociate", "bool", "false",
           "let floating-point reductions run in any order">
  ];
}

defvar AliasOption = Option<"alias", "alias", "std::string", "\"check\"",
  "memrefs that may overlap: check (test at run time, keep the original as "
  "fallback), assume-distinct (arguments and globals do not overlap; other "
  "memrefs are still tested), or conservative (leave such nests alone)">;
defvar ReassociateOption = Option<"reassociate", "reassociate", "bool", "false",
  "let floating-point reductions run in any order, whatever their flags say">;

def ApplySchedule : Pass<"nestor-apply-schedule", "::mlir::func::FuncOp"> {
  let summary = "rewrite functions as their nestor.schedule attribute says";
  let description = [{
    Each entry of `nestor.schedule` must carry the hash of the scop in the same
    position and a tree (or steps) that is legal for it; anything else is an
    error, and the function is left as it was. The attribute is removed.

    Steps may be written by hand, on loops named `L0`, `L1` ... in the order of the
    source (see `-nestor-print-loop-tree` for them and for the hash):

    ```mlir
    func.func @f(...) attributes {nestor.schedule = [#nestor.schedule<
        version = 1, hash = "0c96ed19cca1d614",
        steps = [#nestor.interchange<["L2", "L1"]>, #nestor.vectorize<"L1", 8, 1>]>]}
    ```
  }];
  let options = [AliasOption, ReassociateOption];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nestor::NestorDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def TestRandomSchedule : Pass<"nestor-test-random-schedule", "::mlir::func::FuncOp"> {
  let summary = "apply a random legal schedule: the tool of differential tests";
  let description = [{
    Draws, for each scop, a random skeleton and random moves, and applies them. A
    remark says what was drawn and whether it changes the order of any two
    instances. The same seed gives the same code.
  }];
  let options = [
    Option<"seed", "seed", "uint64_t", "0", "seed of the random numbers">,
    AliasOption, ReassociateOption,
    Option<"roundTrip", "round-trip", "bool", "false",
           "print the schedule, parse it again, and apply what was parsed">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nestor::NestorDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

defvar CostOptions = [
  Option<"costModel", "cost-model", "std::string", "\"learned\"",
         "learned (needs weights and LibTorch) or analytical">,
  Option<"weights", "weights", "std::string", "\"\"",
         "weights of the learned model, a file or a folder of files whose mean "
         "counts; empty: the shipped ones">,
  Option<"target", "target", "std::string", "\"generic-avx2\"",
         "target descriptor: generic-avx2, generic-avx512, native (the one of these "
         "two that this machine can run), or a file that nestor-measure "
         "describe-machine wrote">
];
defvar SearchOptionList = [
  Option<"search", "search", "std::string", "\"beam\"", "beam or random">,
  Option<"beamWidth", "beam-width", "unsigned", "8",
         "states that the beam keeps at every band">,
  Option<"budget", "budget", "unsigned", "1500", "candidates to score per scop">,
  Option<"seed", "seed", "uint64_t", "0", "seed of random choices">
];

def Autoschedule : Pass<"nestor-autoschedule", "::mlir::func::FuncOp"> {
  let summary = "schedule affine loop nests with a cost model";
  let description = [{
    Finds the scops of each function, searches a schedule for each with the cost
    model, and rewrites the ones that are predicted to get faster. Whatever is
    unknown or illegal is left as it is. With `--remarks-filter=nestor` every nest
    gets a remark: what was chosen and why, or why it was left alone.

    ```mlir
    affine.for %i = 0 to 512 {
      affine.for %j = 0 to 512 {
        affine.for %k = 0 to 512 {
          %a = affine.load %A[%i, %k] : memref<512x512xf32>
          %b = affine.load %B[%k, %j] : memref<512x512xf32>
          %c = affine.load %C[%i, %j] : memref<512x512xf32>
          %p = arith.mulf %a, %b fastmath<contract> : f32
          %s = arith.addf %c, %p fastmath<contract> : f32
          affine.store %s, %C[%i, %j] : memref<512x512xf32>
        }
      }
    }
    ```
    becomes, under a run-time check that the three memrefs do not overlap, a
    register-tiled loop over `vector<8xf32>` whose sums live in `iter_args`.

    Floating-point results are bit for bit those of the source unless `fastmath`
    flags or `reassociate` allow more. A run on its own output changes nothing.

    The pass runs on `func.func`, as its name on a command line does for those of
    the outermost module. Functions of modules within need a pipeline of their own,
    such as `builtin.module(gpu.module(func.func(nestor-autoschedule)))`.
  }];
  let options = !listconcat(SearchOptionList, CostOptions, [
    Option<"apply", "apply", "bool", "true",
           "rewrite the IR; false: only annotate with nestor.schedule">,
    AliasOption, ReassociateOption
  ]);
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nestor::NestorDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def PrintFeatures : Pass<"nestor-print-features", "::mlir::func::FuncOp"> {
  let summary = "print the features of every scop as written";
  let description = [{
    Prints, per statement, every slot that is not zero with its name, as
    docs/features.md describes them.
  }];
}

def PrintWork : Pass<"nestor-print-work", "::mlir::func::FuncOp"> {
  let summary = "print how much any schedule of a function has to do";
  let description = [{
    Prints, per function, its operations by type and its compulsory traffic: bytes
    of the arguments that are read before they are written, and that are written;
    and the bytes of all memrefs that it touches. What a memref argument holds
    after the call counts as a result.

    ```mlir
    func.func @add(%a: memref<100xf64>, %b: memref<100xf64>) {
      affine.for %i = 0 to 100 {
        %0 = affine.load %a[%i] : memref<100xf64>
        %1 = arith.addf %0, %0 : f64
        affine.store %1, %b[%i] : memref<100xf64>
      }
      return
    }
    ```
    has 100 f64 operations, reads 800 bytes, writes 800 and touches 1600.
  }];
}

def PrintScores : Pass<"nestor-print-scores", "::mlir::func::FuncOp"> {
  let summary = "print the best candidates of every scop with their scores";
  let description = [{
    Searches as `-nestor-autoschedule` does, changes nothing, and prints for each
    scop the number of candidates scored and the best ones: predicted speedup,
    skeleton, and steps.
  }];
  let options = !listconcat(SearchOptionList, CostOptions, [
    Option<"top", "top", "unsigned", "5", "candidates to print">,
    ReassociateOption
  ]);
  let dependentDialects = ["::mlir::nestor::NestorDialect"];
}

#endif // NESTOR_TRANSFORMS_PASSES_TD
