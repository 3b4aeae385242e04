/* Where a run's result goes. */
#include "harness/command/result_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *result_started(void)
{
    const time_t now = time(NULL);
    struct tm utc;
    char date[32];

    gmtime_r(&now, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return xstrdup(date);
}

/* Makes a folder and those above it.  Returns 0, or -1 with errno set. */
static int make_folders(const char *folder)
{
    char *path = xstrdup(folder);
    int result = 0;

    for (char *slash = strchr(path + 1, '/'); slash && !result; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        result = mkdir(path, 0777) && errno != EEXIST ? -1 : 0;
        *slash = '/';
    }
    if (!result && mkdir(path, 0777) && errno != EEXIST)
        result = -1;
    free(path);
    return result;
}

/* Writes a file there and removes it.  Returns 0, or -1 with errno set. */
static int try_folder(const char *folder)
{
    char *path = xasprintf("%s/.ridge-XXXXXX", folder);
    const int file = mkstemp(path);
    int result = file < 0 || write(file, "ridge\n", 6) != 6 ? -1 : 0;
    const int error = errno;

    if (file >= 0) {
        close(file);
        unlink(path);
    }
    free(path);
    errno = error;
    return result;
}

char *result_path(const char *folder, const char *started, struct text *why)
{
    char *date, *path;

    if (make_folders(folder) || try_folder(folder)) {
        text_addf(why, "cannot write results to %s: %s", folder, strerror(errno));
        return NULL;
    }
    date = xcalloc(strlen(started) + 1, 1);
    for (const char *c = started; *c; c++)
        if (*c != ':')
            date[strlen(date)] = *c;
    path = xasprintf("%s/%s.json", folder, date);
    for (int i = 2; !access(path, F_OK); i++) {
        free(path);
        path = xasprintf("%s/%s-%d.json", folder, date, i);
    }
    free(date);
    return path;
}
