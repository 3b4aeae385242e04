/* Where a run's result goes: tried before anything is measured. */
#ifndef COMMAND_RESULT_FILE_H
#define COMMAND_RESULT_FILE_H

#include "harness/base/text.h"

/* "2026-01-02T03:04:05Z" of now; caller frees. */
char *result_started(void);
/* The path of a new result in `folder`, named after that date ("2026-01-02T030405Z.json"; a second
 * one of the same second gets "-2").  The folder is made with its parents where it is missing, and
 * a file is written in it and removed.  Caller frees; NULL with a sentence in why. */
char *result_path(const char *folder, const char *started, struct text *why);

#endif
