#include "cli/impact_result.h"

#include "cli/table.h"

#include <math.h>

enum { MAX_OUTCOMES = 20 };

static const char *contact_name(const struct problem *problem, const struct impact_found *found, int c)
{
    return problem->model->contact[found->state->contact[c]].name;
}

/* --- Tables -------------------------------------------------------------------------------------------------- */

/* A column per contact with what it does, then how often and with which energies. */
static struct table *outcome_table(const struct problem *problem, const struct impact_found *found)
{
    const struct impact_summary *summary = found->summary;
    const int m = found->state->system.n_contact;
    struct table *table = table_create();
    for (int c = 0; c < m; c++)
        table_add_column(table, contact_name(problem, found, c));
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

static struct table *velocity_table(const struct problem *problem, const struct impact_found *found)
{
    const struct impact_system *system = &found->state->system;
    struct table *table = table_create();
    const int name = table_add_column(table, "contact"), part = table_add_column(table, "velocity");
    const int before = table_add_column(table, "before"), least = table_add_column(table, "least after");
    const int largest = table_add_column(table, "largest after");
    for (int c = 0; c < system->n_contact; c++)
        for (int i = 0; i <= system->contact[c].n_t; i++) {
            const int row = table_add_row(table), r = system->contact[c].row + i;
            table_set_text(table, row, name, contact_name(problem, found, c));
            table_set_text(table, row, part, part_text(system->contact[c].n_t, i));
            table_set_number(table, row, before, found->sampler->u_minus[r]);
            table_set_number(table, row, least, found->summary->u_min[r]);
            table_set_number(table, row, largest, found->summary->u_max[r]);
        }
    return table;
}

/* Other laws: one row per outcome, sweeps left out (they are in the file). */
static struct table *rival_table(const struct problem *problem, const struct impact_found *found)
{
    const struct impact_system *system = &found->state->system;
    struct table *table = table_create();
    const int law = table_add_column(table, "law"), order = table_add_column(table, "order");
    for (int c = 0; c < system->n_contact; c++)
        table_add_column(table, contact_name(problem, found, c));
    const int energy = table_add_column(table, "energy"), note = table_add_column(table, "");
    for (int k = 0; k < found->n_rivals; k++) {
        const struct impact_rival *rival = &found->rival[k];
        double u[IMPACT_MAX_ROWS] = { 0 };
        if (!isnan(rival->parameter))
            continue;
        const int row = table_add_row(table);
        impact_contact_velocity(system, rival->v, u);
        const int mode = impact_mode_of(system, u, impact_kind_tol(found->sampler));
        table_set_text(table, row, law, rival->law);
        table_set_text(table, row, order, rival->order);
        for (int c = 0; c < system->n_contact; c++)
            table_set_text(table, row, 2 + c, impact_kind_text(impact_kind_of(mode, c)));
        table_set_number(table, row, energy, impact_energy(system, rival->v));
        table_set_text(table, row, note, rival->is_complete ? "" : "has not ended");
    }
    return table;
}

/* --- The whole ----------------------------------------------------------------------------------------------- */

static void print_line(const struct problem *problem, const struct impact_found *found, const char *out_path)
{
    const struct impact_summary *summary = found->summary;
    printf("%s %s samples=%d unfinished=%d outcomes=%d lcps=%.3f energy=%.6g..%.6g of %.6g time=%.2f rate=%.3g/s "
           "out=%s\n", status_text(found->status), problem->model->name, found->set->n,
           found->set->n - summary->n_ended, summary->n_share, summary->lcps, summary->energy_min,
           summary->energy_max, found->sampler->energy_minus, found->set->seconds,
           found->set->n / found->set->seconds, out_path);
}

static void print_json_number(const char *key, double value)
{
    printf(", \"%s\": ", key);
    if (isfinite(value))
        table_print_exact(value, stdout);
    else
        fputs("null", stdout);
}

static void print_json(const struct problem *problem, const struct impact_found *found, const char *out_path,
                       const struct table *outcomes, const struct table *velocities, const struct table *rivals)
{
    const struct impact_summary *summary = found->summary;
    printf("{\"status\": \"%s\", \"exit_code\": %d, \"name\": ", status_text(found->status),
           status_exit_code(found->status));
    table_print_json_text(problem->model->name, stdout);
    print_json_number("samples", found->set->n);
    print_json_number("unfinished", found->set->n - summary->n_ended);
    print_json_number("unsolved", summary->n_unsolved);
    print_json_number("lcps_per_sample", summary->lcps);
    print_json_number("several_solutions", summary->multiple);
    print_json_number("energy_before", found->sampler->energy_minus);
    print_json_number("energy_min", summary->energy_min);
    print_json_number("energy_max", summary->energy_max);
    print_json_number("worst_violation", summary->violation);
    print_json_number("worst_energy_growth", summary->growth);
    print_json_number("step_bound", found->step_bound);
    print_json_number("time", found->set->seconds);
    print_json_number("samples_per_second", found->set->n / found->set->seconds);
    fputs(",\n\"outcomes\": ", stdout);
    table_print_json(outcomes, stdout);
    fputs(",\n\"velocities\": ", stdout);
    table_print_json(velocities, stdout);
    fputs(",\n\"comparison\": ", stdout);
    table_print_json(rivals, stdout);
    fputs(",\n\"out\": ", stdout);
    table_print_json_text(out_path, stdout);
    fputs("}\n", stdout);
}

void impact_result_print(const struct cli_args *args, const struct problem *problem,
                         const struct impact_found *found, const char *out_path)
{
    struct table *outcomes = outcome_table(problem, found), *velocities = velocity_table(problem, found);
    struct table *rivals = rival_table(problem, found);
    if (args->json) {
        print_json(problem, found, out_path, outcomes, velocities, rivals);
    } else {
        print_line(problem, found, out_path);
        if (args->verbosity >= 0) {
            printf("\n");
            table_print(outcomes, 2, MAX_OUTCOMES, stdout);
            printf("\n");
            table_print(velocities, 2, table_n_rows(velocities), stdout);
            if (table_n_rows(rivals) > 0) {
                printf("\n");
                table_print(rivals, 2, table_n_rows(rivals), stdout);
            }
            if (found->n_rivals > table_n_rows(rivals))
                printf("\n  %d outcomes of sweeps: cocp show --group comparison %s\n",
                       found->n_rivals - table_n_rows(rivals), out_path);
        }
    }
    table_free(outcomes);
    table_free(velocities);
    table_free(rivals);
}
