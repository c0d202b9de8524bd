#include "transcription/record/columns.h"

int columns_count(const struct model *model)
{
    int n = model->n_x + model->n_u + model->n_output;
    for (int c = 0; c < model->n_contact; c++)
        n += 3 + 2 * model->contact[c].n_t;
    return n;
}

struct column *columns_describe(const struct model *model, struct arena *mem)
{
    struct column *col = arena_alloc(mem, (size_t)columns_count(model), sizeof *col);
    int n = 0;
    for (int i = 0; i < model->n_x; i++)
        col[n++] = (struct column){ model->x[i].name, model->x[i].units, model->x[i].long_name, "state" };
    for (int i = 0; i < model->n_u; i++)
        col[n++] = (struct column){ model->u[i].name, model->u[i].units, model->u[i].long_name, "control" };
    for (int c = 0; c < model->n_contact; c++) {
        const char *name = model->contact[c].name;
        const int n_t = model->contact[c].n_t;
        col[n++] = (struct column){ arena_printf(mem, "%s_gap", name), "m", "gap", "contact" };
        col[n++] = (struct column){ arena_printf(mem, "%s_v_n", name), "m/s", "normal velocity", "contact" };
        for (int k = 0; k < n_t; k++)
            col[n++] = (struct column){ n_t == 1 ? arena_printf(mem, "%s_v_t", name)
                                                 : arena_printf(mem, "%s_v_t%d", name, k + 1),
                                        "m/s", "tangential velocity", "contact" };
        col[n++] = (struct column){ arena_printf(mem, "%s_lambda_n", name), "N", "normal force", "contact" };
        for (int k = 0; k < n_t; k++)
            col[n++] = (struct column){ n_t == 1 ? arena_printf(mem, "%s_lambda_t", name)
                                                 : arena_printf(mem, "%s_lambda_t%d", name, k + 1),
                                        "N", "tangential force", "contact" };
    }
    for (int k = 0; k < model->n_output; k++)
        col[n++] = (struct column){ model->output[k].name, model->output[k].units, model->output[k].long_name,
                                    "output" };
    return col;
}
