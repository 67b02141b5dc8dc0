// runner.c: runs and times one compiled program, in a process of its own.
//
// The measuring end of nestor-bench: the driver (python/nestor_bench) starts it
// once per measurement, so that a competitor that crashes or hangs takes nobody
// down. It loads a shared object with one function,
//
//     void nestor_bench_entry(void **arguments);
//
// fills the arguments with the inputs that bench/polybench/README.md defines,
// calls, and prints one line of JSON. Thread CPU time is what counts on one
// core: on shared machines wall-clock times scatter far more.
#define _GNU_SOURCE
#include "inputs.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

enum { kMostArguments = 64, kMostCalls = 100000, kBadRequest = 2 };
static const size_t kHugePage = (size_t)2 << 20;

static const char kUsage[] =
    "usage: nestor-bench-runner OBJECT.so ARGUMENT... [options]\n"
    "  ARGUMENT is TYPE=VALUE (a scalar) or TYPE:KIND:EXTENTxEXTENT... (an\n"
    "  array), TYPE one of f32 f64 i32 i64, KIND one of default small spd seq\n"
    "  dist zero.\n"
    "  --core N        run on this core only\n"
    "  --wall          wall-clock time (default: CPU time of this thread)\n"
    "  --min-time S    repeat until calls add up to S seconds (default 0.1)\n"
    "  --warm-up S     calls shorter than S get one that does not count\n"
    "                  (default 0.3)\n"
    "  --dump FILE     write all arrays as the first call left them\n"
    "  --small-pages   do not ask for huge pages\n";

static void fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "nestor-bench-runner: ");
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  exit(kBadRequest);
}

//===----------------------------------------------------------------------===//
// Arguments of the program
//===----------------------------------------------------------------------===//

typedef double (*Input)(uint64_t argument, uint64_t index, uint64_t extent);
typedef enum { F32, F64, I32, I64 } Type;

static const struct {
  const char *name;
  Type type;
  size_t bytes;
} kTypes[] = {
    {"f32", F32, 4}, {"f64", F64, 8}, {"i32", I32, 4}, {"i64", I64, 8}};

static const struct {
  const char *name;
  Input input;
} kInputs[] = {{"default", input_default}, {"small", input_small},
               {"spd", input_spd},         {"seq", input_seq},
               {"dist", input_dist},       {"zero", input_zero}};

typedef struct {
  Type type;
  size_t elementBytes, count, extent; // extent: of the first dimension
  Input input;                        // null: a scalar
  char *data;                         // what the program works on
  char *initial;                      // its first contents
  int changes;                        // by the program
  uint64_t scalar;
} Argument;

static size_t byteSize(const Argument *argument) {
  return argument->count * argument->elementBytes;
}

static void store(const Argument *argument, char *at, double value) {
  switch (argument->type) {
  case F32:
    *(float *)at = (float)value;
    break;
  case F64:
    *(double *)at = value;
    break;
  case I32:
    *(int32_t *)at = (int32_t)value;
    break;
  case I64:
    *(int64_t *)at = (int64_t)value;
    break;
  }
}

static void readType(Argument *argument, const char *text, size_t length) {
  for (size_t i = 0; i < sizeof kTypes / sizeof kTypes[0]; ++i)
    if (strlen(kTypes[i].name) == length &&
        !strncmp(kTypes[i].name, text, length)) {
      argument->type = kTypes[i].type;
      argument->elementBytes = kTypes[i].bytes;
      return;
    }
  fail("argument '%s': unknown element type", text);
}

// TYPE=VALUE
static void readScalar(Argument *argument, const char *text) {
  const char *value = strchr(text, '=');
  readType(argument, text, (size_t)(value - text));
  char *end;
  double number = strtod(value + 1, &end);
  if (end == value + 1 || *end)
    fail("argument '%s': no number after '='", text);
  store(argument, (char *)&argument->scalar, number);
}

