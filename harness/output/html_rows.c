/* The table of everything: every row with its exact value, its interval and its state. */
#include "harness/base/units.h"
#include "harness/output/html.h"
#include "harness/output/pivot.h"

#include <math.h>
#include <stdlib.h>

static void add_cell(struct text *out, const char *chars)
{
    text_add(out, "<td>");
    html_add(out, chars == NULL ? "" : chars);
    text_add(out, "</td>");
}

/* For people, with the number of the file beside it. */
static void add_number(struct text *out, double value, const char *unit)
{
    char number[UNITS_MAX];

    text_add(out, "<td class=\"num\">");
    if (isfinite(value)) {
        text_addf(out, "<data value=\"%.17g\">", value);
        html_add(out, units_format(number, value, unit));
        text_add(out, "</data>");
    }
    text_add(out, "</td>");
}

static void add_parameters(struct text *out, const struct measurement *m)
{
    struct text said = TEXT_EMPTY;

    pivot_parameters(&said, m);
    text_add(out, "<td class=\"words\">");
    html_add(out, text_chars(&said));
    text_add(out, "</td>");
    text_free(&said);
}

static void add_state(struct text *out, const struct measurement *m)
{
    struct text state = TEXT_EMPTY;

    text_add(&state, row_status_names[m->status]);
    if (m->reason != NULL)
        text_addf(&state, ": %s", m->reason);
    for (size_t i = 0; i < m->doubts.count; i++)
        text_addf(&state, "%s%s", i > 0 ? ", " : "; in doubt: ", m->doubts.items[i]);
    text_add(out, state.length > 40 ? "<td class=\"words\">" : "<td>");
    html_add(out, text_chars(&state));
    text_add(out, "</td>");
    text_free(&state);
}

static void add_row(struct text *out, const struct measurement *m)
{
    const struct estimate value = estimate_of(&m->value);
    char interval[UNITS_MAX], *role = spoken(m->role != NULL ? m->role : "");

    text_addf(out, "<tr class=\"%s\"><th scope=\"row\">", row_status_names[m->status]);
    html_add(out, m->experiment != NULL ? m->experiment : "");
    text_add(out, "</th>");
    add_cell(out, m->device);
    add_cell(out, role);
    add_parameters(out, m);
    add_number(out, value.value, m->metric.unit);
    text_add(out, "<td class=\"num\">");
    text_add(out, isfinite(value.low) ? interval_format(interval, &value) : "");
    text_addf(out, "</td><td class=\"num\">%zu</td>", m->value.n);
    add_state(out, m);
    add_number(out, m->telemetry.sm_clock_hz, "Hz");
    add_number(out, m->telemetry.power_watts, "W");
    add_number(out, m->telemetry.temperature_celsius, "°C");
    text_add(out, "</tr>\n");
    free(role);
}

void html_add_rows(struct text *out, const struct report *r)
{
    static const struct {
        const char *name, *css;
    } headings[] = {
        {"experiment", ""},  {"device", ""},     {"role", ""},         {"parameters", ""},
        {"median", "right"}, {"95 %", "right"},  {"samples", "right"}, {"state", ""},
        {"clock", "right"},  {"power", "right"}, {"temp.", "right"},
    };

    text_add(out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" "
                  "aria-label=\"every row\"><table class=\"rows\"><thead><tr>");
    for (size_t i = 0; i < COUNT_OF(headings); i++)
        text_addf(out, "<th scope=\"col\" class=\"%s\">%s</th>", headings[i].css, headings[i].name);
    text_add(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < r->measurement_count; i++)
        add_row(out, &r->measurements[i]);
    text_add(out, "</tbody></table></div>\n");
}
