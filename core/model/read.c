/* core/model/read.c - a model from its spec, block by block */
#include "core/model/read.h"

#include "core/base/mem.h"
#include "core/base/stop.h"
#include "core/model/shapes.h"

#include <stdlib.h>
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
    return r->model->n_intervals > 0 && !spec_get(r->root, "certify") && !spec_get(r->root, "impact");
}

/* Which states a command cannot do without: certify looks at an equilibrium, where velocities are zero. */
static bool needs_initial(const struct reader *r, int k)
{
    const struct model *m = r->model;
    if (r->need == MODEL_FOR_SOLVE || r->need == MODEL_FOR_SIMULATE || r->need == MODEL_FOR_IMPACT
        || (r->need == MODEL_FOR_CHECK && is_to_be_solved(r)))
        return true;
    for (int i = 0; i < m->n_position && r->need == MODEL_FOR_CERTIFY; i++)
        if (m->q_index[i] == k)
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
    static const char *const block[] = { "parameters", "states", "controls", "define", "hysteresis", "machines", "bodies",
                                         "phases", "friction", "projection", "complementarity" };
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        const struct spec_node *node = spec_get(r->root, block[i]);
        if (node && node->kind != SPEC_MAPPING && node->kind != SPEC_NULL)
            return false;
    }
    return r->model->n_x > 0;
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
    r->model->names_known = has_names(r);
    model_read_parameters(r);
    model_read_time(r);
    model_read_variables(r);
    model_read_impulses(r);
    model_read_scaling(r);
    model_read_coordinates(r);
    model_read_defines(r);
    model_read_dynamics(r);
    model_read_grounds(r);
    model_read_contacts(r);
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
    model_collect_moments(r);
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

void model_free(struct model *model)
{
    if (!model)
        return;
    expr_graph_free(model->graph);
    struct arena mem = model->mem;              /* it owns the model too */
    arena_free(&mem);
}

struct model *model_fork(const struct model *model)
{
    struct arena mem = { NULL };
    struct model *fork = arena_copy(&mem, model, 1, sizeof *model);
    fork->graph = expr_graph_fork(model->graph);
    fork->mem = mem;
    return fork;
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

const char *model_signal_name(const struct model *model, int k)
{
    return model->define_name[model->n_define - 2 * model->n_projection - model->n_signal + k];
}

const struct model_machine *model_signal_machine(const struct model *model, int k)
{
    int m = 0;
    while (k >= model->machine[m].first_signal + model->machine[m].n_signal) m++;
    return &model->machine[m];
}

const struct model_hysteresis *model_find_relay(const struct model *model, expr state)
{
    for (int k = 0; k < model->n_hysteresis; k++)
        if (model->hysteresis[k].state == state)
            return &model->hysteresis[k];
    return NULL;
}

/* e with what equals a define by that name: `load - sun` instead of what tables and numbers these are. */
static expr in_words(struct model *model, expr e)
{
    const size_t n_most = (size_t)model->n_define;
    expr *part = mem_alloc(2 * n_most, sizeof *part), *name = part + n_most;
    int n = 0;
    for (int k = 0; k < model->n_define; k++) {
        const expr define = model->define_expr[k];
        if (expr_is_const(model->graph, define, NULL) || expr_op_of(model->graph, define) == EXPR_SYM)
            continue;
        part[n] = define;
        name[n++] = expr_sym(model->graph, model->define_name[k]);
    }
    expr_substitute(model->graph, 1, &e, n, part, name, &e);
    free(part);
    return e;
}

/* A switching function of the modes has a name; one that comes from sign(c) and the like may equal a define, or
 * be its negative. */
const char *model_switch_name(struct model *model, expr c)
{
    for (int i = 0; i < model->n_group; i++)
        for (int l = 0; l < model->group[i].n_c; l++)
            if (model->group[i].c[l] == c)
                return model->group[i].c_name[l];
    for (int k = 0; k < model->n_define; k++) {
        if (model->define_expr[k] == c)
            return model->define_name[k];
        if (model->define_expr[k] == expr_neg(model->graph, c))
            return arena_printf(&model->mem, "-%s", model->define_name[k]);
    }
    char *text = expr_to_words(model->graph, in_words(model, c));
    const char *name = arena_copy_text(&model->mem, text);
    free(text);
    return name;
}
