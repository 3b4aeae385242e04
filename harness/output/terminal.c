/* Asks the terminal how wide it is and whether it shows colour. */
#include "harness/output/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool shows_colour(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return (no_colour == NULL || *no_colour == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

struct view view_of(FILE *stream)
{
    struct view view = {0};
    struct winsize size;

    if (!isatty(fileno(stream)))
        return view;
    view.colour = shows_colour();
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        view.columns = size.ws_col;
    return view;
}
