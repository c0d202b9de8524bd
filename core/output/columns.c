#include "core/output/columns.h"

int columns_count(const struct model *model)
{
    int n = model->n_x + model->n_u + model->n_output;
    for (int c = 0; c < model->n_contact; c++)
        n += 3 + 2 * model->contact[c].n_t;
    return n;
}

const char *columns_contact_name(const struct model_contact *contact, const char *quantity, int part,
                                 struct arena *mem)
{
    if (part == 0)
        return arena_printf(mem, "%s_%s_n", contact->name, quantity);
    return contact->n_t == 1 ? arena_printf(mem, "%s_%s_t", contact->name, quantity)
                             : arena_printf(mem, "%s_%s_t%d", contact->name, quantity, part);
}

bool columns_is_spatial(const struct model *model)
{
    bool is_spatial = false;
    for (int c = 0; c < model->n_contact; c++)
        is_spatial = is_spatial || model->contact[c].n_t == 2;
    return is_spatial;
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
        { "v", "m/s", "normal velocity", "tangential velocity" },
        { "lambda", "N", "normal force", "tangential force" },
    };
    add(list, arena_printf(mem, "%s_gap", contact->name), "m", "gap", "contact");
    for (int q = 0; q < 2; q++)
        for (int part = 0; part <= contact->n_t; part++)
            add(list, columns_contact_name(contact, quantity[q].name, part, mem), quantity[q].units,
                part == 0 ? quantity[q].normal : quantity[q].tangential, "contact");
}

const struct result_field *columns_describe(const struct model *model, struct arena *mem)
{
    struct list list = { 0, arena_alloc(mem, (size_t)columns_count(model), sizeof(struct result_field)) };
    for (int i = 0; i < model->n_x; i++)
        add(&list, model->x[i].name, model->x[i].units, model->x[i].long_name, "state");
    for (int i = 0; i < model->n_u; i++)
        add(&list, model->u[i].name, model->u[i].units, model->u[i].long_name, "control");
    for (int c = 0; c < model->n_contact; c++)
        add_contact(&list, &model->contact[c], mem);
    for (int k = 0; k < model->n_output; k++)
        add(&list, model->output[k].name, model->output[k].units, model->output[k].long_name, "output");
    return list.field;
}
