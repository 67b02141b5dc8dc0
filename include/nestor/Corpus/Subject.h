//===- Subject.h - A stored program, ready for schedules --------*- C++ -*-===//
//
// Corpus room: program text in, its scop with dependences and skeletons out;
// and the way between candidates and the schedule text that labels hold.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_CORPUS_SUBJECT_H
#define NESTOR_CORPUS_SUBJECT_H

#include "nestor/Search/Search.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace mlir::nestor {

/// A program of one function with one scop; labels are kept for such programs
/// only, so that a measured time is the time of one schedule.
class Subject {
public:
  /// Fails, with the reason, on text that does not parse and on programs that
  /// cannot be scheduled.
  static llvm::Expected<std::unique_ptr<Subject>> create(llvm::StringRef text);

  const Scop &getScop() const { return *tree.scops.front(); }
  /// The program as written.
  const Candidate &getSource() const { return skeletons.front(); }
  ArrayRef<Candidate> getSkeletons() const { return skeletons; }

  /// The list of schedules, one per scop, as `nestor.schedule` has it.
  std::string print(const Candidate &candidate) const;
  /// Reads what `print` wrote. Fails if it is for another program, or illegal.
  llvm::Expected<Candidate> parse(llvm::StringRef schedule);
  /// The program's text after the schedule is applied. The subject stays as it
  /// is.
  llvm::Expected<std::string> apply(llvm::StringRef schedule) const;

  /// Legal candidates to measure or to learn from, none twice, never the
  /// source; fewer than `count` where there are no more. The same for the same
  /// seed.
  std::vector<Candidate> sample(unsigned count, uint64_t seed,
                                const TargetDescriptor &target) const;
  /// What searches find best by the model, by the model tempered, and by the
  /// analytical model, in turns: a search finds a model's errors, and these are
  /// the labels that correct them. None twice, never the source; `count` at
  /// most.
  llvm::Expected<std::vector<Candidate>>
  search(unsigned count, CostModel &model,
         const TargetDescriptor &target) const;
  /// True if some operation may be fused or reassociated: equal results are
  /// then equal up to rounding.
  bool mayRound() const;
  /// How much results may differ, relative; 0: not at all.
  double getTolerance() const;

private:
  Subject();
  SearchOptions getSearchOptions(const TargetDescriptor &target,
                                 uint64_t seed) const;
  llvm::Error analyse(llvm::StringRef text);

  std::unique_ptr<MLIRContext> context;
  std::string text;
  OwningOpRef<ModuleOp> module;
  LoopTree tree;
  std::unique_ptr<Legality> legality;
  std::vector<Candidate> skeletons;
};

} // namespace mlir::nestor

#endif // NESTOR_CORPUS_SUBJECT_H
