/* Reads the kernel's log for what the driver says of a card. */
#include "harness/device/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The log as records, a line each: "priority,number,microseconds,flags;text".  A reading returns
 * one of them; those that were overwritten meanwhile are passed over.  Returns 0, or -1. */
static int read_log(struct text *log)
{
    char *path = xasprintf("%s/dev/kmsg", device_root()), record[8192];
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t length;

    free(path);
    if (file < 0)
        return -1;
    while ((length = read(file, record, sizeof record)) > 0 || (length < 0 && errno == EPIPE))
        if (length > 0)
            text_add_bytes(log, record, (size_t)length);
    close(file);
    return 0;
}

/* "NVRM: Xid (PCI:0000:17:00): 79, ..." of this card: its number, or 0. */
static unsigned long xid_in(const char *text, const char *pci_id)
{
    static const char mark[] = "NVRM: Xid (PCI:";
    const char *at = strstr(text, mark);
    const size_t length = strcspn(pci_id, "."); /* without the function */

    if (!at || strncasecmp(at + strlen(mark), pci_id, length) != 0)
        return 0;
    at = strstr(at, "): ");
    return at ? strtoul(at + 3, NULL, 10) : 0;
}

static double seconds_of(const char *record)
{
    const char *comma = strchr(record, ',');

    comma = comma ? strchr(comma + 1, ',') : NULL;
    return comma ? 1e-6 * strtod(comma + 1, NULL) : 0;
}

static void add_once(struct text *numbers, struct strings *seen, unsigned long xid)
{
    char *number = xasprintf("%lu", xid);

    if (xid != 0 && !strings_have(seen, number)) {
        text_addf(numbers, "%s%s", numbers->length > 0 ? " " : "", number);
        strings_add(seen, number);
    }
    free(number);
}

char *kernel_log_xids(const char *pci_id, double since)
{
    struct text log = TEXT_EMPTY, numbers = TEXT_EMPTY;
    struct strings seen = {0};
    char *rest = NULL;

    if (read_log(&log))
        return NULL;
    for (char *line = log.length > 0 ? strtok_r(log.chars, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        if (seconds_of(line) >= since)
            add_once(&numbers, &seen, xid_in(line, pci_id));
    text_free(&log);
    strings_free(&seen);
    return text_take(&numbers);
}
