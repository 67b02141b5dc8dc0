//===- nestor-synthetic-features.cpp - Feature caches for tests -----------===//
//
//   nestor-synthetic-features OUT PROGRAMS CANDIDATES [unlabelled] [SEED]
//
//===----------------------------------------------------------------------===//
#include "Synthetic.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

int main(int argc, char **argv) {
  if (argc < 4) {
    llvm::errs() << "usage: " << argv[0]
                 << " OUT PROGRAMS CANDIDATES [unlabelled] [SEED]\n";
    return 1;
  }
  bool labelled = argc < 5 || llvm::StringRef(argv[4]) != "unlabelled";
  int next = labelled ? 4 : 5;
  unsigned seed = argc > next ? std::atoi(argv[next]) : 1;
  if (auto error = mlir::nestor::writeSynthetic(
          argv[1], std::atoi(argv[2]), std::atoi(argv[3]), labelled, seed)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
