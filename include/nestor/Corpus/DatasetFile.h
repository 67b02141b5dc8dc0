//===- DatasetFile.h - A dataset in one file --------------------*- C++ -*-===//
//
// Corpus room: what goes into the repository and between machines,
// *.nestor-dataset. All programs, targets and labels of a store:
//
//   "NSTRDATA", u32 format version;
//   blocks: u64 size, u64 compressed size, u64 xxh3 of the compressed bytes,
//           the bytes (zstd);
//   the end: u64 0, u64 number of blocks, u64 xxh3 of the blocks' hashes.
//
// Little-endian. A block holds JSON lines: targets, programs, and after each
// program its labels. Everything is checked before anything is believed.
//
//===----------------------------------------------------------------------===//
#ifndef NESTOR_CORPUS_DATASETFILE_H
#define NESTOR_CORPUS_DATASETFILE_H

#include "nestor/Corpus/Store.h"

namespace mlir::nestor {

inline constexpr uint32_t kDatasetVersion = 1;

/// Writes all of the store; the file appears whole or not at all.
llvm::Error exportDataset(Store &store, llvm::StringRef path);

/// Adds all of the file to the store, in one transaction.
llvm::Error importDataset(llvm::StringRef path, Store &store);

/// Adds all of another store, in one transaction. Where both have a label for
/// one schedule, the other's wins.
llvm::Error copyStore(Store &from, Store &to);

/// True if the file begins as a dataset file does.
bool isDatasetFile(llvm::StringRef path);

} // namespace mlir::nestor

#endif // NESTOR_CORPUS_DATASETFILE_H
