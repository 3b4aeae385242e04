/* Any page of blocks as a document of its own. */
#include "harness/output/html.h"

void page_write_html(struct text *out, const struct page *page, const char *title,
                     const struct report *const *reports, size_t count)
{
    bool pictured = false;

    html_open(out, title);
    text_add(out, "<header><h1>");
    html_add(out, title);
    text_add(out, "</h1></header>\n<main>\n");
    html_add_blocks(out, page, 2);
    for (size_t i = 0; i < page->count; i++)
        pictured = pictured || page->blocks[i].kind == BLOCK_PICTURE;
    if (pictured && count > 0) {
        text_add(out, "<section id=\"charts\"><h2>Charts</h2>\n");
        html_add_charts(out, reports, count);
        text_add(out, "</section>\n");
    }
    text_add(out, "</main>\n");
    html_close(out);
}
