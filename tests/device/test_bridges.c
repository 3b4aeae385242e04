/* The narrowest link above a card, in made-up folders of sysfs. */
#include "harness/base/text.h"
#include "harness/device/bridges.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT_PORT "sys/devices/pci0000:00/0000:00:01.0"
#define SWITCH_UP ROOT_PORT "/0000:01:00.0"
#define PORT_DOWN SWITCH_UP "/0000:02:08.0"
#define CARD      PORT_DOWN "/0000:03:00.0"

static char root[] = "/tmp/ridge-bridges-XXXXXX";

static void make_folders(const char *path)
{
    char *full = xasprintf("%s/%s", root, path);

    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    mkdir(full, 0700);
    free(full);
}

static void put(const char *folder, const char *file, const char *line)
{
    char *path = xasprintf("%s/%s/%s", root, folder, file);
    struct text t = TEXT_EMPTY;

    text_addf(&t, "%s\n", line);
    cr_assert_eq(text_write_file(&t, path), 0, "%s", path);
    text_free(&t);
    free(path);
}

static void put_link(const char *folder, const char *speed, const char *width)
{
    put(folder, "max_link_speed", speed);
    put(folder, "current_link_width", width);
}

static void make_machine(void)
{
    char *link;

    cr_assert_not_null(mkdtemp(root));
    make_folders(CARD);
    make_folders("sys/bus/pci/devices");
    link = xasprintf("%s/sys/bus/pci/devices/0000:03:00.0", root);
    cr_assert_eq(symlink("../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:08.0/"
                         "0000:03:00.0",
                         link),
                 0);
    free(link);
    setenv("RIDGE_ROOT", root, 1);
}

static void drop_machine(void)
{
    char *command = xasprintf("rm -r %s", root);

    cr_expect_eq(system(command), 0);
    free(command);
}

TestSuite(bridges, .init = make_machine, .fini = drop_machine);

Test(bridges, the_narrowest_is_named)
{
    char *name;

    put_link(ROOT_PORT, "16.0 GT/s PCIe", "4");
    put_link(SWITCH_UP, "16.0 GT/s PCIe", "4");
    put_link(PORT_DOWN, "16.0 GT/s PCIe", "16");
    put_link(CARD, "2.5 GT/s PCIe", "1"); /* the card's own link is another question */
    const double slowest = bridges_slowest("/sys/bus/pci/devices/0000:03:00.0", &name);

    cr_expect_float_eq(slowest, 4 * 16e9 * 128 / 130 / 8, 1); /* the macro looks at it twice */
    cr_expect_str_eq(name, "0000:01:00.0");
    free(name);
}

Test(bridges, what_is_unreadable_is_passed_over)
{
    char *name;

    put_link(ROOT_PORT, "Unknown", "16");
    put_link(PORT_DOWN, "8.0 GT/s PCIe", "8");
    const double slowest = bridges_slowest("/sys/bus/pci/devices/0000:03:00.0", &name);

    cr_expect_float_eq(slowest, 8 * 8e9 * 128 / 130 / 8, 1); /* the macro looks at it twice */
    cr_expect_str_eq(name, "0000:02:08.0");
    free(name);
}

Test(bridges, none_that_says_anything)
{
    char *name;

    cr_expect(isnan(bridges_slowest("/sys/bus/pci/devices/0000:03:00.0", &name)));
    cr_expect_null(name);
    cr_expect(isnan(bridges_slowest("/sys/bus/pci/devices/0000:99:00.0", &name)));
    cr_expect_null(name);
}
