/* Reads the file of a card with jansson; a member that it lacks ends the program with its name. */
#include "tests/virtual_card/card.h"

#include "tests/virtual_card/fail.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

static auto &cards = *new std::vector<struct card>;

extern "C" void virtual_fail(const char *format, ...)
{
    va_list values;

    fputs("virtual card: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    abort();
}

struct number_member {
    const char *name;
    double card::*member;
};

#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, &card::name                                                                         \
    }
static const struct number_member numbers[] = {
    NUMBER(capability_major),
    NUMBER(capability_minor),
    NUMBER(sms),
    NUMBER(memory_bytes),
    NUMBER(l2_bytes),
    NUMBER(bus_bits),
    NUMBER(clock_hz),
    NUMBER(clock_max_hz),
    NUMBER(memory_clock_hz),
    NUMBER(threads_per_sm),
    NUMBER(blocks_per_sm),
    NUMBER(registers_per_sm),
    NUMBER(shared_bytes_per_sm),
    NUMBER(shared_bytes_per_block),
    NUMBER(shared_bytes_per_block_optin),
    NUMBER(shared_bytes_reserved),
    NUMBER(copy_engines),
    NUMBER(ecc),
    NUMBER(driver_version),
    NUMBER(fp32_lanes),
    NUMBER(fp64_lanes),
    NUMBER(fp16_lanes),
    NUMBER(fma_cycles),
    NUMBER(memory_bytes_per_second),
    NUMBER(l2_bytes_per_second),
    NUMBER(memory_seconds),
    NUMBER(l2_seconds),
    NUMBER(link_bytes_per_second),
    NUMBER(link_seconds),
    NUMBER(pageable_bytes_per_second),
    NUMBER(pageable_seconds),
    NUMBER(host_copy_bytes_per_second),
    NUMBER(launch_seconds),
    NUMBER(launch_host_seconds),
    NUMBER(timer_seconds),
    NUMBER(tensor_fp16_flops),
    NUMBER(tensor_tf32_flops),
    NUMBER(gemm_fp32_flops),
    NUMBER(noise),
    NUMBER(power_watts),
    NUMBER(power_limit_watts),
    NUMBER(temperature_celsius),
    NUMBER(slowdown_celsius),
    NUMBER(link_generation),
    NUMBER(link_width),
    NUMBER(event_reasons),
};

/* Left out, they are what another member is, or a number. */
static const struct optional_member {
    const char *name;
    double card::*member, card::*otherwise;
    double number;
} optional_numbers[] = {
    {"link_generation_idle", &card::link_generation_idle, &card::link_generation, 0},
    {"link_generation_max", &card::link_generation_max, &card::link_generation, 0},
    {"link_generation_max_host", &card::link_generation_max_host, &card::link_generation_max, 0},
    {"link_width_max", &card::link_width_max, &card::link_width, 0},
    {"power_limit_default_watts", &card::power_limit_default_watts, &card::power_limit_watts, 0},
    {"processes", &card::processes, nullptr, 0},
    {"utilisation_idle", &card::utilisation_idle, nullptr, 0}, /* percent */
    {"mig", &card::mig, nullptr, 0},                           /* 1: it is a slice */
    {"outliers", &card::outliers, nullptr, 0},                 /* share of durations, x 1.5 */
    {"seed", &card::seed, nullptr, 1},
    {"clock_idle_hz", &card::clock_idle_hz, &card::clock_hz, 0},
    {"gemm_watts", &card::gemm_watts, nullptr, 0}, /* of random data at clock_hz */
    {"link_wakes_seconds", &card::link_wakes_seconds, nullptr, 0},
    {"pageable_kink_bytes", &card::pageable_kink_bytes, nullptr, 0},
    {"l2_far_bytes_per_second", &card::l2_far_bytes_per_second, &card::l2_bytes_per_second, 0},
    {"l2_far_seconds", &card::l2_far_seconds, &card::l2_seconds, 0},
    {"memory_taken_bytes", &card::memory_taken_bytes, nullptr, 0}, /* by somebody else */
    {"vgpu", &card::vgpu, nullptr, 0},                             /* 1: a hypervisor's share */
    {"licensed", &card::licensed, nullptr, 1},
    {"held_back_share", &card::held_back_share, nullptr, 0}, /* of the time, by event_reasons */
    {"memory_clock_now_hz", &card::memory_clock_now_hz, &card::memory_clock_hz, 0},
    {"compute_mode", &card::compute_mode, nullptr, 0},
    {"pstate", &card::pstate, nullptr, 0},
    {"persistence", &card::persistence, nullptr, 1},
    {"confidential", &card::confidential, nullptr, 0},
    {"remap_pending", &card::remap_pending, nullptr, 0},
    {"remap_failed", &card::remap_failed, nullptr, 0},
    {"ecc_errors", &card::ecc_errors, nullptr, 0},     /* uncorrected, since the first reading */
    {"pcie_replays", &card::pcie_replays, nullptr, 0}, /* since the first reading */
};

static void read_optional(const json_t *from, struct card *c)
{
    for (const struct optional_member &o : optional_numbers) {
        const json_t *value = json_object_get(from, o.name);

        c->*o.member = value ? json_number_value(value) : o.otherwise ? c->*o.otherwise : o.number;
    }
}

static void read_word(const json_t *from, const char *name, char *to, size_t room)
{
    const char *word = json_string_value(json_object_get(from, name));

    if (!word || strlen(word) >= room)
        virtual_fail("the card's file has no word \"%s\"", name);
    strcpy(to, word);
}

static void read_card(const json_t *from)
{
    struct card c = {};

    read_word(from, "name", c.name, sizeof c.name);
    read_word(from, "uuid", c.uuid, sizeof c.uuid);
    read_word(from, "pci_bus_id", c.pci_bus_id, sizeof c.pci_bus_id);
    read_word(from, "driver", c.driver, sizeof c.driver);
    for (const struct number_member &n : numbers) {
        const json_t *value = json_object_get(from, n.name);

        if (!json_is_number(value))
            virtual_fail("the card's file has no number \"%s\"", n.name);
        c.*n.member = json_number_value(value);
    }
    read_optional(from, &c);
    cards.push_back(c);
}

static void read_cards(void)
{
    const char *path = getenv("RIDGE_VIRTUAL_CARD");
    json_error_t error;
    json_t *file;
    size_t i;
    json_t *item;

    if (!path)
        virtual_fail("RIDGE_VIRTUAL_CARD names no file; use tests/virtual_card/run");
    file = json_load_file(path, 0, &error);
    if (!file)
        virtual_fail("%s, line %d: %s", path, error.line, error.text);
    json_array_foreach(file, i, item)
    {
        read_card(item);
    }
    if (!json_is_array(file))
        read_card(file);
    json_decref(file);
}

int card_count(void)
{
    if (cards.empty())
        read_cards();
    return (int)cards.size();
}

const struct card *card_at(int index)
{
    if (index < 0 || index >= card_count())
        virtual_fail("there is no card %d", index);
    return &cards[(size_t)index];
}

bool card_fault(const char *name)
{
    const char *faults = getenv("RIDGE_VIRTUAL_FAULT");
    const size_t length = strlen(name);

    while (faults && *faults) {
        const size_t word = strcspn(faults, ",");

        if (word == length && strncmp(faults, name, word) == 0)
            return true;
        faults += word + (faults[word] == ',');
    }
    return false;
}
