/* Flight code for Gyrostat: a shared library with functions of this kind, called at t = 0 and then once every period of
 * the `plugin` block that names it. Plain C, so that flight software needs nothing else.
 *
 *   int control(const gyrostat_call* call);                  the function; 0: fine, anything else stops the run
 *   const unsigned long control_memory = sizeof(struct ..);  optional: bytes of memory that it keeps between calls
 *
 * What a function keeps in its memory is saved with checkpoints; what it keeps in variables of its own is not. */
#ifndef GYROSTAT_PLUGIN_H
#define GYROSTAT_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gyrostat_call {
  double t;             /* [s] */
  const double* inputs; /* as the model lists them */
  unsigned long input_count;
  double* outputs; /* zero at the first call, then what the last call left */
  unsigned long output_count;
  void* memory; /* all bytes zero at the first call; NULL if none was asked for */
} gyrostat_call;

typedef int (*gyrostat_function)(const gyrostat_call* call);

#ifdef __cplusplus
}
#endif

#endif
