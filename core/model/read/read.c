/* core/model/read/read.c - a model from its spec, block by block */
#include "core/model/read/read.h"

#include "core/base/stop.h"
#include "core/model/contacts/read.h"
#include "core/model/define/read.h"
#include "core/model/demands/read.h"
#include "core/model/mechanics/read.h"
#include "core/model/read/blocks.h"
#include "core/model/shapes.h"
#include "core/model/scope/reader.h"
#include "core/model/time/read.h"
#include "core/model/variables/read.h"

#include <string.h>

/* The format version comes first, so that a later program can tell what it reads. */
static void check_version(struct reader *r)
{
    const struct spec_node *version = spec_get(r->root, "cocp");
    if (!version || r->root->child[0] != version)
        diag_error(r->diag, version ? version->key_pos : r->root->pos, "",
                   "the first key must be \"cocp: 1\", the version of the format");
    if (version && (version->kind != SPEC_SCALAR || strcmp(version->text, "1") != 0))
        spec_error(r->diag, version, "the format version must be 1, the one that this program reads");
}

/* "problems/hopper.yaml" is called hopper if it has no name. */
static const char *name_of_file(struct arena *mem, const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = arena_copy_text(mem, slash ? slash + 1 : file);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

static void read_title(struct reader *r)
{
    struct model *m = r->model;
    m->file = r->root->pos.file ? r->root->pos.file : "";
    m->name = reader_word(r, r->root, "name");
    m->description = reader_word(r, r->root, "description");
    if (!*m->name)
        m->name = name_of_file(r->mem, m->file);
}

/* A spec with control intervals is meant to be solved, unless a block says what else. */
static bool is_to_be_solved(const struct reader *r)
{
    return r->model->time.n_intervals > 0 && !spec_get(r->root, "certify") && !spec_get(r->root, "impact");
}

/* Which states a command cannot do without: certify looks at an equilibrium, where velocities are zero. */
static bool needs_initial(const struct reader *r, int k)
{
    const struct model *m = r->model;
    if (r->need == MODEL_FOR_SOLVE || r->need == MODEL_FOR_SIMULATE || r->need == MODEL_FOR_IMPACT
        || (r->need == MODEL_FOR_CHECK && is_to_be_solved(r)))
        return true;
    for (int i = 0; i < m->mechanics.n_position && r->need == MODEL_FOR_CERTIFY; i++)
        if (m->mechanics.q_index[i] == k)
            return true;
    return false;
}

static void check_initial(struct reader *r)
{
    const struct model *m = r->model;
    for (int k = 0; k < m->n_x; k++)
        if (m->x[k].initial.kind == END_MISSING && needs_initial(r, k))
            diag_error(r->diag, m->x[k].pos, m->x[k].path,
                       "\"initial\" is missing: a value, a range [lo, hi] or free");
}

/* Are all blocks there that names may come from? Otherwise every use of a name would be a mistake. */
static bool has_names(const struct reader *r)
{
    static const char *const block[] = { "parameters", "states",          "controls", "define", "hysteresis",
                                         "machines",   "bodies",          "shapes",   "phases", "friction",
                                         "projection", "complementarity", "tables" };
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        const struct spec_node *node = spec_get(r->root, block[i]);
        if (node && node->kind != SPEC_MAPPING && node->kind != SPEC_NULL)
            return false;
    }
    return r->model->n_x > 0 && !r->model->mechanics.joints_broken;
}

/* Names before values, and parameters before all that has numbers; ddt in defines needs the coordinates. */
static void read_all(struct reader *r)
{
    check_version(r);
    shape_check_keys(r->diag, r->root, &model_spec_shape);
    read_title(r);
    model_read_time_unit(r);
    model_collect_phases(r);
    model_collect_parameters(r);
    model_collect_variables(r);
    model_collect_defines(r);
    model_collect_tables(r);
    r->model->names_known = has_names(r);
    model_read_parameters(r);
    model_read_time(r);
    model_read_tables(r);
    model_read_steps(r);
    model_read_variables(r);
    model_read_impulses(r);
    model_read_scaling(r);
    model_read_coordinates(r);
    model_read_solids(r);
    model_read_apart(r);
    model_read_defines(r);
    model_read_dynamics(r);
    model_read_grounds(r);
    model_read_contacts(r);
    loop_hold_contacts(r);
    model_read_projections(r);
    model_name_forces(r);
    model_read_machines(r);
    model_read_cost(r);
    model_read_data(r);
    model_read_constraints(r);
    model_read_complementarity(r);
    model_read_phases(r);
    model_read_jumps(r);
    model_read_links(r);
    model_bound_impulses(r);
    model_bound_tables(r);
    model_collect_interior_times(r);
    model_read_guess(r);
    model_read_draw(r);
    check_initial(r);
    if (r->need == MODEL_FOR_SOLVE || (r->need == MODEL_FOR_CHECK && is_to_be_solved(r)))
        reader_check_given_ends(r);
}

static struct model *model_create(const struct spec *spec)
{
    struct arena mem = { NULL };
    struct model *m = arena_alloc(&mem, 1, sizeof *m);
    m->mem = mem;
    m->spec = spec;
    m->graph = expr_graph_create();
    m->t_sym = expr_sym(m->graph, "t");
    m->broken = expr_sym(m->graph, "unreadable");
    return m;
}

enum status model_read(const struct spec *spec, enum model_need need, struct model **out, struct diag *diag)
{
    const struct spec_node *root = spec_root(spec);
    *out = NULL;
    if (!root || root->kind != SPEC_MAPPING || root->n == 0)
        return diag_error(diag, root ? root->pos : (struct srcpos){ NULL, 0, 0 }, "",
                          "expected a spec: a mapping that starts with \"cocp: 1\"");
    const int n_errors = diag_n_errors(diag);
    struct model *m = model_create(spec);
    struct reader reader = { .model = m, .mem = &m->mem, .g = m->graph, .root = root, .need = need, .diag = diag,
                             .broken = m->broken, .names = known_names_create() };
    reader.stack = arena_alloc(&m->mem, MAX_DEPTH + 1, sizeof *reader.stack);
    read_all(&reader);
    known_names_free(reader.names);
    *out = m;
    if (stop_leaves_nothing())
        return diag_fail(diag, stop_status(), "stopped while the spec was read");
    return diag_n_errors(diag) > n_errors ? STATUS_SPEC : STATUS_OK;
}

static enum status eval_number(void *user, const struct spec_node *node, double *out, struct diag *diag)
{
    struct reader reader = reader_reopen(user, diag);
    return reader_number(&reader, node, out);
}

struct setting_eval model_eval(struct model *model)
{
    return (struct setting_eval){ model, eval_number };
}
