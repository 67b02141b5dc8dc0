//===- Store.h - Programs and labels in a database --------------*- C++ -*-===//
//
// Corpus room: the working store between the generator, the measurements and
// training. An SQLite file with a version; what goes into the repository is its
// export (DatasetFile.h).
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_CORPUS_STORE_H
#define NESTOR_CORPUS_STORE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct sqlite3;

namespace mlir::nestor {

/// The schema's version; a database with another one is refused.
inline constexpr int kStoreVersion = 1;

struct ProgramRecord {
  std::string id; ///< hashText(text)
  std::string text;
  uint64_t seed = 0;
  std::string profile; ///< "train", "fuzz", or the name of a collection
};

/// What was measured for one schedule of one program on one target.
struct LabelRecord {
  std::string program, target;
  std::string schedule; ///< list of #nestor.schedule, one per scop, as printed
  std::string candidateHash, baseHash; ///< of LLVM IR before optimization
  double logRatio = 0; ///< log(seconds of the base / of the candidate)
  double spread = 0;   ///< interquartile range of the pairs' log ratios
  int pairs = 0;
  double baseSeconds = 0;
  std::string status; ///< "ok", or as stringifyStatus gives it
  std::string detail; ///< why it is not ok
  std::string compiler;
};

struct TargetRecord {
  std::string name;
  std::string json; ///< as printTarget gives it
};

struct StoreCounts {
  int64_t programs = 0, targets = 0, labels = 0;
};

/// 32 hexadecimal digits that name a text.
std::string hashText(llvm::StringRef text);

class Store {
public:
  enum class Mode { MustExist, Create };
  /// Fails, with a message that says what to do, on a missing file, a file that
  /// is no database of this kind, and a database of another version.
  static llvm::Expected<std::unique_ptr<Store>> open(llvm::StringRef path,
                                                     Mode mode);
  ~Store();

  /// Runs `body` in one transaction: all of it is kept, or, if it fails or the
  /// process ends, nothing.
  llvm::Error transact(llvm::function_ref<llvm::Error()> body);

  /// A program that is there already stays; `isNew` tells.
  llvm::Error addProgram(const ProgramRecord &program, bool *isNew = nullptr);
  /// Fails if another descriptor has the same name.
  llvm::Error addTarget(const TargetRecord &target);
  /// Replaces the label of the same program, schedule and target.
  llvm::Error addLabel(const LabelRecord &label);
  /// Remembers that labelling has finished with a program, and how.
  llvm::Error setVisited(llvm::StringRef program, llvm::StringRef target,
                         llvm::StringRef outcome);

  /// In order of insertion.
  llvm::Expected<std::vector<std::string>> getProgramIds();
  llvm::Expected<ProgramRecord> getProgram(llvm::StringRef id);
  llvm::Expected<std::vector<TargetRecord>> getTargets();
  /// Of one program, in order of insertion; of every target if it is empty.
  llvm::Expected<std::vector<LabelRecord>> getLabels(llvm::StringRef program,
                                                     llvm::StringRef target);
  /// Programs that labelling has not finished with on this target.
  llvm::Expected<std::vector<std::string>> getUnvisited(llvm::StringRef target);
  llvm::Expected<StoreCounts> count();

private:
  explicit Store(std::string path) : path(std::move(path)) {}
  llvm::Error prepare(Mode mode);
  llvm::Error createSchema();
  llvm::Error execute(const char *sql);
  llvm::Error fail(llvm::StringRef doing);

  friend class Query;
  std::string path;
  sqlite3 *db = nullptr;
};

} // namespace mlir::nestor

#endif // NESTOR_CORPUS_STORE_H
