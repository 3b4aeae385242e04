/* What a stream leads to: a terminal or not. */
#ifndef COMMAND_TERMINAL_H
#define COMMAND_TERMINAL_H

#include "harness/output/writer.h"

#include <stdio.h>

/* How a report is shown on the stream: colour on a terminal and never with NO_COLOR, its width. */
struct view terminal_view(FILE *stream);
/* May lines be drawn anew?  Not when TERM is dumb. */
bool terminal_redraws(FILE *stream);

#endif
