//===- Nestor.cpp - The nestor dialect: verification of schedules ---------===//
//
// Dialect room: attributes are parsed and printed from TableGen; this file
// holds what a declaration cannot say, the checks of form. Whether a tree is
// legal for a program is the Schedule room's question.
//
//===----------------------------------------------------------------------===//
#include "nestor/Dialect/Nestor.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nestor;

//===----------------------------------------------------------------------===//
// Domains of filters
//===----------------------------------------------------------------------===//

/// An integer set as a string, or any attribute (the verifier wants a set).
static ParseResult parseDomain(AsmParser &parser, Attribute &domain) {
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalString(&text)))
    return parser.parseAttribute(domain);
  IntegerSet set;
  {
    // One message, at the string, says more than one about its inside.
    ScopedDiagnosticHandler quiet(parser.getContext(),
                                  [](Diagnostic &) { return success(); });
    set = parseIntegerSet(text, parser.getContext());
  }
  if (!set)
    return parser.emitError(loc)
           << "filter: domains must be lists of integer sets";
  domain = IntegerSetAttr::get(set);
  return success();
}

static ParseResult parseDomains(AsmParser &parser, ArrayAttr &domains) {
  using Delimiter = AsmParser::Delimiter;
  SmallVector<Attribute> lists;
  auto parseList = [&]() -> ParseResult {
    SmallVector<Attribute> sets;
    SMLoc loc = parser.getCurrentLocation();
    auto parseSet = [&] { return parseDomain(parser, sets.emplace_back()); };
    if (failed(parser.parseOptionalLSquare()))
      return parser.emitError(loc)
             << "filter: domains must be lists of integer sets";
    if (failed(parser.parseOptionalRSquare()) &&
        (parser.parseCommaSeparatedList(parseSet) || parser.parseRSquare()))
      return failure();
    lists.push_back(ArrayAttr::get(parser.getContext(), sets));
    return success();
  };
  if (parser.parseCommaSeparatedList(Delimiter::Square, parseList))
    return failure();
  domains = ArrayAttr::get(parser.getContext(), lists);
  return success();
}

static void printDomains(AsmPrinter &printer, ArrayAttr domains) {
  auto &os = printer.getStream();
  os << '[';
  llvm::interleaveComma(domains, os, [&](Attribute list) {
    os << '[';
    llvm::interleaveComma(cast<ArrayAttr>(list), os, [&](Attribute set) {
      os << '"';
      cast<IntegerSetAttr>(set).getValue().print(os);
      os << '"';
    });
    os << ']';
  });
  os << ']';
}

#include "nestor/Dialect/NestorDialect.cpp.inc"
#include "nestor/Dialect/NestorEnums.cpp.inc"
#include "nestor/Dialect/NestorInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "nestor/Dialect/NestorAttrs.cpp.inc"

using EmitError = function_ref<InFlightDiagnostic()>;

void NestorDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nestor/Dialect/NestorAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes on operations
//===----------------------------------------------------------------------===//

LogicalResult NestorDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kScheduleAttrName) {
    auto list = dyn_cast<ArrayAttr>(attr.getValue());
    if (!isa<FunctionOpInterface>(op) || !list)
      return op->emitOpError("attribute 'nestor.schedule' must be an array of "
                             "#nestor.schedule on a function");
    for (Attribute entry : list)
      if (!isa<ScheduleAttr>(entry))
        return op->emitOpError("attribute 'nestor.schedule' holds ")
               << entry << ", which is no #nestor.schedule";
    return success();
  }
  if (name == kSkipAttrName || name == kFallbackAttrName ||
      name == kScheduledAttrName) {
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitOpError("attribute '")
             << name << "' must be a unit attribute";
    return success();
  }
  return op->emitOpError("unknown attribute '")
         << name << "': the nestor dialect knows nestor.schedule, nestor.skip, "
         << "nestor.fallback and nestor.scheduled on operations";
}

LogicalResult NestorDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned argIndex,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kInitAttrName && isa<StringAttr>(attr.getValue()))
    return success();
  if (name == kValueAttrName && isa<FloatAttr, IntegerAttr>(attr.getValue()))
    return success();
  return op->emitOpError("argument #")
         << argIndex << " has attribute '" << name
         << "': expected nestor.init (a string) or nestor.value (a number)";
}

