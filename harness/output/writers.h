/* The writers, each defined in a file of its own. */
#ifndef OUTPUT_WRITERS_H
#define OUTPUT_WRITERS_H

#include "harness/output/writer.h"

extern const struct writer writer_text, writer_markdown, writer_csv, writer_json, writer_jsonl,
    writer_html, writer_svg, writer_png;

#endif
