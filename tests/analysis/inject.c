/* Injects faults into the healthy report, and judges it. */
#include "faults.h"
#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const rows[] = {"h2d", "d2h", "pageable", "read",  "triad", "bf16",  "fp32",
                                   "fma", "leg", "mid",      "large", "cpu",   "launch"};
static const struct {
    const char *name, *path;
} places[] = {{"facts", "devices.0.facts"},
              {"host", "devices.1.facts"},
              {"env", "environment"},
              {"figure", "figures"}};

static char *full_path(const char *path)
{
    const size_t length = strcspn(path, ".");

    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i]) == length && strncmp(rows[i], path, length) == 0)
            return xasprintf("measurements.%zu%s", i, path + length);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (strlen(places[i].name) == length && strncmp(places[i].name, path, length) == 0)
            return xasprintf("%s%s", places[i].path, path + length);
    return xstrdup(path);
}

struct change {
    json_t *value; /* NULL: multiply by factor */
    double factor;
};

static json_t *changed(const struct change *c, json_t *old)
{
    return c->value != NULL ? json_incref(c->value) : json_real(json_number_value(old) * c->factor);
}

static void change_at(json_t *at, char *path, const struct change *c);

static void change_list(json_t *list, const char *step, char *rest, const struct change *c)
{
    size_t first = 0, last = json_array_size(list) - 1;

    if (strcmp(step, "all") != 0) {
        const char *dash = strchr(step, '-');

        first = strtoul(step, NULL, 10);
        last = dash != NULL ? strtoul(dash + 1, NULL, 10) : first;
    }
    cr_assert_lt(last, json_array_size(list), "%s", step);
    for (size_t i = first; i <= last; i++) {
        char *copy = xstrdup(rest);

        if (*rest == '\0')
            json_array_set_new(list, i, changed(c, json_array_get(list, i)));
        else
            change_at(json_array_get(list, i), copy, c);
        free(copy);
    }
}

static void change_at(json_t *at, char *path, const struct change *c)
{
    char *rest = path + strcspn(path, ".");

    if (*rest != '\0')
        *rest++ = '\0';
    if (json_is_array(at)) {
        change_list(at, path, rest, c);
    } else if (*rest != '\0') {
        cr_assert_not_null(json_object_get(at, path), "%s", path);
        change_at(json_object_get(at, path), rest, c);
    } else {
        json_object_set_new(at, path, changed(c, json_object_get(at, path)));
    }
}

static void edit(json_t *root, const char *words)
{
    const size_t length = strcspn(words, "=*");
    char *written = xasprintf("%.*s", (int)length, words);
    char *path = full_path(written);
    struct change c = {NULL, strtod(words + length + 1, NULL)};

    if (words[length] == '=')
        c.value = json_loads(words + length + 1, JSON_DECODE_ANY, NULL);
    cr_assert(words[length] == '*' || c.value != NULL, "%s", words);
    change_at(root, path, &c);
    json_decref(c.value);
    free(written);
    free(path);
}

static void add_for(json_t *list, json_t *item, const char *device)
{
    json_t *copy = json_deep_copy(item);

    json_object_set_new(copy, "device", json_string(device));
    json_array_append_new(list, copy);
}

/* Cards of the same model with the same figures and a row (bf16), as cuda1 and so on. */
static void add_peers(json_t *root, unsigned peers)
{
    json_t *devices = json_object_get(root, "devices"), *figures = json_object_get(root, "figures");
    json_t *measurements = json_object_get(root, "measurements");
    const size_t count = json_array_size(figures);

    for (unsigned i = 1; i <= peers; i++) {
        json_t *device = json_deep_copy(json_array_get(devices, 0));
        char *id = xasprintf("cuda%u", i);

        json_object_set_new(device, "id", json_string(id));
        json_object_set_new(device, "uuid", json_sprintf("GPU-%u", i));
        json_array_append_new(devices, device);
        for (size_t k = 0; k < count; k++)
            add_for(figures, json_array_get(figures, k), id);
        add_for(measurements, json_array_get(measurements, 5), id);
        free(id);
    }
}

json_t *fault_report(const struct fault *f, const char *const *edits)
{
    json_error_t why;
    json_t *measurement;
    size_t row;
    json_t *root = json_load_file(SOURCE_FOLDER "/tests/findings/healthy.json", 0, &why);

    cr_assert_not_null(root, "%s", why.text);
    add_peers(root, f->peers);
    json_array_foreach(json_object_get(root, "measurements"), row, measurement)
        json_object_set_new(measurement, "value", json_null()); /* follows from the samples */
    for (size_t i = 0; i < EDITS_MAX && edits[i] != NULL; i++)
        edit(root, edits[i]);
    return root;
}

static void read_json(struct report *out, json_t *json)
{
    char *text = json_dumps(json, 0);
    struct text why = TEXT_EMPTY;

    cr_assert_eq(report_parse(out, text, strlen(text), "healthy.json", &why), 0, "%s",
                 text_chars(&why));
    free(text);
}

/* The report that is judged, then those beside it. */
enum { TOGETHER_MAX = 32 };
static const struct report *together[TOGETHER_MAX];
static struct report beside[TOGETHER_MAX];
static unsigned beside_count;

void fault_judge(struct report *out, json_t *json, const struct circumstances *given)
{
    read_json(out, json);
    together[0] = out;
    findings_derive(out, given);
}

static json_t *healthy(void)
{
    static const struct fault none = {0};

    return fault_report(&none, none.edits);
}

/* A healthy report, of another machine where it has a number. */
static void add_beside(unsigned number, const char *edit_of_all)
{
    json_t *json = healthy();
    char *name = xasprintf("environment.machine=\"node%u\"", number);
    char *uuid = xasprintf("devices.0.uuid=\"GPU-node%u\"", number);

    if (number > 0) {
        edit(json, name);
        edit(json, uuid);
    }
    if (edit_of_all != NULL)
        edit(json, edit_of_all);
    if (edit_of_all != NULL && strncmp(edit_of_all, "env.driver", 10) == 0)
        edit(json, "figures.all.value*0.9");
    read_json(&beside[beside_count], json);
    together[1 + beside_count] = &beside[beside_count];
    beside_count++;
    json_decref(json);
    free(name);
    free(uuid);
}

static void gather(const struct fault *f, struct circumstances *given)
{
    for (; beside_count > 0; beside_count--)
        report_free(&beside[beside_count - 1]);
    for (unsigned i = 0; i < f->nodes; i++)
        add_beside(1 + i, NULL);
    for (unsigned i = 0; i < f->slow_nodes; i++)
        add_beside(1 + f->nodes + i, "env.driver=\"535.1\"");
    for (unsigned i = 0; i < f->runs; i++)
        add_beside(0, NULL);
    given->together = together;
    given->together_count = beside_count > 0 ? 1 + beside_count : 0;
}

struct circumstances fault_circumstances(const struct fault *f, struct report *baseline)
{
    struct circumstances given = circumstances_unknown;
    json_t *json;

    gather(f, &given);
    report_init(baseline);
    if (f->link > 0) {
        given.link_generation = f->link;
        given.link_width = 16;
    }
    if (f->power > 0)
        given.power_watts = f->power;
    if (f->memory_gib > 0)
        given.memory_bytes = f->memory_gib * 1073741824;
    if (f->against_itself) {
        json = healthy();
        if (f->older_cublas)
            edit(json, "env.cublas=\"12.8.4\"");
        fault_judge(baseline, json, &circumstances_unknown);
        json_decref(json);
        given.baseline = baseline;
    }
    return given;
}
