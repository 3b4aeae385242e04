/* The command line: argp's tables, with the nearest known name suggested for an unknown one.
 *
 * argp answers a mistake with two lines and does not know near names, so the options are checked
 * against its table first; what is left for argp is well-formed. */
#include "harness/base/options.h"

#include "harness/base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_MISTAKE = 2, KEY_LONG_ONLY = 256 };

struct known {
    const char *name; /* without dashes; NULL: short only */
    int key;
    bool wants_value, may_have_value;
};

struct table {
    struct known *items;
    size_t count;
};

static void table_add(struct table *t, struct known item)
{
    t->items = xrealloc(t->items, (t->count + 1) * sizeof *t->items);
    t->items[t->count++] = item;
}

/* An alias takes its value as the option before it does. */
static void table_add_options(struct table *t, const struct argp_option *o)
{
    const struct argp_option *first = o;

    for (; o != NULL && (o->name != NULL || o->key != 0 || o->doc != NULL || o->group != 0); o++) {
        if (o->name == NULL && o->key == 0) {
            continue; /* a heading */
        }
        if (!(o->flags & OPTION_ALIAS)) {
            first = o;
        }
        if (!(o->flags & OPTION_DOC)) {
            const bool optional = (first->flags & OPTION_ARG_OPTIONAL) != 0;
            table_add(t, (struct known){.name = o->name,
                                        .key = o->key != 0 ? o->key : first->key,
                                        .wants_value = first->arg != NULL && !optional,
                                        .may_have_value = first->arg != NULL});
        }
    }
}

static void table_add_argp(struct table *t, const struct argp *argp)
{
    table_add_options(t, argp->options);
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        table_add_argp(t, c->argp);
    }
}

/* With what argp adds by itself. */
static struct table table_of(const struct argp *argp)
{
    struct table t = {0};

    table_add_argp(&t, argp);
    table_add(&t, (struct known){.name = "help", .key = '?'});
    table_add(&t, (struct known){.name = "usage", .key = KEY_LONG_ONLY});
    if (argp_program_version != NULL || argp_program_version_hook != NULL) {
        table_add(&t, (struct known){.name = "version", .key = 'V'});
    }
    return t;
}

static _Noreturn void mistake(const char *program, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));
static _Noreturn void mistake(const char *program, const char *format, va_list values)
{
    struct text sentence = TEXT_EMPTY;

    text_addf(&sentence, "%s: ", program);
    text_vaddf(&sentence, format, values);
    fprintf(stderr, "%s\n", text_chars(&sentence));
    text_free(&sentence);
    exit(STATUS_MISTAKE);
}

static _Noreturn void mistake_in(const char *program, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static _Noreturn void mistake_in(const char *program, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    mistake(program, format, values);
}

_Noreturn void options_mistake(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    mistake("ridge", format, values);
}

static _Noreturn void unknown_long(const struct table *t, const char *program, const char *name)
{
    const char **names = xcalloc(t->count, sizeof *names);
    size_t count = 0;

    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i].name != NULL) {
            names[count++] = t->items[i].name;
        }
    }
    const char *near = text_nearest(name, names, count);
    free(names);
    if (near == NULL) {
        mistake_in(program, "unknown option '--%s'", name);
    }
    mistake_in(program, "unknown option '--%s'; did you mean '--%s'?", name, near);
}

/* The option of that name, or the only one that begins with it. */
static const struct known *find_long(const struct table *t, const char *program, const char *name)
{
    const struct known *found = NULL;

    for (size_t i = 0; i < t->count; i++) {
        const struct known *k = &t->items[i];
        if (k->name == NULL || strncmp(k->name, name, strlen(name)) != 0) {
            continue;
        }
        if (strcmp(k->name, name) == 0) {
            return k;
        }
        if (found != NULL && found->key != k->key) {
            mistake_in(program, "option '--%s' could be '--%s' or '--%s'", name, found->name,
                       k->name);
        }
        found = k;
    }
    if (found == NULL) {
        unknown_long(t, program, name);
    }
    return found;
}

static const struct known *find_short(const struct table *t, const char *program, char letter)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->items[i].key == letter) {
            return &t->items[i];
        }
    }
    mistake_in(program, "unknown option '-%c'", letter);
}

/* Checks "--name" or "--name=value"; returns how many words it takes. */
static int check_long(const struct table *t, const char *program, const char *word, bool last)
{
    const char *equals = strchr(word, '=');
    char *name = equals != NULL ? xasprintf("%.*s", (int)(equals - word), word) : xstrdup(word);
    const struct known *k = find_long(t, program, name);

    free(name);
    if (equals != NULL && !k->may_have_value) {
        mistake_in(program, "option '--%s' takes no value", k->name);
    }
    if (equals == NULL && k->wants_value && last) {
        mistake_in(program, "option '--%s' needs a value", k->name);
    }
    return equals == NULL && k->wants_value ? 2 : 1;
}

/* Checks "-abc"; returns how many words it takes. */
static int check_short(const struct table *t, const char *program, const char *letters, bool last)
{
    for (; *letters != '\0'; letters++) {
        const struct known *k = find_short(t, program, *letters);
        if (k->wants_value && letters[1] == '\0' && last) {
            mistake_in(program, "option '-%c' needs a value", *letters);
        }
        if (k->may_have_value) {
            return k->wants_value && letters[1] == '\0' ? 2 : 1;
        }
    }
    return 1;
}

static void check_words(const struct table *t, int argc, char **argv)
{
    for (int i = 1; i < argc;) {
        const char *word = argv[i];
        const bool last = i + 1 == argc;

        if (strcmp(word, "--") == 0) {
            return;
        }
        if (strncmp(word, "--", 2) == 0) {
            i += check_long(t, argv[0], word + 2, last);
        } else {
            i += word[0] == '-' ? check_short(t, argv[0], word + 1, last) : 1;
        }
    }
}

int options_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    struct table table = table_of(argp);
    int end = argc;

    argp_err_exit_status = STATUS_MISTAKE;
    check_words(&table, argc, argv);
    free(table.items);
    const error_t result = argp_parse(argp, argc, argv, 0, &end, input);
    if (result != 0) {
        mistake_in(argv[0], "%s", strerror(result));
    }
    if (end < argc) {
        mistake_in(argv[0], "cannot use the argument '%s'", argv[end]);
    }
    return 0;
}