//===----------------------------------------------------------------------===//
// Form of the tree
//===----------------------------------------------------------------------===//

LogicalResult MarkAttr::verify(EmitError emitError, MarkKind kind,
                               int64_t block, int64_t width) {
  bool hasBlock = block >= 2 && block <= 1024;
  if (kind == MarkKind::Vector &&
      (!hasBlock || width < 2 || block % width != 0))
    return emitError() << "mark 'vector': needs a block of 2 to 1024 that is a "
                          "multiple of a width of at least 2";
  if (kind == MarkKind::Unroll && (!hasBlock || width != 0))
    return emitError()
           << "mark 'unroll': needs a block of 2 to 1024 and no width";
  if (kind == MarkKind::Promote && (block != 0 || width != 0))
    return emitError() << "mark 'promote': takes neither block nor width";
  return success();
}

LogicalResult MemberAttr::verify(EmitError emitError, StringAttr name,
                                 ArrayAttr maps, bool, ArrayAttr marks) {
  if (name.getValue().empty())
    return emitError() << "band member needs a name";
  for (Attribute map : maps) {
    auto mapAttr = dyn_cast<AffineMapAttr>(map);
    if (!mapAttr || mapAttr.getValue().getNumResults() != 1)
      return emitError() << "band member '" << name.getValue()
                         << "': each map must be an affine map with one result";
  }
  llvm::SmallDenseSet<MarkKind> seen;
  if (marks)
    for (Attribute mark : marks) {
      auto markAttr = dyn_cast<MarkAttr>(mark);
      if (!markAttr)
        return emitError() << "band member '" << name.getValue()
                           << "': expected a #nestor.mark but got " << mark;
      if (!seen.insert(markAttr.getKind()).second)
        return emitError() << "band member '" << name.getValue() << "': mark '"
                           << stringifyMarkKind(markAttr.getKind())
                           << "' is given twice";
    }
  return success();
}

/// True for the attributes that may stand below a band or a filter.
static bool isTreeNode(Attribute node) {
  return isa_and_nonnull<LeafAttr, BandAttr, SequenceAttr>(node);
}

static LogicalResult verifyStmts(EmitError emitError, StringRef what,
                                 DenseI64ArrayAttr stmts, Attribute child) {
  if (stmts.empty())
    return emitError() << what << " without statements";
  for (auto [a, b] :
       llvm::zip(stmts.asArrayRef(), stmts.asArrayRef().drop_front()))
    if (a >= b)
      return emitError() << what << ": statement numbers must rise";
  if (stmts[0] < 0)
    return emitError() << what << ": statement numbers start at 0";
  if (!isTreeNode(child))
    return emitError() << what
                       << ": child must be a band, a sequence or a leaf";
  return success();
}

LogicalResult BandAttr::verify(EmitError emitError, DenseI64ArrayAttr stmts,
                               ArrayAttr members, bool, Attribute child) {
  if (failed(verifyStmts(emitError, "band", stmts, child)))
    return failure();
  if (members.empty())
    return emitError() << "band without members";
  for (Attribute member : members) {
    auto memberAttr = dyn_cast<MemberAttr>(member);
    if (!memberAttr)
      return emitError() << "band: expected a #nestor.member but got "
                         << member;
    if (memberAttr.getMaps().size() != size_t(stmts.size()))
      return emitError() << "band member '" << memberAttr.getName().getValue()
                         << "' has " << memberAttr.getMaps().size()
                         << " maps for " << stmts.size() << " statements";
  }
  return success();
}

LogicalResult FilterAttr::verify(EmitError emitError, DenseI64ArrayAttr stmts,
                                 ArrayAttr domains, Attribute child) {
  if (failed(verifyStmts(emitError, "filter", stmts, child)))
    return failure();
  if (!domains)
    return success();
  if (domains.size() != size_t(stmts.size()))
    return emitError() << "filter: one list of integer sets per statement";
  for (Attribute list : domains) {
    auto sets = dyn_cast<ArrayAttr>(list);
    if (!sets || !llvm::all_of(sets, llvm::IsaPred<IntegerSetAttr>))
      return emitError() << "filter: domains must be lists of integer sets";
  }
  return success();
}

