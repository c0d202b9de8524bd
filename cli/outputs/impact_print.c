#include "cli/outputs/impact_print.h"

#include "cli/outputs/line.h"
#include "core/base/visible.h"
#include "core/results/table.h"

#include <math.h>

enum { MAX_OUTCOMES = 20 };

static const char *contact_name(const struct impact_found *found, int c)
{
    return found->model->contacts.contact[found->state->contact[c]].name;
}

/* --- Tables -------------------------------------------------------------------------------------------------- */

/* A column per contact with what it does, then how often and with which energies. */
static struct table *outcome_table(const struct impact_found *found)
{
    const struct impact_summary *summary = found->summary;
    const int m = found->state->system.n_contact;
    struct table *table = table_create(0, NULL);
    for (int c = 0; c < m; c++)
        table_add_column(table, contact_name(found, c));
    const int share = table_add_column(table, "share"), samples = table_add_column(table, "samples");
    const int least = table_add_column(table, "least energy"), largest = table_add_column(table, "largest energy");
    for (int k = 0; k < summary->n_share; k++) {
        const int row = table_add_row(table);
        for (int c = 0; c < m; c++)
            table_set_text(table, row, c, impact_kind_text(impact_kind_of(summary->share[k].mode, c)));
        table_set_number(table, row, share, (double)summary->share[k].n / summary->n_ended);
        table_set_number(table, row, samples, summary->share[k].n);
        table_set_number(table, row, least, summary->share[k].energy_min);
        table_set_number(table, row, largest, summary->share[k].energy_max);
    }
    return table;
}

static const char *part_text(int n_t, int part)
{
    if (part == 0)
        return "normal";
    return n_t == 1 ? "tangential" : part == 1 ? "tangential 1" : "tangential 2";
}

static struct table *velocity_table(const struct impact_found *found)
{
    const struct impact_system *system = &found->state->system;
    enum { CONTACT, VELOCITY, BEFORE, LEAST, LARGEST, BELOW, ABOVE, N_COLUMNS };
    struct table *table =
        table_create(N_COLUMNS, (const char *const[]){ "contact", "velocity", "before", "least after",
                                                       "largest after", "none below", "none above" });
    struct arena mem = { NULL };
    const double *before = impacts_unweigh(found, 1, found->sampler->u_minus, &mem);
    const double *least = impacts_unweigh(found, 1, found->summary->u_min, &mem);
    const double *largest = impacts_unweigh(found, 1, found->summary->u_max, &mem);
    const double *below = impacts_unweigh(found, 1, found->bound->least, &mem);
    const double *above = impacts_unweigh(found, 1, found->bound->largest, &mem);
    for (int c = 0; c < system->n_contact; c++)
        for (int i = 0; i <= system->contact[c].n_t; i++) {
            const int row = table_add_row(table), r = system->contact[c].row + i;
            table_set_text(table, row, CONTACT, contact_name(found, c));
            table_set_text(table, row, VELOCITY, part_text(system->contact[c].n_t, i));
            table_set_number(table, row, BEFORE, before[r]);
            table_set_number(table, row, LEAST, least[r]);
            table_set_number(table, row, LARGEST, largest[r]);
            table_set_number(table, row, BELOW, below[r]);
            table_set_number(table, row, ABOVE, above[r]);
        }
    arena_free(&mem);
    return table;
}

