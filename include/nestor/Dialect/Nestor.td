//===- Nestor.td - The nestor dialect: schedules as data ------------------===//
//
// The dialect holds data only: a schedule tree, its array table, and the steps
// (moves) that a user may write instead of a tree. Everything else in Nestor
// produces, ranks or applies these attributes.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_DIALECT_NESTOR_TD
#define NESTOR_DIALECT_NESTOR_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Nestor_Dialect : Dialect {
  let name = "nestor";
  let cppNamespace = "::mlir::nestor";
  let summary = "Schedules of affine loop nests, as data";
  let description = [{
    A function carries its schedules in the discardable attribute
    `nestor.schedule`: an array with one `#nestor.schedule` per *scop* (a maximal
    run of schedulable ops in a block), in source order. Each names the hash of
    the scop it was made for, so that it is never applied to another program.

    Other discardable attributes:
    `nestor.skip` (unit, on a function or a loop) keeps the passes away;
    `nestor.fallback` (unit) marks the untransformed copy behind a run-time alias
    check; `nestor.scheduled` (unit) marks loops that a schedule produced;
    `nestor.init` (string) and `nestor.value` (number), on function arguments,
    tell the measuring helper how to fill them.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

class Nestor_Attr<string cppName, string mnem, list<Trait> traits = []>
    : AttrDef<Nestor_Dialect, cppName, traits> {
  let mnemonic = mnem;
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

def Nestor_ScheduleStepInterface : AttrInterface<"ScheduleStepAttrInterface"> {
  let cppNamespace = "::mlir::nestor";
  let description = [{
    A step is a move on a schedule tree. Its meaning lives in the Schedule room,
    attached as an external model, so that the dialect stays free of analysis.
  }];
  let methods = [
    InterfaceMethod<[{
      Applies the move to `candidate`. On failure the candidate is unchanged and
      `reason` says, in a user's words, why the step does not apply or is illegal.
    }], "::llvm::LogicalResult", "apply",
      (ins "::mlir::nestor::Candidate &":$candidate, "::std::string &":$reason)>
  ];
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

def Nestor_MarkKind : I32EnumAttr<"MarkKind", "how the loop of a band member is generated", [
    I32EnumAttrCase<"Unroll", 0, "unroll">,
    I32EnumAttrCase<"Vector", 1, "vector">,
    I32EnumAttrCase<"Promote", 2, "promote">
  ]> {
  let cppNamespace = "::mlir::nestor";
  let genSpecializedAttr = 0;
}

def Nestor_MarkAttr : Nestor_Attr<"Mark", "mark"> {
  let summary = "how code is generated for one band member";
  let description = [{
    `unroll`: a point loop whose `block` iterations are unrolled in full tiles.
    `vector`: a point loop whose `block` iterations are lanes of vectors of
    `width` in full tiles (`block` is a multiple of `width`). `promote`: cells
    that stay the same over the loop live in `iter_args`. What has no meaning for
    a kind is 0 and not written.

    Examples: `#nestor.mark<unroll block = 6>`, `#nestor.mark<promote>`,
    `#nestor.mark<vector block = 16 width = 8>`
  }];
  let parameters = (ins EnumParameter<Nestor_MarkKind>:$kind,
                        DefaultValuedParameter<"int64_t", "0">:$block,
                        DefaultValuedParameter<"int64_t", "0">:$width);
  let assemblyFormat = "`<` $kind (`block` `=` $block^)? (`width` `=` $width^)? `>`";
  let genVerifyDecl = 1;
}

def Nestor_LeafAttr : Nestor_Attr<"Leaf", "leaf"> {
  let summary = "end of a branch of the tree: statement instances run here";
}

def Nestor_MemberAttr : Nestor_Attr<"Member", "member"> {
  let summary = "one loop of a band";
  let description = [{
    `maps` has one single-result map per statement of the band, in the band's
    order: from the statement's source loops (dims, outermost first) and the
    scop's parameters (symbols) to this loop's value. `coincident` says that no
    dependence is carried by this loop.

    Example: `#nestor.member<name = "i", maps = [affine_map<(d0, d1) -> (d0 floordiv 32)>], coincident = true>`
  }];
  let parameters = (ins "StringAttr":$name, "ArrayAttr":$maps,
                        DefaultValuedParameter<"bool", "false">:$coincident,
                        OptionalParameter<"ArrayAttr">:$marks);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Nestor_BandAttr : Nestor_Attr<"Band", "band"> {
  let summary = "loops that share a place in the tree";
  let description = [{
    Members are loops, outermost first. In a `permutable` band every order and
    tiling of the members is legal.
  }];
  let parameters = (ins "DenseI64ArrayAttr":$stmts, "ArrayAttr":$members,
                        DefaultValuedParameter<"bool", "false">:$permutable,
                        "Attribute":$child);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Nestor_FilterAttr : Nestor_Attr<"Filter", "filter"> {
  let summary = "one branch of a sequence: the statements that run in it";
  let description = [{
    `domains`, when present, has one list of integer sets per statement and
    restricts the branch to the union of these sets of the statement's instances.
    Sets are printed as strings, `"(d0) : (d0 >= 0)"`, since `>=` would end the
    attribute; other ways to write an integer set are parsed, too.
  }];
  let parameters = (ins "DenseI64ArrayAttr":$stmts,
                        OptionalParameter<"ArrayAttr">:$domains,
                        "Attribute":$child);
  let assemblyFormat = [{
    `<` struct($stmts, custom<Domains>($domains), $child) `>`
  }];
  let genVerifyDecl = 1;
}

def Nestor_SequenceAttr : Nestor_Attr<"Sequence", "sequence"> {
  let summary = "branches that run one after the other";
  let parameters = (ins "ArrayAttr":$children);
  let assemblyFormat = "`<` $children `>`";
  let genVerifyDecl = 1;
}

def Nestor_ArrayKind : I32EnumAttr<"ArrayKind", "why an array of the array table exists", [
    I32EnumAttrCase<"Packed", 0, "packed">,
    I32EnumAttrCase<"Expanded", 1, "expanded">,
    I32EnumAttrCase<"Contracted", 2, "contracted">
  ]> {
  let cppNamespace = "::mlir::nestor";
  let genSpecializedAttr = 0;
}

def Nestor_NewArrayAttr : Nestor_Attr<"NewArray", "array"> {
  let summary = "one entry of the array table: an array that a schedule adds";
  let description = [{
    `source` is the number of the scop's array that the new one stands for,
    `type` its rank, extents, element type and layout, and `maps` has, for each
    statement of `stmts`, the map from the statement's source loops (dims) and the
    scop's parameters (symbols) to a cell of the new array. It lives as long as
    the scop.
  }];
  let parameters = (ins EnumParameter<Nestor_ArrayKind>:$kind, "int64_t":$source,
                        "TypeAttr":$type, "DenseI64ArrayAttr":$stmts,
                        "ArrayAttr":$maps);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Nestor_ScheduleAttr : Nestor_Attr<"Schedule", "schedule"> {
  let summary = "the schedule of one scop";
  let description = [{
    `hash` identifies the scop. `tree` is the schedule itself; without it, `steps`
    are applied to the scop as written. With both, the tree is what is applied
    and the steps are the record of how it was found.

    Example: `#nestor.schedule<version = 1, hash = "5d7c1b...", steps = [#nestor.tile<["L0", "L1"], [32, 32]>]>`
  }];
  let parameters = (ins "int64_t":$version,
                        "StringAttr":$hash,
                        OptionalParameter<"Attribute">:$tree,
                        OptionalParameter<"ArrayAttr">:$arrays,
                        OptionalParameter<"ArrayAttr">:$steps);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

class Nestor_Step<string cppName, string mnem>
    : Nestor_Attr<cppName # "Step", mnem>;

def Nestor_InterchangeStepAttr : Nestor_Step<"Interchange", "interchange"> {
  let summary = "reorder the loops of one band";
  let description = [{
    The named loops, which belong to one permutable band, take the given order
    in the places that they held. Example: `#nestor.interchange<["L2", "L1"]>`
  }];
  let parameters = (ins "ArrayAttr":$loops);
  let assemblyFormat = "`<` $loops `>`";
  let genVerifyDecl = 1;
}

def Nestor_ReverseStepAttr : Nestor_Step<"Reverse", "reverse"> {
  let summary = "run a loop backwards";
  let description = "Example: `#nestor.reverse<\"L0\">`";
  let parameters = (ins "StringAttr":$loop);
  let assemblyFormat = "`<` $loop `>`";
}

def Nestor_TileStepAttr : Nestor_Step<"Tile", "tile"> {
  let summary = "tile loops of one permutable band";
  let description = [{
    Loop `L` of size `t` becomes a tile loop `L.t` (its values are multiples of
    `t`; all tile loops stand in front of the band) and the point loop `L`.
    Example: `#nestor.tile<["L0", "L1"], [32, 64]>`
  }];
  let parameters = (ins "ArrayAttr":$loops, "DenseI64ArrayAttr":$sizes);
  let assemblyFormat = "`<` $loops `,` $sizes `>`";
  let genVerifyDecl = 1;
}

def Nestor_UnrollStepAttr : Nestor_Step<"Unroll", "unroll"> {
  let summary = "unroll a loop";
  let description = "Example: `#nestor.unroll<\"L2\", 4>`";
  let parameters = (ins "StringAttr":$loop, "int64_t":$factor);
  let assemblyFormat = "`<` $loop `,` $factor `>`";
  let genVerifyDecl = 1;
}

def Nestor_UnrollJamStepAttr : Nestor_Step<"UnrollJam", "unroll_jam"> {
  let summary = "unroll a loop and fuse the copies of the loops inside";
  let description = "Example: `#nestor.unroll_jam<\"L0\", 6>`";
  let parameters = (ins "StringAttr":$loop, "int64_t":$factor);
  let assemblyFormat = "`<` $loop `,` $factor `>`";
  let genVerifyDecl = 1;
}

def Nestor_VectorizeStepAttr : Nestor_Step<"Vectorize", "vectorize"> {
  let summary = "make iterations of a loop the lanes of vectors, innermost";
  let description = [{
    `width` lanes a vector, `count` vectors side by side (a register tile's
    columns). Example: `#nestor.vectorize<"L1", 8, 2>`
  }];
  let parameters = (ins "StringAttr":$loop, "int64_t":$width, "int64_t":$count);
  let assemblyFormat = "`<` $loop `,` $width `,` $count `>`";
  let genVerifyDecl = 1;
}

def Nestor_PromoteStepAttr : Nestor_Step<"Promote", "promote"> {
  let summary = "keep cells that a loop does not move over in iter_args";
  let description = "Example: `#nestor.promote<\"L2\">`";
  let parameters = (ins "StringAttr":$loop);
  let assemblyFormat = "`<` $loop `>`";
}

#endif // NESTOR_DIALECT_NESTOR_TD
