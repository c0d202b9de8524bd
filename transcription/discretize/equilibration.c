/* Step equilibration (fesd.md 5, fesd_j.md 9): what settles element lengths where nothing switches. */
#include "transcription/discretize/parts.h"

#include <math.h>

/* rho (h - h0)^2, h0 moving with a free horizon. */
static void add_mean(struct transcription *tr, int j)
{
    const double rho = discretization_rho_h(tr->settings), h0 = tr->h0[j];
    const struct tr_length length = tr_length(tr, tr->interval_of[j]);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j], rho);
    if (length.var == PROGRAM_ONE) {
        program_linear(tr->prog, PROGRAM_PENALTY, tr->h[j], -2 * rho * h0);
        return;
    }
    const double part = length.coef / tr->elements[tr->interval_of[j]];
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], length.var, -2 * rho * part);
    program_bilinear(tr->prog, PROGRAM_PENALTY, length.var, length.var, rho * part * part);
}

/* rho (h_j - h_(j-1))^2. */
static void add_diff(struct transcription *tr, int j)
{
    const double rho = discretization_rho_h(tr->settings);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j], rho);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j - 1], tr->h[j - 1], rho);
    program_bilinear(tr->prog, PROGRAM_PENALTY, tr->h[j], tr->h[j - 1], -2 * rho);
}

static struct mpcc_label label_of(const struct transcription *tr, int j)
{
    return tr_label(tr, "step equilibration", "discretization.equilibration", (struct srcpos){ NULL, 0, 0 }, -1, j,
                    -1);
}

/* eta dh = 0, with contacts as a pair of variables that is relaxed with the others: where something switches eta
 * is 0 in the end only, and with its products of many forces a row would ask for dh = 0 before. */
static void add_row(struct transcription *tr, struct program_block *indicator, int j)
{
    block_out(indicator, 0, program_row(tr->prog, 0, 0, label_of(tr, j)), 1, PROGRAM_ONE, PROGRAM_ONE);
}

/* eta as it is, held at 0 and bound by nothing, in a step of a simulation: a row for predict.h, whose projections
 * go astray on one that saturates. */
static void add_raw(struct transcription *tr, struct program_block *indicator, int j)
{
    tr->indicator.raw_var[j] = program_var(tr->prog, 0, 0, 0, label_of(tr, j));
    tr->indicator.raw_row[j] = program_row(tr->prog, -INFINITY, INFINITY, label_of(tr, j));
    block_out(indicator, 1, tr->indicator.raw_row[j], 1, PROGRAM_ONE, PROGRAM_ONE);
    program_linear(tr->prog, tr->indicator.raw_row[j], tr->indicator.raw_var[j], -1);
}

static void add_exact(struct transcription *tr, struct program_block *indicator, int j)
{
    const struct mpcc_label label = label_of(tr, j);
    const struct mpcc_term eta = { program_var(tr->prog, 0, INFINITY, 0, label), 1 };
    const struct mpcc_term dh = { program_var(tr->prog, -INFINITY, INFINITY, 0, label), 1 };
    const int row_eta = program_row(tr->prog, 0, 0, label), row_dh = program_row(tr->prog, 0, 0, label);
    block_out(indicator, 0, row_eta, 1, PROGRAM_ONE, PROGRAM_ONE);
    program_linear(tr->prog, row_eta, eta.var, -1);
    program_linear(tr->prog, row_dh, tr->h[j], 1);
    program_linear(tr->prog, row_dh, tr->h[j - 1], -1);
    program_linear(tr->prog, row_dh, dh.var, -1);
    program_pair(tr->prog, &(struct mpcc_pair){ .n_G = 1, .n_H = 1, .G = &eta, .H = &dh, .scale = tr->h0[j],
                                                .two_sided = true, .group = program_new_group(tr->prog), .label = label });
    tr->dh[j] = dh.var;
    tr->indicator.var[j] = eta.var;
    tr->indicator.row[j] = row_eta;
    if (!tr->task.optimize)
        add_raw(tr, indicator, j);
}

/* At the junction between elements j - 1 and j. */
static void add_indicated(struct transcription *tr, struct program_block *indicator, int j)
{
    tr_fill_indicator(tr, indicator, j);
    if (tr->dh)
        add_exact(tr, indicator, j);
    else if (tr->settings->equilibration == EQUILIBRATE_DIRECT)
        add_row(tr, indicator, j);
    else
        block_out(indicator, 0, PROGRAM_PENALTY, discretization_rho_h(tr->settings), PROGRAM_ONE, PROGRAM_ONE);
}

void tr_add_equilibration(struct transcription *tr)
{
    const enum equilibration how = (enum equilibration)tr->settings->equilibration;
    if (!tr->switching || how == EQUILIBRATE_NONE)
        return;
    const bool indicated = how == EQUILIBRATE_L2_RELAXED || how == EQUILIBRATE_L2_RELAXED_SCALED
                           || how == EQUILIBRATE_DIRECT;
    if (how == EQUILIBRATE_DIRECT && tr->junctions) {
        const size_t n = (size_t)tr->n_element;
        tr->dh = arena_alloc(&tr->mem, n, sizeof *tr->dh);
        tr->indicator.var = arena_alloc(&tr->mem, n, sizeof *tr->indicator.var);
        tr->indicator.row = arena_alloc(&tr->mem, n, sizeof *tr->indicator.row);
        tr->indicator.raw_var = arena_alloc(&tr->mem, n, sizeof *tr->indicator.raw_var);
        tr->indicator.raw_row = arena_alloc(&tr->mem, n, sizeof *tr->indicator.raw_row);
    }
    struct program_block *indicator = indicated ? tr_indicator(tr) : NULL;
    for (int j = 0; j < tr->n_element; j++) {
        if (tr->dh)
            tr->dh[j] = -1;
        const bool junction = j > tr->first[tr->interval_of[j]];
        if (how == EQUILIBRATE_HEURISTIC_MEAN)
            add_mean(tr, j);
        else if (how == EQUILIBRATE_HEURISTIC_DIFF && junction)
            add_diff(tr, j);
        else if (indicated && junction)
            add_indicated(tr, indicator, j);
    }
}
