/* The commands, and what `ridge` does with its first word. */
#include "harness/command/command.h"

#include "harness/base/options.h"
#include "harness/base/text.h"
#include "harness/base/version.h"

#include <stdlib.h>
#include <string.h>

const struct command *const commands[] = {
    &command_run,     &command_list,  &command_report,   &command_check,
    &command_compare, &command_cards, &command_estimate, NULL};

static void print_help(FILE *to)
{
    fputs(
        "Usage: ridge COMMAND [OPTION]...\n"
        "Measures the graphics cards and the processor of this machine, says whether each figure\n"
        "can be trusted, and draws their rooflines.\n\nCommands:\n",
        to);
    for (size_t i = 0; commands[i]; i++)
        fprintf(to, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`ridge COMMAND --help` says more about each; `ridge --version` says what this build "
          "is.\n",
          to);
}

static void print_version(FILE *to)
{
    fprintf(to, "ridge %s", version_number);
    if (*version_commit)
        fprintf(to, ", commit %s", version_commit);
    if (*version_toolkit)
        fprintf(to, ", CUDA toolkit %s, machine code for %s", version_toolkit,
                version_architectures);
    else
        fputs(", without CUDA", to);
    fputc('\n', to);
}

static const struct command *command_named(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static _Noreturn void unknown_command(const char *word)
{
    const char *names[16] = {"--help", "--version"};
    size_t count = 2;

    for (size_t i = 0; commands[i] && count < COUNT_OF(names); i++)
        names[count++] = commands[i]->name;
    if (text_nearest(word, names, count))
        options_mistake("unknown command '%s'; did you mean '%s'?", word,
                        text_nearest(word, names, count));
    options_mistake("unknown command '%s'; `ridge --help` lists them", word);
}

static int run_command(const struct command *c, int argc, char **argv)
{
    char *program = xasprintf("ridge %s", c->name);
    int status;

    argv[0] = program;
    status = c->run(argc, argv);
    free(program);
    return status;
}

int commands_run(int argc, char **argv)
{
    const struct command *c;

    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return EXIT_OK;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        print_version(stdout);
        return EXIT_OK;
    }
    c = command_named(argv[1]);
    if (!c)
        unknown_command(argv[1]);
    return run_command(c, argc - 1, argv + 1);
}