// TYPE:KIND:EXTENTxEXTENT...
static void readArray(Argument *argument, const char *text) {
  const char *kind = strchr(text, ':');
  const char *shape = kind ? strchr(kind + 1, ':') : NULL;
  if (!shape)
    fail("argument '%s': expected TYPE=VALUE or TYPE:KIND:EXTENTS", text);
  readType(argument, text, (size_t)(kind - text));
  for (size_t i = 0; i < sizeof kInputs / sizeof kInputs[0]; ++i)
    if (strlen(kInputs[i].name) == (size_t)(shape - kind - 1) &&
        !strncmp(kInputs[i].name, kind + 1, (size_t)(shape - kind - 1)))
      argument->input = kInputs[i].input;
  if (!argument->input)
    fail("argument '%s': unknown kind of input", text);
  argument->count = 1;
  for (const char *at = shape; *at; ) {
    char *end;
    unsigned long long extent = strtoull(at + 1, &end, 10);
    if (end == at + 1 || extent == 0 || (*end && *end != 'x'))
      fail("argument '%s': bad extents", text);
    if (at == shape)
      argument->extent = extent;
    argument->count *= extent;
    at = end;
  }
}

// Memory for `bytes`, on huge pages if the system has them: where 4 KiB pages
// land physically changes from run to run, and with it the times. Arrays start
// at different places of a page, as those at the same one evict each other.
static char *allocate(size_t bytes, unsigned number, int hugePages) {
  size_t shift = number * 320 % 4096;
  size_t size = (bytes + shift + 2 * kHugePage) & ~(kHugePage - 1);
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail("cannot allocate %zu bytes: %s", bytes, strerror(errno));
  if (hugePages) {
    char *aligned =
        (char *)(((uintptr_t)memory + kHugePage - 1) & ~(kHugePage - 1));
    (void)madvise(aligned, (size_t)(memory + size - aligned), MADV_HUGEPAGE);
    memory = aligned;
  }
  return memory + shift;
}

static void fill(Argument *argument, unsigned number, int hugePages) {
  size_t bytes = byteSize(argument);
  argument->data = allocate(bytes, number, hugePages);
  argument->initial = allocate(bytes, number, hugePages);
  argument->changes = 1;
  for (size_t i = 0; i < argument->count; ++i)
    store(argument, argument->initial + i * argument->elementBytes,
          argument->input(number, i, argument->extent));
  memcpy(argument->data, argument->initial, bytes);
}

static void restore(Argument *arguments, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (arguments[i].input && arguments[i].changes)
      memcpy(arguments[i].data, arguments[i].initial, byteSize(&arguments[i]));
}

//===----------------------------------------------------------------------===//
// Calling and timing
//===----------------------------------------------------------------------===//

typedef void (*Entry)(void **);

typedef struct {
  const char *object, *dump;
  int core;
  clockid_t clock;
  double minTime, warmUp;
  int hugePages;
  unsigned count;
  Argument arguments[kMostArguments];
  void *pointers[kMostArguments];
} Job;

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double callOnce(Job *job, Entry entry) {
  double start = now(job->clock);
  entry(job->pointers);
  return now(job->clock) - start;
}