/* Other laws: one row per outcome. Those of springs and dampers of many stiffnesses and angles are in the file. */
static struct table *rival_table(const struct impact_found *found)
{
    const struct impact_system *system = &found->state->system;
    enum { LAW, ORDER, FIRST_CONTACT };
    struct table *table = table_create(FIRST_CONTACT, (const char *const[]){ "law", "order" });
    for (int c = 0; c < system->n_contact; c++)
        table_add_column(table, contact_name(found, c));
    const int energy = table_add_column(table, "energy"), note = table_add_column(table, "");
    for (int k = 0; k < found->rivals->n; k++) {
        const struct impact_rival *rival = &found->rivals->rival[k];
        double u[IMPACT_MAX_ROWS] = { 0 };
        if (!isnan(rival->parameter))
            continue;
        const int row = table_add_row(table);
        impact_contact_velocity(system, rival->v, u);
        const int mode = impact_mode_of(system, u, impact_kind_tol(found->sampler));
        table_set_text(table, row, LAW, rival->law);
        table_set_text(table, row, ORDER, rival->order);
        for (int c = 0; c < system->n_contact; c++)
            table_set_text(table, row, FIRST_CONTACT + c, impact_kind_text(impact_kind_of(mode, c)));
        table_set_number(table, row, energy, rival->energy);
        table_set_text(table, row, note, rival->is_complete ? "" : "has not ended");
    }
    return table;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void print_line(const struct impact_found *found, const char *out_path, FILE *out)
{
    const struct impact_summary *summary = found->summary;
    fprintf(out, "%s ", status_text(found->status));
    visible_print(found->model->name, out);
    fprintf(out, " samples=%d unfinished=%d outcomes=%d lcps=%.3f energy=%.6g..%.6g of %.6g time=%.2f rate=%.3g/s "
            "out=%s\n", found->set->n,
            found->set->n - summary->n_ended, summary->n_share, summary->lcps, summary->energy_min,
            summary->energy_max, found->sampler->energy_minus, found->set->seconds,
            found->set->n / found->set->seconds, out_path);
}

static void print_json(const struct impact_found *found, const char *out_path, const struct table *outcomes,
                       const struct table *velocities, const struct table *rivals, FILE *out)
{
    const struct impact_summary *summary = found->summary;
    const struct { const char *key; double value; } number[] = {
        { "samples", found->set->n }, { "unfinished", found->set->n - summary->n_ended },
        { "unsolved", summary->n_unsolved }, { "lcps_per_sample", summary->lcps },
        { "several_solutions", summary->multiple }, { "energy_before", found->sampler->energy_minus },
        { "energy_min", summary->energy_min }, { "energy_max", summary->energy_max },
        { "worst_violation", summary->violation }, { "worst_energy_growth", summary->growth },
        { "step_bound", found->step_bound }, { "time", found->set->seconds },
        { "samples_per_second", found->set->n / found->set->seconds },
    };
    const struct { const char *key; const struct table *table; } table[] = {
        { "outcomes", outcomes }, { "velocities", velocities }, { "comparison", rivals }
    };
    const struct line line = { out, true };
    line_begin(&line, NULL, status_text(found->status), found->status, found->model->name);
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++)
        line_number(&line, number[k].key, NULL, number[k].value);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        fprintf(out, ",\n\"%s\": ", table[k].key);
        table_print_json(table[k].table, out);
    }
    fputs(",\n\"out\": ", out);
    print_json_text(out_path, out);
    fputs("}\n", out);
}

void impact_print(const struct cli_args *args, const struct impact_found *found)
{
    struct table *outcomes = outcome_table(found), *velocities = velocity_table(found);
    struct table *rivals = rival_table(found);
    FILE *out = args->out;
    if (args->json) {
        print_json(found, args->out_path, outcomes, velocities, rivals, out);
    } else {
        print_line(found, args->out_path, out);
        if (args->verbosity >= 0) {
            fprintf(out, "\n");
            table_print(outcomes, 2, MAX_OUTCOMES, out);
            fprintf(out, "\n");
            table_print(velocities, 2, table_n_rows(velocities), out);
            if (table_n_rows(rivals) > 0) {
                fprintf(out, "\n");
                table_print(rivals, 2, table_n_rows(rivals), out);
            }
            if (found->rivals->n > table_n_rows(rivals))
                fprintf(out, "\n  %d outcomes of springs and dampers: cocp show --group comparison %s\n",
                        found->rivals->n - table_n_rows(rivals), args->out_path);
        }
    }
    table_free(outcomes);
    table_free(velocities);
    table_free(rivals);
}
