//===- Serve.cpp - nestor-measure serve and worker ------------------------===//
//
// serve answers jobs, JSON lines, for programs that are not C++; it stands
// outside the process that runs candidates (worker), as a Measurer does.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "nestor/Execution/Measure.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <fcntl.h>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir::nestor;
using llvm::json::Object;
namespace json = llvm::json;

/// Programs may be given as text or as the path of a file.
static llvm::Error readProgram(std::string &text) {
  if (text.find('\n') != std::string::npos || !llvm::sys::fs::exists(text))
    return llvm::Error::success();
  auto buffer = llvm::MemoryBuffer::getFile(text);
  if (!buffer)
    return llvm::createStringError("cannot read '" + text +
                                   "': " + buffer.getError().message());
  text = (*buffer)->getBuffer().str();
  return llvm::Error::success();
}

static llvm::Expected<MeasureJob> readJob(const json::Value &value) {
  MeasureJob job;
  llvm::json::Path::Root root("job");
  llvm::json::ObjectMapper map(value, root);
  if (!map || !map.map("base", job.baseText) ||
      !map.map("candidates", job.candidateTexts) ||
      !map.mapOptional("entry", job.entry) ||
      !map.mapOptional("pairs", job.pairs) ||
      !map.mapOptional("cutoff", job.cutoff) ||
      !map.mapOptional("minSeconds", job.minSeconds) ||
      !map.mapOptional("budgetSeconds", job.budgetSeconds) ||
      !map.mapOptional("timeoutSeconds", job.timeoutSeconds) ||
      !map.mapOptional("tolerance", job.tolerance) ||
      !map.mapOptional("useAnchor", job.useAnchor))
    return root.getError();
  if (llvm::Error error = readProgram(job.baseText))
    return std::move(error);
  for (std::string &text : job.candidateTexts)
    if (llvm::Error error = readProgram(text))
      return std::move(error);
  return job;
}

static json::Value printMeasurement(const Measurement &measurement,
                                    bool timed) {
  Object object{{"status", stringifyStatus(measurement.status)},
                {"same", measurement.status == Measurement::Ok},
                {"baseHash", measurement.baseHash},
                {"candidateHash", measurement.candidateHash}};
  if (!measurement.detail.empty())
    object["detail"] = llvm::json::fixUTF8(measurement.detail);
  if (measurement.status == Measurement::Ok && timed) {
    object["ratio"] = std::exp(measurement.logRatio);
    object["logRatio"] = measurement.logRatio;
    object["spread"] = measurement.spread;
    object["pairs"] = measurement.pairs;
    object["baseSeconds"] = measurement.baseSeconds;
  }
  return object;
}

/// The answer to one line; a bad line gets an answer, too.
static json::Value answer(Measurer &measurer, const std::string &line) {
  Object object;
  auto fail = [&](llvm::Error error) -> json::Value {
    object["error"] = llvm::json::fixUTF8(llvm::toString(std::move(error)));
    return std::move(object);
  };
  llvm::Expected<json::Value> value = llvm::json::parse(line);
  if (!value)
    return fail(value.takeError());
  if (const Object *request = value->getAsObject())
    if (const json::Value *id = request->get("id"))
      object["id"] = *id;
  llvm::Expected<MeasureJob> job = readJob(*value);
  if (!job)
    return fail(job.takeError());
  auto measurements = measurer.measure(*job);
  if (!measurements)
    return fail(measurements.takeError());
  llvm::json::Array results;
  for (const Measurement &measurement : *measurements)
    results.push_back(printMeasurement(measurement, job->pairs > 0));
  object["results"] = std::move(results);
  return std::move(object);
}

int mlir::nestor::runServe(int core, uint64_t memoryBytes) {
  MeasurerOptions options;
  options.core = core;
  options.memoryBytes = memoryBytes;
  Measurer measurer(options);
  std::string line;
  while (std::getline(std::cin, line)) {
    if (llvm::StringRef(line).trim().empty())
      continue;
    llvm::outs() << answer(measurer, line) << "\n";
    llvm::outs().flush();
  }
  return kSame;
}

int mlir::nestor::runWorkerCommand(int core, uint64_t memoryBytes) {
  // The connection moves away from standard input and output, which belong to
  // the measured programs.
  int connection = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (connection < 0 || nowhere < 0)
    return kError;
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (memoryBytes) {
    rlimit limit{memoryBytes, memoryBytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  int status = runWorker(connection, core);
  // Whatever a candidate did to this process, nothing of it runs any more.
  _exit(status);
}
