/* Describes the machine and the operating system that a report was made on. */
#include "harness/device/system.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static enum flag flag_of(bool yes)
{
    return yes ? FLAG_YES : FLAG_NO;
}

char *system_cpu_name(void)
{
    char *name = system_field("/proc/cpuinfo", "model name");
    struct utsname uts;

    if (name || uname(&uts) != 0)
        return name;
    return xstrdup(uts.machine);
}

static bool file_names_any(const char *path, const char *const *words)
{
    char *contents = system_read(path);
    bool named = false;

    for (size_t i = 0; contents && words[i]; i++)
        named |= strstr(contents, words[i]) != NULL;
    free(contents);
    return named;
}

bool system_in_container(void)
{
    static const char *const engines[] = {"docker", "kubepods", "containerd",
                                          "libpod", "lxc",      NULL};

    return system_exists("/.dockerenv") || system_exists("/run/.containerenv") ||
           system_exists("/run/systemd/container") || file_names_any("/proc/1/cgroup", engines);
}

bool system_in_wsl(void)
{
    static const char *const marks[] = {"microsoft", "Microsoft", "WSL", NULL};

    return file_names_any("/proc/sys/kernel/osrelease", marks);
}

/* Only x86 says so among the features of its CPUs. */
static enum flag under_hypervisor(void)
{
    char *flags = system_field("/proc/cpuinfo", "flags");
    enum flag found = flags ? flag_of(strstr(flags, " hypervisor") != NULL) : FLAG_UNKNOWN;

    free(flags);
    return system_exists("/sys/hypervisor/type") ? FLAG_YES : found;
}

static char *machine_name(void)
{
    char name[256];

    if (gethostname(name, sizeof name) != 0)
        return NULL;
    name[sizeof name - 1] = '\0';
    name[strcspn(name, ".")] = '\0';
    return *name ? xstrdup(name) : NULL;
}

void system_describe(struct environment *e)
{
    e->virtual_card = flag_of(dlsym(RTLD_DEFAULT, "ridge_virtual_card") != NULL);
    e->os = system_field("/etc/os-release", "PRETTY_NAME");
    e->kernel = device_read_line("/proc/sys/kernel/osrelease");
    e->cpu = system_cpu_name();
    e->container = flag_of(system_in_container());
    e->hypervisor = under_hypervisor();
    e->wsl = flag_of(system_in_wsl());
    e->machine = machine_name();
}
