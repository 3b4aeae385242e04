/* Runs gnuplot: a script goes in through one file, a picture comes out through another. */
#include "harness/output/picture.h"
#include "harness/output/table.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct files {
    FILE *script, *picture, *complaints;
};

static int files_open(struct files *f, const char *script)
{
    f->script = tmpfile();
    f->picture = tmpfile();
    f->complaints = tmpfile();
    if (f->script == NULL || f->picture == NULL || f->complaints == NULL)
        return -1;
    if (fputs(script, f->script) == EOF || fflush(f->script) != 0)
        return -1;
    rewind(f->script);
    return 0;
}

static void files_close(struct files *f)
{
    if (f->script != NULL)
        fclose(f->script);
    if (f->picture != NULL)
        fclose(f->picture);
    if (f->complaints != NULL)
        fclose(f->complaints);
}

/* Returns gnuplot's wait status, or -1 with errno set where it could not be started. */
static int spawn_and_wait(const struct files *f)
{
    char program[] = "gnuplot", defaults[] = "--default-settings";
    char *const arguments[] = {program, defaults, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int failed, status = 0;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(f->script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(f->picture), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(f->complaints), STDERR_FILENO);
    failed = posix_spawnp(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        errno = failed;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static void read_all(struct text *out, FILE *file)
{
    char bytes[65536];
    size_t count;

    rewind(file);
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add_bytes(out, bytes, count);
}

/* gnuplot's complaint, in one line. */
static void add_complaint(struct text *why, FILE *complaints)
{
    struct text said = TEXT_EMPTY;
    char *line;

    read_all(&said, complaints);
    line = printable(text_chars(&said));
    text_addf(why, "gnuplot could not draw the picture: %.300s", line);
    free(line);
    text_free(&said);
}

int gnuplot_run(struct text *out, const char *script, struct text *why)
{
    struct files f = {0};
    int status = -1, result = -1;

    if (files_open(&f, script) != 0)
        text_addf(why, "no temporary file for a picture: %s", strerror(errno));
    else if ((status = spawn_and_wait(&f)) == -1)
        text_addf(why,
                  "gnuplot, which draws the pictures, could not be started (%s); install it "
                  "with: apt-get install gnuplot-nox",
                  strerror(errno));
    else if (status != 0)
        add_complaint(why, f.complaints);
    else
        result = 0;
    if (result == 0)
        read_all(out, f.picture);
    files_close(&f);
    return result;
}

/* In single quotes only the quote itself has a meaning, and is doubled. */
void gnuplot_quote(struct text *script, const char *chars)
{
    char *clean = printable(chars);

    text_add(script, "'");
    for (const char *c = clean; *c != '\0'; c++)
        text_addf(script, *c == '\'' ? "''" : "%c", *c);
    text_add(script, "'");
    free(clean);
}
