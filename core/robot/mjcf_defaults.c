/* core/robot/mjcf_defaults.c - what an attribute is when its element does not say: classes of defaults, within
 * each other */
#include "core/robot/mjcf.h"

#include "core/base/mem.h"

#include <string.h>

/* --- Classes ------------------------------------------------------------------------------------------------- */

static int find_class(const struct mjcf *m, const char *name)
{
    for (int k = 0; k < m->n_class; k++)
        if (m->class[k].name && strcmp(m->class[k].name, name) == 0)
            return k;
    return -1;
}

/* A class and those within it. Depth is bounded by that of the file. */
static void add_class(struct mjcf *m, const struct xml_element *element, const char *name, int parent)
{
    const int own = m->n_class;
    m->class = mem_grow(m->class, m->n_class, 1, sizeof *m->class);
    m->class[m->n_class++] = (struct mjcf_class){ name, parent, element };
    for (const struct xml_element *child = xml_child(element, "default"); child; child = xml_next(child)) {
        const char *inner = robot_need(m->r, child, "class");
        if (inner && find_class(m, inner) >= 0)
            robot_error(m->r, child->pos, "there is a class \"%.60s\" already", inner);
        else if (inner)
            add_class(m, child, inner, own);
    }
}

/* The first is that of all; what others say on the outermost level counts for all, too. */
void mjcf_read_defaults(struct mjcf *m)
{
    for (const struct xml_element *each = xml_child(m->root, "default"); each && !robot_gives_up(m->r);
         each = xml_next(each)) {
        const char *name = xml_get(each, "class");
        add_class(m, each, m->n_class == 0 && !name ? "main" : name, m->n_class == 0 ? -1 : 0);
    }
}

/* --- Attributes ---------------------------------------------------------------------------------------------- */

/* The elements of all actuators share their defaults. */
static bool is_actuator(const char *name)
{
    static const char *const kind[] = { "general", "motor",    "position", "velocity", "intvelocity",
                                        "damper",  "cylinder", "muscle",   "adhesion" };
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if (strcmp(name, kind[k]) == 0)
            return true;
    return false;
}

static bool is_alike(const struct xml_element *element, const struct xml_element *of)
{
    return strcmp(element->name, of->name) == 0 || (is_actuator(element->name) && is_actuator(of->name));
}

/* What the elements of that kind in one <default> say. */
static const char *said_by(const struct xml_element *defaults, const struct xml_element *element, const char *name)
{
    const char *value = NULL;
    for (const struct xml_element *child = defaults->first; child; child = child->next) {
        const char *one = is_alike(child, element) ? xml_get(child, name) : NULL;
        if (one)
            value = one;
    }
    return value;
}

const char *mjcf_get(struct mjcf *m, const struct xml_element *element, const char *class, const char *name,
                     bool *own)
{
    const char *value = xml_get(element, name), *named = xml_get(element, "class");
    *own = value != NULL;
    if (value)
        return value;
    if (!named)
        named = class;
    int k = named ? find_class(m, named) : -1;
    if (named && k < 0 && strcmp(named, "main") != 0)
        robot_error(m->r, element->pos, "there is no class \"%.60s\"", named);
    if (k < 0)
        k = 0;
    for (int depth = 0; k >= 0 && k < m->n_class && depth < XML_MAX_DEPTH && !value;
         depth++, k = m->class[k].parent)
        value = said_by(m->class[k].element, element, name);
    for (k = 1; k < m->n_class && !value; k++)              /* further <default> without a class */
        if (!m->class[k].name)
            value = said_by(m->class[k].element, element, name);
    return value;
}

int mjcf_numbers(struct mjcf *m, const struct xml_element *element, const char *class, const char *name, int n_min,
                 int n_max, double *out)
{
    bool own;
    const char *text = mjcf_get(m, element, class, name, &own);
    return text ? robot_numbers_of(m->r, element->pos, name, text, true, n_min, n_max, out) : 0;
}

bool mjcf_number(struct mjcf *m, const struct xml_element *element, const char *class, const char *name,
                 double *out)
{
    return mjcf_numbers(m, element, class, name, 1, 1, out) == 1;
}

int mjcf_flag(struct mjcf *m, const struct xml_element *element, const char *class, const char *name, int initial)
{
    bool own;
    const char *text = mjcf_get(m, element, class, name, &own);
    if (!text)
        return initial;
    if (strcmp(text, "auto") == 0)
        return -1;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        robot_error(m->r, element->pos, "%s: expected true, false or auto, got \"%.40s\"", name, text);
    return strcmp(text, "true") == 0;
}

bool mjcf_is_limited(struct mjcf *m, const struct xml_element *element, const char *class, const char *flag,
                     const char *range)
{
    bool own;
    const int given = mjcf_flag(m, element, class, flag, -1);
    if (given >= 0)
        return given;
    return m->auto_limits && mjcf_get(m, element, class, range, &own);
}
