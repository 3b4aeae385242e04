/* What a check comes to: its exit status and its word. */
#ifndef COMMAND_CHECK_OUTCOME_H
#define COMMAND_CHECK_OUTCOME_H

#include "harness/analysis/findings.h"
#include "harness/command/command.h"
#include "harness/output/exports.h"

/* Of one report that findings_derive has seen: EXIT_FAULT for a fault, a wrong answer or a failed
 * row; EXIT_NOTHING where a main figure that was asked for is missing or invalid, none was asked
 * for, or an expectation cannot be judged; EXIT_INVALID (1) for something degraded; else EXIT_OK.
 * Notes count for nothing. */
enum exit_status check_outcome(const struct report *r, const struct circumstances *given);
/* The status that outweighs the other, in the order 2, 4, 3, 1. */
enum exit_status check_worse(enum exit_status a, enum exit_status b);
/* Adds why a report is no more than EXIT_NOTHING: which main figures are missing. */
void check_missing(struct text *out, const struct report *r, const struct circumstances *given);
/* missing is kept, not copied. */
struct verdict_summary check_summary(enum exit_status status, const char *missing);

#endif
