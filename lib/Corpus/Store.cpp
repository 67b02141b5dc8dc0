//===- Store.cpp - Programs and labels in a database ----------------------===//
//
// Corpus room; see Store.h. SQLite's default rollback journal: a process that
// dies at any moment leaves the last committed state.
//
//===----------------------------------------------------------------------===//
#include "nestor/Corpus/Store.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include <sqlite3.h>

using namespace mlir::nestor;
using llvm::StringRef;

/// Marks the file as ours, in SQLite's header ("NSTR").
static constexpr int kApplicationId = 0x4e535452;

static constexpr const char *kSchema = R"(
CREATE TABLE programs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  seed INTEGER NOT NULL,
  profile TEXT NOT NULL);
CREATE TABLE targets (
  name TEXT PRIMARY KEY,
  json TEXT NOT NULL);
CREATE TABLE labels (
  number INTEGER PRIMARY KEY,
  program TEXT NOT NULL REFERENCES programs(id),
  target TEXT NOT NULL REFERENCES targets(name),
  schedule_hash TEXT NOT NULL,
  schedule TEXT NOT NULL,
  candidate_hash TEXT NOT NULL,
  base_hash TEXT NOT NULL,
  log_ratio REAL NOT NULL,
  spread REAL NOT NULL,
  pairs INTEGER NOT NULL,
  base_seconds REAL NOT NULL,
  status TEXT NOT NULL,
  detail TEXT NOT NULL,
  compiler TEXT NOT NULL,
  UNIQUE (program, target, schedule_hash));
CREATE TABLE visits (
  program TEXT NOT NULL REFERENCES programs(id),
  target TEXT NOT NULL,
  outcome TEXT NOT NULL,
  PRIMARY KEY (program, target)) WITHOUT ROWID;
)";

