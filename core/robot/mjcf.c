/* core/robot/mjcf.c - an MJCF: its included files, the compiler's settings, the order of its sections */
#include "core/robot/mjcf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INCLUDES = 100 };

struct including {
    struct mjcf *m;
    int n;
    const char *path[MAX_INCLUDES];             /* of all included files, each of which may come once */
};

/* --- Included files ------------------------------------------------------------------------------------------ */

static bool is_there(const struct including *in, const char *path)
{
    for (int i = 0; i < in->n; i++)
        if (strcmp(in->path[i], path) == 0)
            return true;
    return false;
}

/* The root of the file that <include> names; paths are seen from the folder of the main file. */
static struct xml_element *read_include(struct including *in, const struct xml_element *include)
{
    struct mjcf *m = in->m;
    const char *file = robot_need(m->r, include, "file");
    if (!file)
        return NULL;
    const char *path = *file == '/' ? file : arena_printf(m->r->mem, "%s%s", m->folder, file);
    if (in->n == MAX_INCLUDES || is_there(in, path)) {
        robot_error(m->r, include->pos,
                    in->n == MAX_INCLUDES ? "too many included files" : "this file is included already");
        return NULL;
    }
    in->path[in->n++] = path;
    struct xml_element *root = robot_read_xml(m->r, path, "a file that a robot's file includes", include->pos);
    if (!root || strcmp(root->name, "mujoco") == 0 || strcmp(root->name, "mujocoinclude") == 0)
        return root;
    robot_error(m->r, root->pos, "expected <mujoco> or <mujocoinclude>");
    return NULL;
}

/* Puts the children of included files in the place of <include>. */
static void include_files(struct including *in, struct xml_element *parent, int depth)
{
    struct xml_element **link = &parent->first;
    parent->last = NULL;
    if (depth > XML_MAX_DEPTH) {
        robot_error(in->m->r, parent->pos, "elements of included files are nested more than %d levels deep",
                    XML_MAX_DEPTH);
        parent->first = NULL;
    }
    while (*link && !robot_gives_up(in->m->r)) {
        struct xml_element *child = *link;
        if (strcmp(child->name, "include") != 0) {
            include_files(in, child, depth + 1);
            child->parent = parent;
            parent->last = child;
            link = &child->next;
            continue;
        }
        struct xml_element *root = read_include(in, child);
        *link = child->next;
        if (root && root->last) {
            root->last->next = child->next;
            *link = root->first;
        }
    }
}

/* --- Settings ------------------------------------------------------------------------------------------------ */

static bool says(const struct xml_element *element, const char *name, const char *word)
{
    const char *text = xml_get(element, name);
    return text && strcmp(text, word) == 0;
}

static void read_euler(struct mjcf *m, const struct xml_element *compiler)
{
    const char *text = xml_get(compiler, "eulerseq");
    if (!text)
        return;
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
        robot_error(m->r, compiler->pos, "eulerseq: expected three letters of xyz or XYZ, got \"%.20s\"", text);
    else
        memcpy(m->euler, text, 4);
}

static void read_compiler(struct mjcf *m, const struct xml_element *compiler)
{
    if (xml_get(compiler, "angle"))
        m->degrees = !says(compiler, "angle", "radian");
    if (says(compiler, "coordinate", "global"))
        robot_error(m->r, compiler->pos,
                    "coordinate=\"global\" is not read: MuJoCo 2.3.3 and older save such files with local ones");
    if (xml_get(compiler, "autolimits"))
        m->auto_limits = says(compiler, "autolimits", "true");
    if (xml_get(compiler, "balanceinertia"))
        m->balance = says(compiler, "balanceinertia", "true");
    if (xml_get(compiler, "inertiafromgeom"))
        m->from_geoms = says(compiler, "inertiafromgeom", "true")    ? MJCF_ALWAYS
                        : says(compiler, "inertiafromgeom", "false") ? MJCF_NEVER
                                                                     : MJCF_WHERE_MISSING;
    read_euler(m, compiler);
    robot_numbers(m->r, compiler, "inertiagrouprange", 2, 2, m->group);
    robot_number(m->r, compiler, "boundmass", &m->least_mass);
    robot_number(m->r, compiler, "boundinertia", &m->least_inertia);
    robot_number(m->r, compiler, "settotalmass", &m->total_mass);
}

static void read_option(struct mjcf *m, const struct xml_element *option)
{
    static const char *const fluid[] = { "density", "viscosity" };
    robot_numbers(m->r, option, "gravity", 3, 3, m->r->robot->gravity);
    for (int k = 0; k < 2; k++) {
        double value = 0;
        if (robot_number(m->r, option, fluid[k], &value) && value != 0)
            robot_warn(m->r, option->pos, "forces of a fluid (%s) are not taken", fluid[k]);
    }
    const struct xml_element *flag = xml_child(option, "flag");
    if (flag && says(flag, "gravity", "disable"))
        for (int i = 0; i < 3; i++)
            m->r->robot->gravity[i] = 0;
}

/* What makes forces and is none of what is read. */
static void name_untaken(struct mjcf *m)
{
    static const char *const section[] = { "tendon", "deformable", "contact", "extension", NULL };
    static const char *const what[] = { "<tendon>: tendons are not taken",
                                        "<deformable>: what deforms is not taken",
                                        "<contact>: pairs and exclusions of contacts are not taken",
                                        "<extension>: plugins are not taken" };
    for (int k = 0; section[k]; k++) {
        const struct xml_element *found = xml_child(m->root, section[k]);
        if (found && found->first)
            robot_warn(m->r, found->pos, "%s", what[k]);
    }
}

static void scale_mass(struct mjcf *m)
{
    struct robot *robot = m->r->robot;
    double sum = 0;
    for (int b = 0; b < robot->n_body; b++)
        sum += robot->body[b].inertia.mass;
    for (int b = 0; b < robot->n_body && sum > 0; b++) {
        robot->body[b].inertia.mass *= m->total_mass / sum;
        for (int i = 0; i < 9; i++)
            robot->body[b].inertia.tensor[i] *= m->total_mass / sum;
    }
}

/* Sections may come several times, in any order. */
static void each_section(struct mjcf *m, const char *name,
                         void (*read)(struct mjcf *m, const struct xml_element *section))
{
    for (const struct xml_element *each = xml_child(m->root, name); each && !robot_gives_up(m->r);
         each = xml_next(each))
        read(m, each);
}

void robot_read_mjcf(struct robot_reader *r, struct xml_element *root)
{
    const char *slash = strrchr(r->robot->file, '/');
    struct mjcf m = { .r = r,
                      .root = root,
                      .degrees = true,
                      .auto_limits = true,
                      .euler = "xyz",
                      .from_geoms = MJCF_WHERE_MISSING,
                      .group = { 0, 5 },
                      .total_mass = -1 };
    struct including in = { .m = &m };
    m.folder = slash ? arena_printf(r->mem, "%.*s/", (int)(slash - r->robot->file), r->robot->file) : "";
    include_files(&in, root, 1);
    each_section(&m, "compiler", read_compiler);
    each_section(&m, "option", read_option);
    mjcf_read_defaults(&m);
    if (r->st == STATUS_OK)
        each_section(&m, "worldbody", mjcf_read_world);
    if (r->st == STATUS_OK && r->robot->n_body == 0)
        robot_error(r, root->pos, "the file has no bodies");
    each_section(&m, "actuator", mjcf_read_actuators);
    each_section(&m, "equality", mjcf_read_equations);
    robot_follow_mimics(r);
    if (m.total_mass > 0)
        scale_mass(&m);
    name_untaken(&m);
    free(m.class);
}
