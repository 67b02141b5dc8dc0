//===- FeatureNames.cpp - The slots of every row kind ---------------------===//
//
// Features room. Names in the order in which the rows are written; a unit test
// holds them against docs/features.md and against the widths.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

using namespace mlir;
using namespace mlir::nestor;

using Names = std::vector<std::string>;

static void append(Names &names, const Names &more,
                   const std::string &prefix = "") {
  for (const std::string &name : more)
    names.push_back(prefix + name);
}

static Names numbered(const std::string &stem, unsigned count) {
  Names names;
  for (unsigned i = 0; i < count; ++i)
    names.push_back(stem + std::to_string(i));
  return names;
}

static Names flagNames() {
  Names names = {
      "is_reduction",   "writes_slot",     "is_live_out",   "reassociable",
      "contract",       "is_float",        "is_guarded",    "is_parametric",
      "is_empty",       "guard_share",     "num_loops",     "num_reads",
      "num_slot_reads", "num_constraints", "element_bytes", "instances",
      "latency",        "carried_latency", "num_arrays",    "num_tokens"};
  append(names, expressionCountNames(), "op_");
  append(names, {"num_constants", "num_ivs", "num_outside", "flops"});
  return names;
}

static Names domainNames() {
  Names loop;
  for (const char *bound : {"lower_", "upper_"}) {
    append(loop, numbered("d", kSourceDims), bound);
    append(loop, {"const", "params"}, bound);
  }
  append(loop, {"exists", "is_parametric", "step", "mean_trip", "max_trip",
                "num_lower", "num_upper"});
  Names names;
  for (unsigned i = 0; i < kSourceDims; ++i)
    append(names, loop, "loop" + std::to_string(i) + "_");
  return names;
}

static Names loopNames() {
  Names names = {
      "trip",          "own_trip",     "full_trip",        "partial_share",
      "step",          "vector_width", "num_sharers",      "level",
      "depth",         "block",        "inner_iterations", "outer_iterations",
      "num_children",  "is_tile",      "is_point",         "is_coincident",
      "is_permutable", "is_unroll",    "is_promote",       "is_vector",
      "is_reversed",   "is_skewed",    "is_still",         "is_nonaffine"};
  append(names, numbered("d", kSourceDims));
  append(names, {"const", "params", "divisor", "tile_level"});
  return names;
}

static Names accessNames() {
  Names names = {"is_write",     "is_slot",      "is_accumulator",
                 "is_own_array", "is_nonlinear", "is_dynamic",
                 "array",        "rank",         "element_bytes",
                 "array_bytes",  "path_latency"};
  for (unsigned d = 0; d < kArrayDims; ++d) {
    std::string prefix = "dim" + std::to_string(d) + "_";
    append(names, {"extent", "stride"}, prefix);
    append(names, numbered("d", kSourceDims), prefix);
    append(names, {"const", "params"}, prefix);
  }
  append(names, {"cells"});
  append(names, numbered("stride", kInnerLoops));
  append(names, numbered("cells", kInnerLoops));
  append(names, numbered("lines", kInnerLoops));
  return names;
}

Names nestor::featureNames(const std::string &kind) {
  if (kind == "flags")
    return flagNames();
  if (kind == "domain")
    return domainNames();
  if (kind == "loop")
    return loopNames();
  if (kind == "access")
    return accessNames();
  if (kind == "token")
    return tokenNames();
  return {};
}