std::string mlir::nestor::hashText(StringRef text) {
  auto digest = llvm::SHA256::hash(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(llvm::ArrayRef(digest).take_front(16), true);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

namespace mlir::nestor {
/// A prepared statement; bind in order, then step. Keeps the first error.
class Query {
public:
  Query(Store &store, const char *sql) : store(store) {
    result = sqlite3_prepare_v2(store.db, sql, -1, &handle, nullptr);
  }
  ~Query() { sqlite3_finalize(handle); }
  Query(const Query &) = delete;
  Query &operator=(const Query &) = delete;

  Query &bind(StringRef text) {
    return note(sqlite3_bind_text(handle, ++bound, text.data(),
                                  int(text.size()), SQLITE_TRANSIENT));
  }
  Query &bind(int64_t number) {
    return note(sqlite3_bind_int64(handle, ++bound, number));
  }
  Query &bind(double number) {
    return note(sqlite3_bind_double(handle, ++bound, number));
  }

  /// True while there is a row.
  bool step() {
    if (result != SQLITE_OK)
      return false;
    int code = sqlite3_step(handle);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
      result = code;
    return code == SQLITE_ROW;
  }
  llvm::Error finish(StringRef doing) {
    return result == SQLITE_OK ? llvm::Error::success() : store.fail(doing);
  }
  llvm::Error run(StringRef doing) {
    step();
    return finish(doing);
  }

  std::string text(int column) {
    const auto *data =
        reinterpret_cast<const char *>(sqlite3_column_text(handle, column));
    return data ? std::string(data, sqlite3_column_bytes(handle, column)) : "";
  }
  int64_t integer(int column) { return sqlite3_column_int64(handle, column); }
  double real(int column) { return sqlite3_column_double(handle, column); }

private:
  Query &note(int code) {
    if (result == SQLITE_OK)
      result = code;
    return *this;
  }
  Store &store;
  sqlite3_stmt *handle = nullptr;
  int result = SQLITE_OK, bound = 0;
};
} // namespace mlir::nestor

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

llvm::Error Store::fail(StringRef doing) {
  return llvm::createStringError("cannot " + doing + " '" + path +
                                 "': " + sqlite3_errmsg(db));
}

llvm::Error Store::execute(const char *sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return fail("write");
  return llvm::Error::success();
}

Store::~Store() { sqlite3_close(db); }

llvm::Error Store::createSchema() {
  return transact([&]() -> llvm::Error {
    if (auto error = execute(kSchema))
      return error;
    std::string pragmas =
        "PRAGMA application_id = " + std::to_string(kApplicationId) +
        "; PRAGMA user_version = " + std::to_string(kStoreVersion);
    return execute(pragmas.c_str());
  });
}

llvm::Error Store::prepare(Mode mode) {
  int flags = SQLITE_OPEN_READWRITE;
  if (mode == Mode::Create)
    flags |= SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &db, flags, nullptr) != SQLITE_OK)
    return fail("open");
  sqlite3_busy_timeout(db, 10'000);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);

  Query header(*this, "SELECT (SELECT * FROM pragma_application_id), "
                      "(SELECT * FROM pragma_user_version), "
                      "(SELECT count(*) FROM sqlite_schema)");
  if (!header.step())
    return llvm::createStringError(
        "'" + path + "' is not a nestor-data database: " + sqlite3_errmsg(db) +
        "; use 'nestor-data import' for a dataset file");
  int64_t id = header.integer(0), version = header.integer(1);
  bool isEmpty = header.integer(2) == 0;
  header.step(); // ends the read, so that the schema can be written
  if (isEmpty && id == 0 && mode == Mode::Create)
    return createSchema();
  if (id != kApplicationId)
    return llvm::createStringError("'" + path +
                                   "' is not a nestor-data database");
  if (version != kStoreVersion)
    return llvm::createStringError(
        "'" + path + "' is a database of version " + llvm::Twine(version) +
        ", but this nestor-data reads version " + llvm::Twine(kStoreVersion) +
        ": export it with the nestor-data that made it, then import it");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Store>> Store::open(StringRef path, Mode mode) {
  if (mode == Mode::MustExist && !llvm::sys::fs::exists(path))
    return llvm::createStringError(
        "no database '" + path +
        "': make one with 'nestor-data generate --db' or 'nestor-data import'");
  std::unique_ptr<Store> store(new Store(path.str()));
  if (auto error = store->prepare(mode))
    return std::move(error);
  return std::move(store);
}

llvm::Error Store::transact(llvm::function_ref<llvm::Error()> body) {
  if (auto error = execute("BEGIN IMMEDIATE"))
    return error;
  if (auto error = body()) {
    sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }
  if (auto error = execute("COMMIT")) {
    sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
    return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::Error Store::addProgram(const ProgramRecord &program, bool *isNew) {
  Query statement(*this, "INSERT OR IGNORE INTO programs "
                         "(id, text, seed, profile) VALUES (?, ?, ?, ?)");
  statement.bind(program.id)
      .bind(program.text)
      .bind(int64_t(program.seed))
      .bind(program.profile);
  auto error = statement.run("add a program to");
  if (isNew)
    *isNew = !error && sqlite3_changes(db) > 0;
  return error;
}

llvm::Error Store::addTarget(const TargetRecord &target) {
  Query known(*this, "SELECT json FROM targets WHERE name = ?");
  if (known.bind(target.name).step()) {
    if (known.text(0) == target.json)
      return llvm::Error::success();
    return llvm::createStringError(
        "'" + path + "' has labels of another target that is also called '" +
        target.name + "': give one of them another name");
  }
  if (auto error = known.finish("read"))
    return error;
  Query statement(*this, "INSERT INTO targets VALUES (?, ?)");
  return statement.bind(target.name).bind(target.json).run("add a target to");
}

llvm::Error Store::addLabel(const LabelRecord &label) {
  Query statement(
      *this,
      "INSERT INTO labels (program, target, schedule_hash, schedule, "
      "candidate_hash, base_hash, log_ratio, spread, pairs, base_seconds, "
      "status, detail, compiler) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?) "
      "ON CONFLICT (program, target, schedule_hash) DO UPDATE SET "
      "candidate_hash = excluded.candidate_hash, "
      "base_hash = excluded.base_hash, log_ratio = excluded.log_ratio, "
      "spread = excluded.spread, pairs = excluded.pairs, "
      "base_seconds = excluded.base_seconds, status = excluded.status, "
      "detail = excluded.detail, compiler = excluded.compiler");
  return statement.bind(label.program)
      .bind(label.target)
      .bind(hashText(label.schedule))
      .bind(label.schedule)
      .bind(label.candidateHash)
      .bind(label.baseHash)
      .bind(label.logRatio)
      .bind(label.spread)
      .bind(int64_t(label.pairs))
      .bind(label.baseSeconds)
      .bind(label.status)
      .bind(label.detail)
      .bind(label.compiler)
      .run("add a label to");
}

llvm::Error Store::setVisited(StringRef program, StringRef target,
                              StringRef outcome) {
  Query statement(*this, "INSERT OR REPLACE INTO visits VALUES (?, ?, ?)");
  return statement.bind(program).bind(target).bind(outcome).run("write");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Expected<std::vector<std::string>> readColumn(Query &statement) {
  std::vector<std::string> result;
  while (statement.step())
    result.push_back(statement.text(0));
  if (auto error = statement.finish("read"))
    return std::move(error);
  return std::move(result);
}

llvm::Expected<std::vector<std::string>> Store::getProgramIds() {
  Query statement(*this, "SELECT id FROM programs ORDER BY number");
  return readColumn(statement);
}

llvm::Expected<std::vector<std::string>> Store::getUnvisited(StringRef target) {
  Query statement(
      *this, "SELECT id FROM programs WHERE id NOT IN (SELECT program FROM "
             "visits WHERE target = ?) ORDER BY number");
  statement.bind(target);
  return readColumn(statement);
}

llvm::Expected<ProgramRecord> Store::getProgram(StringRef id) {
  Query statement(*this,
                  "SELECT id, text, seed, profile FROM programs WHERE id = ?");
  if (statement.bind(id).step())
    return ProgramRecord{statement.text(0), statement.text(1),
                         uint64_t(statement.integer(2)), statement.text(3)};
  if (auto error = statement.finish("read"))
    return std::move(error);
  return llvm::createStringError("'" + path + "' has no program " + id);
}

llvm::Expected<std::vector<TargetRecord>> Store::getTargets() {
  Query statement(*this, "SELECT name, json FROM targets ORDER BY name");
  std::vector<TargetRecord> result;
  while (statement.step())
    result.push_back({statement.text(0), statement.text(1)});
  if (auto error = statement.finish("read"))
    return std::move(error);
  return std::move(result);
}

llvm::Expected<std::vector<LabelRecord>> Store::getLabels(StringRef program,
                                                          StringRef target) {
  Query statement(
      *this, "SELECT program, target, schedule, candidate_hash, base_hash, "
             "log_ratio, spread, pairs, base_seconds, status, detail, compiler "
             "FROM labels WHERE program = ? AND (? = '' OR target = ?) "
             "ORDER BY number");
  statement.bind(program).bind(target).bind(target);
  std::vector<LabelRecord> result;
  while (statement.step()) {
    LabelRecord label;
    label.program = statement.text(0);
    label.target = statement.text(1);
    label.schedule = statement.text(2);
    label.candidateHash = statement.text(3);
    label.baseHash = statement.text(4);
    label.logRatio = statement.real(5);
    label.spread = statement.real(6);
    label.pairs = int(statement.integer(7));
    label.baseSeconds = statement.real(8);
    label.status = statement.text(9);
    label.detail = statement.text(10);
    label.compiler = statement.text(11);
    result.push_back(std::move(label));
  }
  if (auto error = statement.finish("read"))
    return std::move(error);
  return std::move(result);
}

llvm::Expected<StoreCounts> Store::count() {
  Query statement(*this, "SELECT (SELECT count(*) FROM programs), "
                         "(SELECT count(*) FROM targets), "
                         "(SELECT count(*) FROM labels)");
  if (statement.step())
    return StoreCounts{statement.integer(0), statement.integer(1),
                       statement.integer(2)};
  return fail("read");
}
