//===- TrainingData.h - What nestor-train reads -----------------*- C++ -*-===//
//
// Model room: programs with candidates as features, some of them labelled, and
// the feature cache (*.nestor-features) that carries them from `nestor-data` to
// `nestor-train`. Nothing here depends on torch; link NestorTrainingData.
//
// To write a cache:
//
//   FeatureCacheHeader header;
//   header.targetName = target.name;            // where the labels were
//   measured header.target = targetFeatures(target);
//   header.provenance["dataset"] = <hash of the dataset>; // any further
//   strings auto writer = FeatureCacheWriter::create("x.nestor-features",
//   header); if (!writer) return writer.takeError(); for (each program) {
//     TrainingProgram program;
//     program.id = ...;        // see TrainingProgram
//     program.samples = ...;   // all candidates of the program
//     if (auto error = (*writer)->append(program)) return error;
//   }
//   if (auto error = (*writer)->finish()) return error; // else no file appears
//
// The file: "NSTRFEAT", u32 format version, u64 size of the header, the header
// (JSON), u64 its xxh3; then a record per program: u64 size, the payload, u64
// its xxh3; then u64 ~0, u64 number of programs, u64 number of samples, u64
// xxh3 of the records' hashes (the dataset's hash). Little-endian. Equal rows
// of one program are stored once, so that 30 candidates cost little more than
// one.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_MODEL_TRAININGDATA_H
#define NESTOR_MODEL_TRAININGDATA_H

#include "nestor/Cost/CostModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::nestor {

/// One candidate of a program.
struct TrainingSample {
  ModelInput input;
  /// Measured log(time of the base / time of the candidate), natural logarithm;
  /// NaN where nothing was measured (pre-training needs no labels).
  float logSpeedup = 0;
  /// Uncertainty of the label in the same unit: half the width of the interval
  /// that the measurement gives for it, 0 if unknown. Pairs of candidates that
  /// lie closer together than this are not ranked.
  float spread = 0;
};

/// The candidates of one program, the program as written first (labelled 0, or
/// not at all if nothing is).
struct TrainingProgram {
  /// Names the program over all datasets: its hash, the same for every file
  /// that it appears in. The split into training, validation and test follows
  /// from it alone, so programs that must stay together (one kernel in several
  /// sizes) share the part before the first '#': "gemm#large", "gemm#small".
  std::string id;
  std::vector<TrainingSample> samples;
};

struct FeatureCacheHeader {
  /// One file holds the labels of one machine.
  std::string targetName;
  std::array<float, kTargetDim> target{};
  /// Where the data came from, for people: generator, its seed, dataset's hash,
  /// tool version. Copied into the header of weights trained on it.
  std::map<std::string, std::string> provenance;
};

class FeatureCacheWriter {
public:
  virtual ~FeatureCacheWriter();
  /// Starts a file; it appears under `path` when `finish` succeeds.
  static llvm::Expected<std::unique_ptr<FeatureCacheWriter>>
  create(llvm::StringRef path, const FeatureCacheHeader &header);
  /// Refuses rows of a wrong width, numbers that are not finite, trees whose
  /// parents do not precede their children, and labels without a first one of
  /// 0.
  virtual llvm::Error append(const TrainingProgram &program) = 0;
  virtual llvm::Error finish() = 0;
};

/// A whole cache in memory.
struct TrainingData {
  FeatureCacheHeader header;
  std::vector<TrainingProgram> programs;
  uint64_t hash = 0; ///< of the programs' content
};

/// Reads a cache; a damaged, truncated or outdated file is an error that names
/// it.
llvm::Expected<TrainingData> readFeatureCache(llvm::StringRef path);

/// The parts of a dataset. Programs are never torn apart, and a program falls
/// into the same part in every dataset.
enum class Split { Train, Validation, Test };
inline constexpr unsigned kTrainPercent = 70, kValidationPercent = 10;

/// By hash of the id's part before the first '#'.
Split getSplit(llvm::StringRef programId);

} // namespace mlir::nestor

#endif // NESTOR_MODEL_TRAININGDATA_H
