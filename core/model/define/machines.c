/* core/model/define/machines.c - discrete states with signals, transitions and resets
 *
 *   machines:
 *     washer:
 *       start: fill
 *       states: {fill: {valve: 1}, wash: {motor: 1}}
 *       transitions:
 *         full: {from: fill, to: wash, when: level >= 1}
 *         done: {from: wash, to: fill, after: 10, reset: {level: 0}}
 */
#include "core/model/define/read.h"

#include "core/model/shapes.h"

#include <math.h>
#include <string.h>

static const struct spec_node *states_of(const struct spec_node *machine)
{
    const struct spec_node *states = spec_get(machine, "states");
    return states && states->kind == SPEC_MAPPING ? states : NULL;
}

/* The signals of one machine, each once, from *n on; node NULL: only counts, some of them twice. */
static void list_signals_of(const struct spec_node *machine, const struct spec_node **node, int *n)
{
    const struct spec_node *states = states_of(machine);
    const int first = *n;
    for (int i = 0; states && i < states->n; i++)
        for (int k = 0; k < states->child[i]->n; k++) {
            const struct spec_node *signal = states->child[i]->child[k];
            bool is_new = signal->key != NULL;
            for (int j = first; node && j < *n && is_new; j++)
                is_new = strcmp(node[j]->key, signal->key) != 0;
            if (is_new && node)
                node[*n] = signal;
            *n += is_new;
        }
}

int reader_list_signals(struct reader *r, const struct spec_node ***node)
{
    const struct spec_node *block = reader_block(r, r->root, "machines");
    int most = 0, n = 0;
    for (int i = 0; block && i < block->n; i++)
        list_signals_of(block->child[i], NULL, &most);
    *node = arena_alloc(r->mem, (size_t)most, sizeof **node);
    r->model->switching.machine = arena_alloc(r->mem, (size_t)((block ? block->n : 0) + r->model->constraints.n_noted),
                                              sizeof *r->model->switching.machine);
    for (int i = 0; block && i < block->n; i++) {
        r->model->switching.machine[i].first_signal = n;
        list_signals_of(block->child[i], *node, &n);
        r->model->switching.machine[i].n_signal = n - r->model->switching.machine[i].first_signal;
    }
    return n;
}

/* --- States -------------------------------------------------------------------------------------------------- */

static int find_state(const struct model_machine *machine, const char *name)
{
    for (int i = 0; i < machine->n_state; i++)
        if (strcmp(machine->state[i], name) == 0)
            return i;
    return -1;
}

/* The state that a scalar names; -1 after an error. */
static int state_of(struct reader *r, const struct model_machine *machine, const struct spec_node *node)
{
    const int found = node->kind == SPEC_SCALAR ? find_state(machine, node->text) : -1;
    if (found < 0)
        spec_error(r->diag, node, "is no state of %s", machine->name);
    return found;
}

static void read_values(struct reader *r, const struct spec_node *state, const struct model_machine *machine,
                        double *value)
{
    const struct model *m = r->model;
    const int first = r->n_plain + r->n_relay + machine->first_signal;
    for (int k = 0; k < state->n; k++)
        for (int i = 0; i < machine->n_signal; i++)
            if (strcmp(m->defines.name[first + i], state->child[k]->key) == 0)
                reader_finite(r, state->child[k], &value[i]);
}

static void read_states(struct reader *r, const struct spec_node *node, struct model_machine *machine)
{
    const struct spec_node *states = states_of(node), *start = spec_get(node, "start");
    if (!states || states->n == 0) {
        spec_error(r->diag, node, "\"states\" is missing: {state: {signal: number}}");
        return;
    }
    machine->n_state = states->n;
    machine->state = arena_alloc(r->mem, (size_t)states->n, sizeof *machine->state);
    machine->value = arena_alloc(r->mem, (size_t)(states->n * machine->n_signal), sizeof *machine->value);
    for (int i = 0; i < states->n; i++) {
        const struct spec_node *state = states->child[i];
        reader_check_letters(r, state);
        machine->state[i] = state->key;
        if (state->kind == SPEC_MAPPING)
            read_values(r, state, machine, machine->value + i * machine->n_signal);
        else if (state->kind != SPEC_NULL)
            spec_error(r->diag, state, "expected {signal: number}");
    }
    machine->start = start ? state_of(r, machine, start) : 0;
}

/* One state, or a list of those that it may end in. */
static void read_final(struct reader *r, const struct spec_node *node, struct model_machine *machine)
{
    const int n = node->kind == SPEC_SEQUENCE ? node->n : 1;
    machine->final = arena_alloc(r->mem, (size_t)n, sizeof *machine->final);
    if (n == 0)
        spec_error(r->diag, node, "the list of states is empty");
    for (int i = 0; i < n; i++) {
        const int state = state_of(r, machine, node->kind == SPEC_SEQUENCE ? node->child[i] : node);
        if (state >= 0)
            machine->final[machine->n_final++] = state;
    }
}