// What reading the clock adds to a measured call.
static double clockCost(clockid_t clock) {
  double best = 1;
  for (int i = 0; i < 100; ++i) {
    double start = now(clock), seconds = now(clock) - start;
    best = seconds < best ? seconds : best;
  }
  return best;
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void dump(const Job *job) {
  FILE *file = fopen(job->dump, "wb");
  if (!file)
    fail("cannot write %s: %s", job->dump, strerror(errno));
  for (unsigned i = 0; i < job->count; ++i)
    if (job->arguments[i].input &&
        fwrite(job->arguments[i].data, byteSize(&job->arguments[i]), 1, file) !=
            1)
      fail("cannot write %s: %s", job->dump, strerror(errno));
  if (fclose(file))
    fail("cannot write %s: %s", job->dump, strerror(errno));
}

static void noteChanges(Job *job) {
  for (unsigned i = 0; i < job->count; ++i) {
    Argument *argument = &job->arguments[i];
    if (argument->input)
      argument->changes =
          memcmp(argument->data, argument->initial, byteSize(argument)) != 0;
  }
}

static void measure(Job *job, Entry entry) {
  static double times[kMostCalls];
  double cost = clockCost(job->clock), total = 0;
  unsigned calls = 0;
  double first = callOnce(job, entry);
  if (job->dump)
    dump(job);
  noteChanges(job);
  if (first >= job->warmUp)
    times[calls++] = total = first;
  // A tiny program whose arrays are large must not restore them forever.
  double begin = now(CLOCK_MONOTONIC);
  while (calls == 0 || (total < job->minTime && calls < kMostCalls &&
                        now(CLOCK_MONOTONIC) - begin < 20 * job->minTime)) {
    restore(job->arguments, job->count);
    double seconds = callOnce(job, entry) - cost;
    times[calls++] = seconds > 1e-9 ? seconds : 1e-9;
    total += seconds;
  }
  qsort(times, calls, sizeof(double), compareDoubles);
  double middle = calls % 2 ? times[calls / 2]
                            : (times[calls / 2 - 1] + times[calls / 2]) / 2;
  printf("{\"seconds\": %.9g, \"best\": %.9g, \"calls\": %u}\n", middle,
         times[0], calls);
}

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

static double toNumber(const char *option, const char *text) {
  char *end;
  double value = text ? strtod(text, &end) : 0;
  if (!text || end == text || *end || !(value >= 0))
    fail("%s needs a number", option);
  return value;
}

// Reads the option at `at`; returns the last word that belongs to it.
static char **readOption(Job *job, char **at) {
  if (!strcmp(*at, "--wall"))
    job->clock = CLOCK_MONOTONIC;
  else if (!strcmp(*at, "--small-pages"))
    job->hugePages = 0;
  else if (!strcmp(*at, "--core"))
    job->core = (int)toNumber("--core", *++at);
  else if (!strcmp(*at, "--min-time"))
    job->minTime = toNumber("--min-time", *++at);
  else if (!strcmp(*at, "--warm-up"))
    job->warmUp = toNumber("--warm-up", *++at);
  else if (!strcmp(*at, "--dump") && at[1])
    job->dump = *++at;
  else {
    fputs(kUsage, stderr);
    exit(kBadRequest);
  }
  return at;
}

static void readCommandLine(Job *job, char **argv) {
  for (char **at = argv + 1; *at; ++at) {
    if (!strncmp(*at, "--", 2)) {
      at = readOption(job, at);
    } else if (!job->object) {
      job->object = *at;
    } else {
      if (job->count == kMostArguments)
        fail("more than %d arguments", kMostArguments);
      Argument *argument = &job->arguments[job->count++];
      strchr(*at, '=') ? readScalar(argument, *at) : readArray(argument, *at);
    }
  }
  if (!job->object) {
    fputs(kUsage, stderr);
    exit(kBadRequest);
  }
}

// Random addresses make times differ from run to run. Where the system does
// not allow to switch them off, measure with them.
static void fixAddresses(char **argv) {
  int persona = personality(0xffffffff);
  if (persona != -1 && !(persona & ADDR_NO_RANDOMIZE) &&
      personality((unsigned long)persona | ADDR_NO_RANDOMIZE) != -1)
    execv("/proc/self/exe", argv);
}

static void pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)core, &set);
  if (sched_setaffinity(0, sizeof set, &set))
    fail("cannot bind to core %d: %s", core, strerror(errno));
}

int main(int argc, char **argv) {
  (void)argc;
  fixAddresses(argv);
  static Job job = {.core = -1,
                    .clock = CLOCK_THREAD_CPUTIME_ID,
                    .minTime = 0.1,
                    .warmUp = 0.3,
                    .hugePages = 1};
  readCommandLine(&job, argv);
  if (job.core >= 0)
    pin(job.core);
  void *object = dlopen(job.object, RTLD_NOW | RTLD_LOCAL);
  if (!object)
    fail("%s", dlerror());
  Entry entry = (Entry)dlsym(object, "nestor_bench_entry");
  if (!entry)
    fail("%s", dlerror());
  for (unsigned i = 0; i < job.count; ++i) {
    Argument *argument = &job.arguments[i];
    if (argument->input)
      fill(argument, i, job.hugePages);
    job.pointers[i] = argument->input ? (void *)argument->data
                                      : (void *)&argument->scalar;
  }
  measure(&job, entry);
  return 0;
}
