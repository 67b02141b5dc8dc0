//===- Generate.cpp - nestor-data generate --------------------------------===//
//
// Random programs, into a database or a folder of .mlir files.
//
//===----------------------------------------------------------------------===//
#include "GeneratorFlags.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::nestor;
using namespace mlir::nestor::data;
namespace cl = llvm::cl;

static llvm::Error run();
Command data::generate = {generateCommand(), run};

static cl::opt<unsigned> count("count", cl::desc("Number of programs"),
                               cl::init(10), cl::sub(generateCommand()),
                               cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("First seed; one a program"),
                              cl::init(1), cl::sub(generateCommand()),
                              cl::cat(category));
static cl::opt<std::string> folder("o", cl::desc("Write .mlir files here"),
                                   cl::value_desc("folder"),
                                   cl::sub(generateCommand()),
                                   cl::cat(category));
static cl::opt<std::string> db("db", cl::desc("Add to this database"),
                               cl::value_desc("file"),
                               cl::sub(generateCommand()), cl::cat(category));

static llvm::Error writeText(llvm::StringRef path, llvm::StringRef text) {
  // A temporary file beside `path`, then a rename.
  auto error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
  if (error)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// Calls `keep` with every program.
static llvm::Error
forEachProgram(const GeneratorOptions &options,
               llvm::function_ref<llvm::Error(ProgramRecord)> keep) {
  for (unsigned i = 0; i < count; ++i) {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    auto module = generateProgram(context, options, seed + i);
    ProgramRecord program;
    program.text = canonicalText(*module);
    program.id = hashText(program.text);
    program.seed = seed + i;
    program.profile = getProfileName().str();
    if (auto error = keep(std::move(program)))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error writeFolder(const GeneratorOptions &options) {
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError("cannot make folder '" + folder +
                                   "': " + code.message());
  return forEachProgram(options, [&](ProgramRecord program) {
    llvm::SmallString<128> path(folder.getValue());
    llvm::sys::path::append(path,
                            llvm::formatv("{0:d6}.mlir", program.seed).str());
    return writeText(path, program.text);
  });
}

static llvm::Error fillStore(const GeneratorOptions &options) {
  auto store = openStore(db, Store::Mode::Create);
  if (!store)
    return store.takeError();
  unsigned added = 0;
  auto error = (*store)->transact([&] {
    return forEachProgram(options, [&](ProgramRecord program) {
      bool isNew = false;
      auto error = (*store)->addProgram(program, &isNew);
      added += isNew;
      return error;
    });
  });
  if (!error)
    llvm::outs() << "added " << added << " programs, " << count - added
                 << " were there\n";
  return error;
}

static llvm::Error run() {
  auto options = readGeneratorOptions();
  if (!options)
    return options.takeError();
  if (folder.empty() == db.empty())
    return llvm::createStringError(
        "say where to: --db <file>, or -o <folder> for .mlir files");
  return db.empty() ? writeFolder(*options) : fillStore(*options);
}
