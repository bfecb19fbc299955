/* Flight code as tests need it: it leaves traces, and misbehaves. */
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gyrostat/signals/plugin.h"

unsigned long resized_memory = 8;

static void leave_line(const char* variable, double value) {
  const char* path = getenv(variable);
  FILE* file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%.17g\n", value);
  fclose(file);
}

__attribute__((constructor)) static void loaded(void) {
  leave_line("GYROSTAT_TEST_LOADED", 1);
  const char* bytes = getenv("GYROSTAT_TEST_MEMORY");
  if (bytes) resized_memory = strtoul(bytes, NULL, 10);
}

/* Counts in its memory, and writes the time of each call. */
const unsigned long count_calls_memory = sizeof(double);
int count_calls(const gyrostat_call* call) {
  double* count = call->memory;
  *count += 1;
  call->outputs[0] = *count;
  call->outputs[1] = call->t;
  leave_line("GYROSTAT_TEST_CALLS", call->t);
  return 0;
}

/* Its output depends on every bit of every input there ever was. */
const unsigned long mix_memory = 3 * sizeof(uint64_t);
int mix(const gyrostat_call* call) {
  uint64_t* state = call->memory;
  for (unsigned long k = 0; k < call->input_count; ++k) {
    uint64_t bits;
    memcpy(&bits, &call->inputs[k], sizeof bits);
    state[k % 3] = (state[k % 3] ^ bits) * 0x9E3779B97F4A7C15u + (state[(k + 1) % 3] >> 7);
  }
  call->outputs[0] = (double)(state[0] >> 11) * 0x1p-53 - 0.5;
  return 0;
}

int stop_at_two(const gyrostat_call* call) { return call->t > 2 - 1e-9 ? 7 : 0; }
int stop_at_once(const gyrostat_call* call) { return call->t < 1 ? -1 : 0; }

int lose_value(const gyrostat_call* call) {
  call->outputs[0] = call->t > 1 - 1e-9 ? NAN : 0;
  return 0;
}

int report_memory(const gyrostat_call* call) {
  call->outputs[0] = call->memory == NULL;
  return 0;
}

const unsigned long greedy_memory = 1ul << 40;
int greedy(const gyrostat_call* call) { return call->input_count > 1000; }

/* Touches all the memory it asked for. */
int resized(const gyrostat_call* call) {
  memset(call->memory, 1, resized_memory);
  return 0;
}

/* After the first calls of a process each takes a tenth of a second, as long as a file is there: on any machine there
 * is time to interrupt it, and none is taken from others. */
int dawdle(const gyrostat_call* call) {
  static atomic_ulong calls;
  (void)call;
  const struct timespec tenth = {0, 100000000};
  const char* path = getenv("GYROSTAT_TEST_DAWDLE");
  if (path && atomic_fetch_add(&calls, 1) >= 100 && access(path, F_OK) == 0) nanosleep(&tenth, NULL);
  return 0;
}
