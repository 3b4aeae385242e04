/* What the terminal at an output allows. */
#ifndef OUTPUT_TERMINAL_H
#define OUTPUT_TERMINAL_H

#include "harness/output/writer.h"

#include <stdio.h>

/* Width of the terminal that `stream` is, and colour where it is one and NO_COLOR is not set. */
struct view view_of(FILE *stream);

#endif
