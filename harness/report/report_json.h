/* The result file: reading it with every mistake named, writing it without losing the old one. */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include "harness/report/model.h"

enum { REPORT_SCHEMA_VERSION = 1 };
extern const char report_schema_name[]; /* what "schema" in the file says */

/* Reads a result file.  Returns 0, or -1 with one sentence in why that names the file, the line or
 * the field, and what was expected; out is empty (but initialised) then. */
int report_read(struct report *out, const char *path, struct text *why);
/* The same from memory; `name` stands for the path in sentences. */
int report_parse(struct report *out, const char *json, size_t length, const char *name,
                 struct text *why);
/* The report as JSON, members in the order of the schema, unknown ones kept. */
void report_write(struct text *out, const struct report *r);
/* The same as a line for each record: the report without its rows and findings, then each of those
 * with the time of the run, the machine and the device's uuid, so that no line needs another. */
void report_write_lines(struct text *out, const struct report *r);
/* Writes beside path and renames.  Returns 0, or -1 with a sentence in why. */
int report_save(const struct report *r, const char *path, struct text *why);

#endif
