/* What a stream leads to. */
#include "harness/command/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_redraws(FILE *stream)
{
    const char *term = getenv("TERM");

    return isatty(fileno(stream)) && term && strcmp(term, "dumb");
}

struct view terminal_view(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"); /* no-color.org: set and not empty */
    struct view view = {.colour = terminal_redraws(stream) && !(no_colour && *no_colour)};
    struct winsize size;

    if (isatty(fileno(stream)) && !ioctl(fileno(stream), TIOCGWINSZ, &size))
        view.columns = size.ws_col;
    return view;
}
