#include "core/output/columns.h"

#include <math.h>

int columns_of_contact(const struct model *model, int contact)
{
    int n = model->n_x + model->n_u;
    for (int c = 0; c < contact; c++)
        n += 3 + 2 * model->contacts.contact[c].n_t;
    return n;
}

int columns_n_signal(const struct model *model)
{
    return model->switching.n_hysteresis + model->switching.n_signal;
}

int columns_count(const struct model *model)
{
    return columns_of_contact(model, model->contacts.n_contact) + 2 * model->switching.n_projection
           + model->mechanics.loops.n_shown + model->defines.n_output + columns_n_signal(model);
}

int columns_n_shown(const struct model *model)
{
    return columns_count(model) + model->mechanics.loops.n_shown * CONTACT_ROWS * model->contacts.n_contact;
}

int columns_expressions(const struct model *model, const expr *u_expr, expr *out)
{
    int n = 0;
    for (int k = 0; k < model->n_u; k++)
        out[n++] = u_expr && u_expr[k] != EXPR_NONE ? u_expr[k] : model->u_sym[k];
    for (int c = 0; c < model->contacts.n_contact; c++) {
        out[n++] = model->contacts.contact[c].gap;
        out[n++] = model->contacts.contact[c].v_n;
        for (int k = 0; k < model->contacts.contact[c].n_t; k++)
            out[n++] = expr_div(model->graph, model->contacts.contact[c].v_t[k],
                                model->contacts.contact[c].weight[k]);
        for (int k = 0; k < model->contacts.contact[c].n_t; k++)
            out[n++] = model->contacts.contact[c].weight[k];    /* of forces, which are no functions of the point */
    }
    for (int k = 0; k < model->switching.n_projection; k++)
        out[n++] = model->switching.projection[k].gap;          /* of pairs it depends on forces */
    const struct model_loops *loops = &model->mechanics.loops;
    for (int k = 0; k < loops->n_shown; k++) {
        out[n++] = loops->force[loops->shown[k]];
        for (int c = 0; c < CONTACT_ROWS * model->contacts.n_contact; c++)
            out[n++] = loops->per_contact[loops->shown[k] + c * loops->n];
    }
    for (int k = 0; k < model->defines.n_output; k++)
        out[n++] = model->defines.output[k].e;
    return n;
}

void columns_fill(const struct model *model, const double *shown, const double *force, const double *signal,
                  double *column)
{
    column += model->n_x;
    for (int k = 0; k < model->n_u; k++)
        *column++ = *shown++;
    for (int c = 0; c < model->contacts.n_contact; c++) {
        const int n_t = model->contacts.contact[c].n_t;
        for (int k = 0; k < 2 + n_t; k++)
            *column++ = *shown++;
        *column++ = force[CONTACT_ROWS * c];
        for (int k = 0; k < n_t; k++)
            *column++ = force[CONTACT_ROWS * c + 1 + k] * *shown++;
    }
    for (int k = 0; k < model->switching.n_projection; k++) {
        *column++ = *shown++;
        *column++ = force[CONTACT_ROWS * model->contacts.n_contact + k];
    }
    for (int k = 0; k < model->mechanics.loops.n_shown; k++, column++) {
        *column = *shown++;
        for (int c = 0; c < CONTACT_ROWS * model->contacts.n_contact; c++)
            *column += force[c] * *shown++;
    }
    for (int k = 0; k < model->defines.n_output; k++)
        *column++ = *shown++;
    for (int k = 0; k < columns_n_signal(model); k++)
        *column++ = signal ? signal[k] : NAN;
}

const char *columns_contact_name(const struct model_contact *contact, const char *quantity, int part,
                                 struct arena *mem)
{
    if (part == 0)
        return arena_printf(mem, "%s_%s_n", contact->name, quantity);
    return contact->n_t == 1 ? arena_printf(mem, "%s_%s_t", contact->name, quantity)
                             : arena_printf(mem, "%s_%s_t%d", contact->name, quantity, part);
}

const char *columns_reaction_name(const struct model_projection *projection, struct arena *mem)
{
    return arena_printf(mem, "%s_lambda", projection->name);
}

/* The next column of the list. */
struct list { int n; struct result_field *field; };

static void add(struct list *list, const char *name, const char *units, const char *long_name, const char *role)
{
    list->field[list->n] = (struct result_field){ name, RESULT_DOUBLE, (size_t)list->n * sizeof(double), units,
                                                  long_name, role, .room = 0 };
    list->n++;
}

static void add_contact(struct list *list, const struct model_contact *contact, struct arena *mem)
{
    static const struct { const char *name, *units, *normal, *tangential; } quantity[] = {
        { "v", UNITS_SPEED, "normal velocity", "tangential velocity" },
        { "lambda", UNITS_FORCE, "normal force", "tangential force" },
    };
    add(list, arena_printf(mem, "%s_gap", contact->name), "m", "gap", "contact");
    for (int q = 0; q < 2; q++)
        for (int part = 0; part <= contact->n_t; part++)
            add(list, columns_contact_name(contact, quantity[q].name, part, mem), quantity[q].units,
                part == 0 ? quantity[q].normal : quantity[q].tangential, "contact");
}

static void add_projection(struct list *list, const struct model_projection *projection, struct arena *mem)
{
    const bool is_pair = projection->is_pair;
    add(list, arena_printf(mem, is_pair ? "%s_H" : "%s_gap", projection->name), "", is_pair ? "side H" : "gap", "contact");
    add(list, columns_reaction_name(projection, mem), "", is_pair ? "side lambda" : "reaction", "contact");
}

const struct result_field *columns_describe(const struct model *model, struct arena *mem)
{
    struct list list = { 0, arena_alloc(mem, (size_t)columns_count(model), sizeof(struct result_field)) };
    for (int i = 0; i < model->n_x; i++)
        add(&list, model->x[i].name, model->x[i].units, model->x[i].long_name,
            model_is_seat(model, i) ? "internal" : model_find_held(model, i) ? "control" : "state");
    for (int i = 0; i < model->n_u; i++)
        add(&list, model->u[i].name, model->u[i].units, model->u[i].long_name,
            model_is_phase(model, i) ? "phase" : "control");
    for (int c = 0; c < model->contacts.n_contact; c++)
        add_contact(&list, &model->contacts.contact[c], mem);
    for (int k = 0; k < model->switching.n_projection; k++)
        add_projection(&list, &model->switching.projection[k], mem);
    for (int k = 0; k < model->mechanics.loops.n_shown; k++)
        add(&list, model->mechanics.loops.shown_name[k], UNITS_FORCE, "force of the loop", "contact");
    for (int k = 0; k < model->defines.n_output; k++)
        add(&list, model->defines.output[k].name, model->defines.output[k].units,
            model->defines.output[k].long_name, "output");
    for (int k = 0; k < model->switching.n_hysteresis; k++)
        add(&list, model->switching.hysteresis[k].name, NULL, "relay: 1 where it is on", "signal");
    for (int k = 0; k < model->switching.n_signal; k++)
        add(&list, model_signal_name(model, k), NULL,
            arena_printf(mem, "signal of %s", model_signal_machine(model, k)->name), "signal");
    return list.field;
}
