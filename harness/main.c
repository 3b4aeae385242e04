/* The program: hands its arguments to the commands. */
#include "harness/command/command.h"

int main(int argc, char **argv)
{
    return commands_run(argc, argv);
}
