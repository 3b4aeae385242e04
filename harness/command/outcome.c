/* The exit status that a report's rows mean. */
#include "harness/command/outcome.h"

enum exit_status outcome_of(const struct report *r)
{
    size_t rows[ROW_STATUSES] = {0};

    for (size_t i = 0; i < r->measurement_count; i++)
        rows[r->measurements[i].status]++;
    if (rows[ROW_FAILED] || rows[ROW_WRONG])
        return EXIT_FAULT;
    if (!rows[ROW_OK])
        return EXIT_NOTHING;
    return rows[ROW_INVALID] ? EXIT_INVALID : EXIT_OK;
}
