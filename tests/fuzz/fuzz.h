/* What every fuzzer is: one function that must survive any bytes.  libFuzzer calls it, or replay.c
 * does with the files of the corpus. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; a mistake in what it tests ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
