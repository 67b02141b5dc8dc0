//===- Protocol.cpp - Lines between a Measurer and its helper -------------===//
#include "Protocol.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>

using namespace mlir::nestor;
using llvm::json::Object;
using llvm::json::ObjectMapper;
using llvm::json::Path;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kStatusNames[] = {
    "ok", "wrong", "crashed", "timed-out", "compile-error"};
static constexpr llvm::StringLiteral kKindNames[] = {"ready", "base",
                                                     "candidate", "done"};

llvm::StringRef mlir::nestor::stringifyStatus(Measurement::Status status) {
  return kStatusNames[status];
}

template <typename Enum, size_t Count>
static bool parseName(const llvm::StringLiteral (&names)[Count],
                      llvm::StringRef text, Enum &value) {
  for (size_t index = 0; index < Count; ++index)
    if (names[index] == text) {
      value = Enum(index);
      return true;
    }
  return false;
}

/// Texts come from users; JSON must be UTF-8.
static json::Value toText(const std::string &text) {
  return llvm::json::isUTF8(text) ? json::Value(text)
                                  : json::Value(llvm::json::fixUTF8(text));
}

json::Value mlir::nestor::toJSON(const WorkOrder &order) {
  const MeasureJob &job = order.job;
  llvm::json::Array candidates;
  for (const std::string &text : job.candidateTexts)
    candidates.push_back(toText(text));
  Object object{{"base", toText(job.baseText)},
                {"candidates", std::move(candidates)},
                {"entry", toText(job.entry)},
                {"pairs", job.pairs},
                {"cutoff", job.cutoff},
                {"minSeconds", job.minSeconds},
                {"budgetSeconds", job.budgetSeconds},
                {"timeoutSeconds", job.timeoutSeconds},
                {"tolerance", job.tolerance},
                {"useAnchor", job.useAnchor},
                {"first", order.first},
                {"anchorLogRatio", order.anchorLogRatio},
                {"baseSeconds", order.baseSeconds}};
  if (order.anchor)
    object["anchor"] = *order.anchor;
  return object;
}

bool mlir::nestor::fromJSON(const json::Value &value, WorkOrder &order,
                            Path path) {
  MeasureJob &job = order.job;
  ObjectMapper map(value, path);
  return map && map.map("base", job.baseText) &&
         map.map("candidates", job.candidateTexts) &&
         map.mapOptional("entry", job.entry) &&
         map.mapOptional("pairs", job.pairs) &&
         map.mapOptional("cutoff", job.cutoff) &&
         map.mapOptional("minSeconds", job.minSeconds) &&
         map.mapOptional("budgetSeconds", job.budgetSeconds) &&
         map.mapOptional("timeoutSeconds", job.timeoutSeconds) &&
         map.mapOptional("tolerance", job.tolerance) &&
         map.mapOptional("useAnchor", job.useAnchor) &&
         map.mapOptional("first", order.first) &&
         map.mapOptional("anchor", order.anchor) &&
         map.mapOptional("anchorLogRatio", order.anchorLogRatio) &&
         map.mapOptional("baseSeconds", order.baseSeconds);
}

json::Value mlir::nestor::toJSON(const Report &report) {
  const Measurement &measurement = report.measurement;
  return Object{{"report", kKindNames[report.kind]},
                {"candidate", report.candidate},
                {"status", stringifyStatus(measurement.status)},
                {"logRatio", measurement.logRatio},
                {"spread", measurement.spread},
                {"baseSeconds", measurement.baseSeconds},
                {"pairs", measurement.pairs},
                {"baseHash", measurement.baseHash},
                {"candidateHash", measurement.candidateHash},
                {"detail", toText(measurement.detail)},
                {"isAnchor", report.isAnchor},
                {"mustRestart", report.mustRestart}};
}

bool mlir::nestor::fromJSON(const json::Value &value, Report &report,
                            Path path) {
  Measurement &measurement = report.measurement;
  std::string kind, status;
  ObjectMapper map(value, path);
  return map && map.map("report", kind) && map.map("status", status) &&
         parseName(kKindNames, kind, report.kind) &&
         parseName(kStatusNames, status, measurement.status) &&
         map.map("candidate", report.candidate) &&
         map.map("logRatio", measurement.logRatio) &&
         map.map("spread", measurement.spread) &&
         map.map("baseSeconds", measurement.baseSeconds) &&
         map.map("pairs", measurement.pairs) &&
         map.map("baseHash", measurement.baseHash) &&
         map.map("candidateHash", measurement.candidateHash) &&
         map.map("detail", measurement.detail) &&
         map.map("isAnchor", report.isAnchor) &&
         map.map("mustRestart", report.mustRestart);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

LineReader::Result LineReader::read(std::string &line, double seconds) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  size_t searched = 0;
  while (true) {
    size_t end = pending.find('\n', searched);
    if (end != std::string::npos) {
      line = pending.substr(0, end);
      pending.erase(0, end + 1);
      return Line;
    }
    searched = pending.size();
    int wait = -1;
    if (seconds >= 0) {
      std::chrono::duration<double> passed = Clock::now() - start;
      wait = int(std::max(0.0, (seconds - passed.count()) * 1000));
    }
    pollfd request{fileDescriptor, POLLIN, 0};
    int ready = poll(&request, 1, wait);
    if (ready == 0)
      return TimedOut;
    if (ready < 0 && errno == EINTR)
      continue;
    char buffer[1 << 16];
    ssize_t count = recv(fileDescriptor, buffer, sizeof(buffer), 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return Closed;
    pending.append(buffer, count);
  }
}

bool mlir::nestor::writeLine(int fileDescriptor, const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value << "\n";
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    // No signal when the other side is gone, only an error.
    ssize_t count =
        send(fileDescriptor, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    rest = rest.drop_front(count);
  }
  return true;
}