/* --- Transitions --------------------------------------------------------------------------------------------- */

static void read_resets(struct reader *r, const struct spec_node *node, struct model_transition *transition)
{
    transition->reset_x = arena_alloc(r->mem, (size_t)node->n, sizeof *transition->reset_x);
    transition->reset = arena_alloc(r->mem, (size_t)node->n, sizeof *transition->reset);
    for (int i = 0; i < node->n; i++) {
        const struct spec_node *one = node->child[i];
        const int x = reader_state_of(r, one, one->key_pos, one->key);
        const expr e = reader_smooth(r, one, "a reset is one smooth expression", USES_ALL, "a reset");
        if (x < 0 || reader_is_broken(r, e))
            continue;
        transition->reset_x[transition->n_reset] = x;
        transition->reset[transition->n_reset++] = e;
    }
}

static expr read_condition(struct reader *r, const struct spec_node *node)
{
    return reader_condition(r, node, "the condition of a transition", "level >= 1",
                            "write one transition per condition");
}

/* All of a list: what depends on controls is the command, of which there is one, the others are what must hold
 * where it is given; without a command they are alike. */
static void read_conditions(struct reader *r, const struct spec_node *list, struct model_transition *transition)
{
    if (list->n == 0)
        spec_error(r->diag, list, "the list of conditions is empty");
    transition->only = arena_alloc(r->mem, (size_t)list->n, sizeof *transition->only);
    for (int i = 0; i < list->n; i++) {
        const struct model *m = r->model;
        const expr e = read_condition(r, list->child[i]);
        const bool is_command = !reader_is_broken(r, e) && expr_depends(r->g, e, m->n_u, m->u_sym);
        if (is_command && transition->when != EXPR_NONE)
            spec_error(r->diag, list->child[i], "a transition has one command, and this is a second one");
        else if (is_command)
            transition->when = e;
        else
            transition->only[transition->n_only++] = e;
    }
    if (transition->when == EXPR_NONE && transition->n_only > 0)
        transition->when = transition->only[--transition->n_only];
}

static void read_transition(struct reader *r, const struct spec_node *node, const struct model_machine *machine,
                            struct model_transition *transition)
{
    const struct spec_node *from = spec_get(node, "from"), *to = spec_get(node, "to"),
                           *when = spec_get(node, "when");
    const struct spec_node *after = spec_get(node, "after"), *reset = reader_block(r, node, "reset");
    *transition = (struct model_transition){ .name = arena_printf(r->mem, "%s.%s", machine->name, node->key),
                                             .path = node->path, .pos = node->key_pos, .from = -1, .to = -1,
                                             .when = EXPR_NONE, .after = NAN };
    reader_check_letters(r, node);
    shape_check_keys(r->diag, node, &model_transition_shape);
    if (!from || !to || !when == !after) {
        spec_error(r->diag, node, "needs \"from\", \"to\", and either \"when\" or \"after\"");
        return;
    }
    transition->from = state_of(r, machine, from);
    transition->to = state_of(r, machine, to);
    if (when && when->kind == SPEC_SEQUENCE)
        read_conditions(r, when, transition);
    else if (when)
        transition->when = read_condition(r, when);
    else if (reader_finite(r, after, &transition->after) == STATUS_OK && !(transition->after > 0))
        spec_error(r->diag, after, "must be above 0");
    if (reset)
        read_resets(r, reset, transition);
}

static void read_machine(struct reader *r, const struct spec_node *node, struct model_machine *machine)
{
    machine->name = node->key;
    machine->path = node->path;
    machine->pos = node->key_pos;
    reader_check_letters(r, node);
    shape_check_keys(r->diag, node, &model_machine_shape);
    if (node->kind != SPEC_MAPPING)
        return;
    read_states(r, node, machine);
    if (spec_get(node, "final"))
        read_final(r, spec_get(node, "final"), machine);
    const struct spec_node *block = reader_block(r, node, "transitions");
    if (!block || machine->n_state == 0)
        return;
    machine->transition = arena_alloc(r->mem, (size_t)block->n, sizeof *machine->transition);
    for (int i = 0; i < block->n; i++)
        read_transition(r, block->child[i], machine, &machine->transition[machine->n_transition++]);
}

void model_read_machines(struct reader *r)
{
    const struct spec_node *block = reader_block(r, r->root, "machines");
    for (int i = 0; block && i < block->n; i++)
        read_machine(r, block->child[i], &r->model->switching.machine[r->model->switching.n_machine++]);
}
