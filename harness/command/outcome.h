/* The exit status that a report's rows mean. */
#ifndef COMMAND_OUTCOME_H
#define COMMAND_OUTCOME_H

#include "harness/command/command.h"
#include "harness/report/model.h"

/* EXIT_FAULT, EXIT_NOTHING, EXIT_INVALID or EXIT_OK: the first of these that applies. */
enum exit_status outcome_of(const struct report *r);

#endif
