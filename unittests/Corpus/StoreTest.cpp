//===- StoreTest.cpp - What the database keeps and refuses ----------------===//
#include "TestStore.h"

#include <sqlite3.h>

using namespace mlir::nestor;

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

static void runSql(const std::string &path, const char *sql) {
  sqlite3 *db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
}

TEST(Store, KeepsWhatItIsGiven) {
  TestFolder folder;
  fill(*openNew(folder / "a.db"));
  auto store =
      llvm::cantFail(Store::open(folder / "a.db", Store::Mode::MustExist));
  auto ids = llvm::cantFail(store->getProgramIds());
  ASSERT_EQ(ids.size(), 2u);
  ProgramRecord program = llvm::cantFail(store->getProgram(ids[0]));
  EXPECT_EQ(program.text, "a \"quoted\" text\n");
  EXPECT_EQ(llvm::cantFail(store->getProgram(ids[1])).seed, ~0ull);
  auto labels = llvm::cantFail(store->getLabels(ids[0], "machine"));
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[1].logRatio, -1.0 / 3);
  EXPECT_EQ(labels[1].spread, 0.015625);
  EXPECT_EQ(labels[1].schedule, "s2");
  EXPECT_EQ(llvm::cantFail(store->getLabels(ids[0], "other")).size(), 0u);
}

TEST(Store, AProgramIsThereOnce) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  bool isNew = false;
  ASSERT_EQ(message(store->addProgram(makeProgram("x"), &isNew)), "");
  EXPECT_TRUE(isNew);
  ASSERT_EQ(message(store->addProgram(makeProgram("x"), &isNew)), "");
  EXPECT_FALSE(isNew);
}

TEST(Store, ANewLabelReplacesTheOld) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  fill(*store);
  ProgramRecord b = makeProgram("b");
  ASSERT_EQ(message(store->addLabel(makeLabel(b, "s1", 9))), "");
  auto labels = llvm::cantFail(store->getLabels(b.id, "machine"));
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].logRatio, 9);
}

TEST(Store, ALabelNeedsItsProgram) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  EXPECT_EQ(message(store->addLabel(makeLabel(makeProgram("x"), "s", 1))),
            "cannot add a label to '" + folder / "a.db" +
                "': FOREIGN KEY constraint failed");
}

TEST(Store, AMissingProgramIsNamed) {
  TestFolder folder;
  EXPECT_EQ(message(openNew(folder / "a.db")->getProgram("c0ffee")),
            "'" + folder / "a.db" + "' has no program c0ffee");
}

TEST(Store, NamesTheFileThatDoesNotTakeOrGive) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  runSql(folder / "a.db", "DROP TABLE labels; DROP TABLE programs; "
                          "DROP TABLE targets; DROP TABLE visits");
  std::string path = folder / "a.db";
  EXPECT_EQ(message(store->addProgram(makeProgram("x"))),
            "cannot add a program to '" + path + "': no such table: programs");
  EXPECT_EQ(message(store->setVisited("x", "y", "z")),
            "cannot write '" + path + "': no such table: visits");
  EXPECT_EQ(message(store->addTarget({"machine", "{}"})),
            "cannot read '" + path + "': no such table: targets");
  runSql(path, "CREATE TABLE targets (name, json, CHECK (json <> '{}'))");
  EXPECT_EQ(message(store->addTarget({"machine", "{}"})),
            "cannot add a target to '" + path +
                "': CHECK constraint failed: json <> '{}'");
}

TEST(Store, OneNameIsOneTarget) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  fill(*store);
  EXPECT_TRUE(contains(message(store->addTarget({"machine", "{}"})),
                       "has labels of another target that is also called "
                       "'machine': give one of them another name"));
}

TEST(Store, AFailedTransactionLeavesNothing) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  std::string text = message(store->transact([&]() -> llvm::Error {
    if (auto error = store->addProgram(makeProgram("x")))
      return error;
    return llvm::createStringError("interrupted");
  }));
  EXPECT_EQ(text, "interrupted");
  EXPECT_EQ(llvm::cantFail(store->count()).programs, 0);
}

TEST(Store, AnUnfinishedTransactionLeavesNothing) {
  TestFolder folder;
  openNew(folder / "a.db");
  // What a killed process leaves: pages of a transaction that never ended.
  runSql(folder / "a.db",
         "BEGIN; INSERT INTO programs (id, text, seed, profile) "
         "VALUES ('i', 't', 1, 'p')");
  auto store =
      llvm::cantFail(Store::open(folder / "a.db", Store::Mode::MustExist));
  EXPECT_EQ(llvm::cantFail(store->count()).programs, 0);
}

TEST(Store, VisitedProgramsAreNotVisitedAgain) {
  TestFolder folder;
  auto store = openNew(folder / "a.db");
  fill(*store);
  ProgramRecord b = makeProgram("b");
  ASSERT_EQ(message(store->setVisited(b.id, "machine", "labelled")), "");
  EXPECT_EQ(llvm::cantFail(store->getUnvisited("machine")).size(), 1u);
  EXPECT_EQ(llvm::cantFail(store->getUnvisited("other")).size(), 2u);
}

TEST(Store, RefusesAnotherVersion) {
  TestFolder folder;
  openNew(folder / "a.db");
  runSql(folder / "a.db", "PRAGMA user_version = 99");
  EXPECT_TRUE(
      contains(message(Store::open(folder / "a.db", Store::Mode::Create)),
               "is a database of version 99, but this nestor-data "
               "reads version 1: export it with the nestor-data that made "
               "it, then import it"));
}

TEST(Store, RefusesAnotherDatabase) {
  TestFolder folder;
  runSql(folder / "a.db", "CREATE TABLE t (x)");
  std::string before = readFile(folder / "a.db");
  EXPECT_TRUE(
      contains(message(Store::open(folder / "a.db", Store::Mode::Create)),
               "is not a nestor-data database"));
  EXPECT_EQ(readFile(folder / "a.db"), before);
}

TEST(Store, RefusesAFileThatIsNoDatabase) {
  TestFolder folder;
  std::string text(5000, 'x');
  writeFile(folder / "a.db", text);
  EXPECT_TRUE(
      contains(message(Store::open(folder / "a.db", Store::Mode::Create)),
               "is not a nestor-data database: file is not a database; use "
               "'nestor-data import' for a dataset file"));
  EXPECT_EQ(readFile(folder / "a.db"), text);
}

TEST(Store, AMissingFileIsNotCreatedByReading) {
  TestFolder folder;
  EXPECT_TRUE(
      contains(message(Store::open(folder / "a.db", Store::Mode::MustExist)),
               "': make one with 'nestor-data generate --db' or 'nestor-data "
               "import'"));
  EXPECT_EQ(folder.countFiles(), 0u);
}