LogicalResult SequenceAttr::verify(EmitError emitError, ArrayAttr children) {
  if (children.empty())
    return emitError() << "sequence without branches";
  for (Attribute child : children)
    if (!isa<FilterAttr>(child))
      return emitError() << "sequence: every branch must be a #nestor.filter";
  return success();
}

LogicalResult NewArrayAttr::verify(EmitError emitError, ArrayKind,
                                   int64_t source, TypeAttr type,
                                   DenseI64ArrayAttr stmts, ArrayAttr maps) {
  if (source < 0)
    return emitError() << "array table: array numbers start at 0";
  auto memref = dyn_cast<MemRefType>(type.getValue());
  if (!memref)
    return emitError() << "array table: type must be a memref";
  if (maps.size() != size_t(stmts.size()))
    return emitError() << "array table: one map per statement";
  for (Attribute map : maps) {
    auto mapAttr = dyn_cast<AffineMapAttr>(map);
    if (!mapAttr || mapAttr.getValue().getNumResults() != memref.getRank())
      return emitError()
             << "array table: each map needs as many results as the "
                "array has dimensions";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Whole trees
//===----------------------------------------------------------------------===//

namespace {
/// Walks a tree with the set of statements that reach each node.
class TreeVerifier {
public:
  explicit TreeVerifier(EmitError emitError) : emitError(emitError) {}
  LogicalResult visit(Attribute node, ArrayRef<int64_t> active);

private:
  LogicalResult visitBand(BandAttr band, ArrayRef<int64_t> active);
  LogicalResult visitSequence(SequenceAttr sequence, ArrayRef<int64_t> active);

  EmitError emitError;
  llvm::StringSet<> names;
};
} // namespace

LogicalResult TreeVerifier::visitBand(BandAttr band, ArrayRef<int64_t> active) {
  if (band.getStmts().asArrayRef() != active)
    return emitError() << "band " << band.getStmts()
                       << " must list the statements that reach it";
  for (auto member : band.getMembers().getAsRange<MemberAttr>())
    if (!names.insert(member.getName().getValue()).second)
      return emitError() << "loop name '" << member.getName().getValue()
                         << "' is used twice";
  return visit(band.getChild(), active);
}

LogicalResult TreeVerifier::visitSequence(SequenceAttr sequence,
                                          ArrayRef<int64_t> active) {
  llvm::SmallDenseSet<int64_t> reached;
  for (auto filter : sequence.getChildren().getAsRange<FilterAttr>()) {
    for (int64_t stmt : filter.getStmts().asArrayRef()) {
      if (!llvm::is_contained(active, stmt))
        return emitError() << "filter names statement " << stmt
                           << ", which does not reach its sequence";
      if (!reached.insert(stmt).second && !filter.getDomains())
        return emitError() << "statement " << stmt
                           << " is in two branches of one sequence";
    }
    if (failed(visit(filter.getChild(), filter.getStmts().asArrayRef())))
      return failure();
  }
  if (reached.size() != active.size())
    return emitError() << "a sequence must have a branch for every statement";
  return success();
}

LogicalResult TreeVerifier::visit(Attribute node, ArrayRef<int64_t> active) {
  return llvm::TypeSwitch<Attribute, LogicalResult>(node)
      .Case<LeafAttr>([](auto) { return success(); })
      .Case<BandAttr>([&](BandAttr band) { return visitBand(band, active); })
      .Case<SequenceAttr>(
          [&](SequenceAttr seq) { return visitSequence(seq, active); })
      .Default([&](Attribute other) {
        return emitError() << "expected a band, a sequence or a leaf but got "
                           << other;
      });
}

/// The statements that the topmost node mentions.
static SmallVector<int64_t> rootStmts(Attribute tree) {
  SmallVector<int64_t> stmts;
  if (auto band = dyn_cast<BandAttr>(tree))
    stmts.append(band.getStmts().asArrayRef().begin(),
                 band.getStmts().asArrayRef().end());
  if (auto sequence = dyn_cast<SequenceAttr>(tree))
    for (auto filter : sequence.getChildren().getAsRange<FilterAttr>())
      stmts.append(filter.getStmts().asArrayRef().begin(),
                   filter.getStmts().asArrayRef().end());
  llvm::sort(stmts);
  stmts.erase(llvm::unique(stmts), stmts.end());
  return stmts;
}

LogicalResult nestor::verifyScheduleTree(EmitError emitError, Attribute tree,
                                         unsigned &numStmts) {
  SmallVector<int64_t> stmts = rootStmts(tree);
  numStmts = isa<LeafAttr>(tree) ? 1 : stmts.size();
  for (auto [i, stmt] : llvm::enumerate(stmts))
    if (stmt != int64_t(i))
      return emitError() << "the tree must hold statements 0 to "
                         << stmts.size() - 1 << ", but " << i << " is missing";
  return TreeVerifier(emitError).visit(tree, stmts);
}

LogicalResult ScheduleAttr::verify(EmitError emitError, int64_t version,
                                   StringAttr hash, Attribute tree,
                                   ArrayAttr arrays, ArrayAttr steps) {
  if (version != kScheduleVersion)
    return emitError() << "schedule has version " << version
                       << ", but this build reads version " << kScheduleVersion;
  if (hash.getValue().size() != 16 ||
      !llvm::all_of(hash.getValue(), llvm::isHexDigit))
    return emitError() << "schedule hash must have 16 hexadecimal digits";
  if (!tree && !steps)
    return emitError() << "schedule needs a tree or steps";
  if (arrays && !llvm::all_of(arrays, llvm::IsaPred<NewArrayAttr>))
    return emitError() << "array table must hold #nestor.array entries";
  if (steps)
    for (Attribute step : steps)
      if (step.getDialect().getNamespace() != "nestor" ||
          !isa<InterchangeStepAttr, ReverseStepAttr, TileStepAttr,
               UnrollStepAttr, UnrollJamStepAttr, VectorizeStepAttr,
               PromoteStepAttr>(step))
        return emitError() << "expected a schedule step but got " << step;
  unsigned numStmts;
  return tree ? verifyScheduleTree(emitError, tree, numStmts) : success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static LogicalResult verifyLoopNames(EmitError emitError, StringRef step,
                                     ArrayAttr loops, size_t atLeast) {
  llvm::StringSet<> names;
  for (Attribute loop : loops) {
    auto name = dyn_cast<StringAttr>(loop);
    if (!name)
      return emitError() << step << ": loops are named by strings";
    if (!names.insert(name.getValue()).second)
      return emitError() << step << ": loop '" << name.getValue()
                         << "' is named twice";
  }
  if (loops.size() < atLeast)
    return emitError() << step << ": needs at least " << atLeast << " loops";
  return success();
}

LogicalResult InterchangeStepAttr::verify(EmitError emitError,
                                          ArrayAttr loops) {
  return verifyLoopNames(emitError, "interchange", loops, 2);
}

LogicalResult TileStepAttr::verify(EmitError emitError, ArrayAttr loops,
                                   DenseI64ArrayAttr sizes) {
  if (failed(verifyLoopNames(emitError, "tile", loops, 1)))
    return failure();
  if (loops.size() != size_t(sizes.size()))
    return emitError() << "tile: one size per loop";
  for (int64_t size : sizes.asArrayRef())
    if (size < 2 || size > (1 << 20))
      return emitError() << "tile: sizes must be 2 to 1048576";
  return success();
}

static LogicalResult verifyFactor(EmitError emitError, StringRef step,
                                  int64_t factor) {
  if (factor < 2 || factor > 64)
    return emitError() << step << ": factor must be 2 to 64";
  return success();
}

LogicalResult UnrollStepAttr::verify(EmitError emitError, StringAttr,
                                     int64_t factor) {
  return verifyFactor(emitError, "unroll", factor);
}

LogicalResult UnrollJamStepAttr::verify(EmitError emitError, StringAttr,
                                        int64_t factor) {
  return verifyFactor(emitError, "unroll_jam", factor);
}

LogicalResult VectorizeStepAttr::verify(EmitError emitError, StringAttr,
                                        int64_t width, int64_t count) {
  if (width < 2 || width > 64 || count < 1 || count > 16)
    return emitError() << "vectorize: width must be 2 to 64 and count 1 to 16";
  return success();
}
