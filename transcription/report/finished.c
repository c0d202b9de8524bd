#include "transcription/report/finished.h"

#include "core/base/mem.h"
#include "core/output/scene.h"
#include "core/output/trajectory.h"
#include "transcription/multiphase/phase_trace.h"
#include "transcription/report/phase_words.h"
#include "transcription/report/program_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *finished_optimality_text(bool tried, bool exhausted)
{
    if (!tried)
        return exhausted ? "local; nothing points to a neighbouring sequence"
                         : "local; no neighbouring sequence was tried";
    return exhausted ? "local; no neighbouring sequence that was tried is better"
                     : "local; not all neighbouring sequences were tried";
}

/* --- /trajectory, /uniform, /events, /grid --------------------------------------------------------------------- */

static void write_trajectory(const struct layout *to, const struct finish *best, const struct phase_trace *trace,
                             int n_uniform)
{
    const struct model *model = to->model;
    struct trajectory list = trajectory_create(model, trace->p, NULL);
    double *x = mem_alloc((size_t)model->n_x, sizeof *x),
           *force = mem_alloc((size_t)model_n_force(model), sizeof *force);
    double *signal = mem_alloc((size_t)columns_n_signal(model), sizeof *signal);
    for (int k = 0; k < trace->n_point; k++) {
        const struct phase_trace_point *point = &trace->point[k];
        trajectory_add(&list, (struct trajectory_place){ point->t, point->element, point->side }, point->x,
                       point->u, point->force, point->signal);
    }
    layout_trajectory(to, &list.points);
    list.points.n = 0;
    double *t = mem_alloc((size_t)n_uniform, sizeof *t);
    for (int k = 0; k < n_uniform; k++) {
        t[k] = trace->horizon * k / (n_uniform - 1);
        const int i = phase_trace_at(best->ph, best->w, t[k], x, force);
        phase_trace_signals(best->ph, best->w, t[k], signal);
        trajectory_add(&list, (struct trajectory_place){ t[k], -1, 0 }, x, trace->u + i * model->n_u, force,
                       signal);
    }
    layout_uniform(to, "/uniform", n_uniform, t, list.points.column);
    trajectory_free(&list);
    free(x);
    free(force);
    free(signal);
    free(t);
}

static void write_events(const struct layout *to, const struct phase_trace *trace)
{
    const size_t n = (size_t)trace->n_event, n_x = (size_t)to->model->n_x;
    struct layout_event *event = mem_alloc(n, sizeof *event);
    double *x = mem_alloc(2 * n * n_x, sizeof *x);
    for (size_t k = 0; k < n; k++) {
        const struct sim_event *from = &trace->event[k];
        event[k] = (struct layout_event){ .t = from->t, .t_num = from->t, .element = -1,
                                          .kind = sim_kind_text(from->kind), .name = trace->subject[from->subject] };
        memcpy(event[k].impulse, from->impulse, sizeof event[k].impulse);
        memcpy(x + 2 * k * n_x, from->x_minus, n_x * sizeof *x);
        memcpy(x + (2 * k + 1) * n_x, from->x_plus, n_x * sizeof *x);
    }
    layout_events(to, trace->n_event, event, x);
    free(event);
    free(x);
}

/* States of variables y, at row k. */
static void copy_state(const double *w, const int *y, int n_x, int k, double *to)
{
    for (int i = 0; i < n_x; i++)
        to[k * n_x + i] = w[y[i]];
}

static void write_grid(const struct layout *to, const struct finish *best, const struct phase_trace *trace)
{
    const struct phases *ph = best->ph;
    const double *w = best->w;
    const int n_x = to->model->n_x, n = ph->n_element;
    struct layout_element *element = mem_alloc((size_t)n, sizeof *element);
    double *x = mem_alloc(2 * (size_t)(n * n_x), sizeof *x), *x_end = x + n * n_x, t = 0;
    const int s = ph->grid.stages, n_c = to->model->contacts.n_contact;
    double *impulse = mem_alloc(CONTACT_ROWS * (size_t)(n * n_c), sizeof *impulse);
    double *x_stage = mem_alloc((size_t)(n * s * n_x), sizeof *x_stage);
    double *force = mem_alloc(CONTACT_ROWS * (size_t)(n * s * n_c), sizeof *force);
    for (int e = 0; e < n; e++) {
        const struct phase_piece *piece = &ph->piece[ph->piece_of[e]];
        const double h = phases_element_length(ph, w, e);
        element[e] = (struct layout_element){ h, t, t + h, t, t + h };
        t += h;
        copy_state(w, phases_left(ph, e), n_x, e, x);
        copy_state(w, phases_stage_point(ph, e, ph->n_point - 1).y, n_x, e, x_end);
        for (int r = 0; r < s; r++) {
            copy_state(w, phases_stage_point(ph, e, r).y, n_x, e * s + r, x_stage);
            phase_trace_forces(ph, w, e, r, force + CONTACT_ROWS * (e * s + r) * n_c);
        }
        if (e == piece->first && piece->before >= 0 && ph->at.impact[piece->before] >= 0)
            phase_trace_impulses(ph, w, piece->before, impulse + CONTACT_ROWS * e * n_c);
    }
    layout_grid(to, &(struct layout_grid){
        .n = n, .element = { element, sizeof *element, n }, .x_start = { x, (size_t)n_x * sizeof *x, n },
        .x_end = { x_end, (size_t)n_x * sizeof *x, n }, .n_stage = s, .c = ph->rk->c,
        .x_stage = { x_stage, (size_t)(s * n_x) * sizeof *x, n }, .force = force, .impulse = impulse,
        .n_interval = trace->n_interval, .t_interval = trace->t_interval, .u = trace->u });
    free(element);
    free(x);
    free(impulse);
    free(x_stage);
    free(force);
}

/* --- /phases ------------------------------------------------------------------------------------------------- */

static void write_modes(const struct finished *found, const struct result *result, struct result_group *group)
{
    const struct phases *ph = found->solution.best.ph;
    double *start = mem_alloc((size_t)(ph->n_piece + 1 + ph->seq->n_event), sizeof *start),
           *t = start + ph->n_piece + 1;
    phases_times(ph, found->solution.best.w, start, t);
    phase_words_write(found->sys, ph->seq, t, start[ph->n_piece], result, group);
    free(start);
}

struct phase_event { double t; int interval; bool is_on_grid, has_impact; };

static void write_phase_events(const struct finish *best, struct result_group *group)
{
#define AT(name) offsetof(struct phase_event, name)
    static const struct result_field fields[] = {
        { .name = "t", RESULT_DOUBLE, AT(t), UNITS_TIME, "between modes k and k + 1" },
        { .name = "interval", RESULT_INT, AT(interval), NULL, "control interval it lies in, or begins with" },
        { .name = "on_grid", RESULT_FLAG, AT(is_on_grid), NULL, "1: where the interval begins" },
        { .name = "impact", RESULT_FLAG, AT(has_impact), NULL, "1: velocities jump" },
    };
#undef AT
    const struct phases *ph = best->ph;
    const struct sequence *seq = ph->seq;
    const int n = seq->n_event, axis = result_axis(group, "event", n, NULL, NULL, NULL);
    double *t = mem_alloc((size_t)(n + ph->n_piece + 1), sizeof *t);
    struct phase_event *event = mem_alloc((size_t)n, sizeof *event);
    phases_times(ph, best->w, t + n, t);
    for (int j = 0; j < n; j++)
        event[j] = (struct phase_event){ t[j], sequence_interval(seq, j), sequence_is_on_grid(seq, j),
                                         sequence_has_impact(seq, j) };
    result_fields(group, 1, &axis, (struct result_rows){ event, sizeof *event, n }, COUNT(fields), fields);
    free(event);
    free(t);
}

/* Points between stages where inequalities are held, too. */
static void write_checks(const struct phases *ph, struct result_group *group)
{
#define AT(name) offsetof(struct phase_check, name)
    static const struct result_field fields[] = {
        { .name = "check_element", RESULT_INT, AT(element), NULL, "element of /grid in which inequalities are held" },
        { .name = "check_part", RESULT_DOUBLE, AT(c), NULL, "at which part of it" },
        { .name = "check_contact", RESULT_INT, AT(subject), NULL,
          "contact that is kept clear there, or closes; past them a switching function; -1: none" },
        { .name = "check_clear", RESULT_DOUBLE, AT(clear), "m", "of its gap, or of where it switches" },
    };
#undef AT
    const int axis = result_axis(group, "check", ph->grid.n_check, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ ph->grid.check, sizeof *ph->grid.check, ph->grid.n_check },
                  COUNT(fields), fields);
}

/* Elements that are not all equal. */
static void write_mesh(const struct phases *ph, struct result_group *group)
{
    static const struct result_field fields[] = {
        { .name = "element_end", RESULT_DOUBLE, 0, NULL, "where an element of /grid ends, as a part of its piece between events" }
    };
    const int axis = result_axis(group, "element", ph->grid.n_end, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ ph->grid.end, sizeof *ph->grid.end, ph->grid.n_end },
                  COUNT(fields), fields);
}

static const char *outcome_of_try(const void *row)
{
    const struct tried_sequence *one = row;
    return one->solved ? "solved" : tried_why(one->given_up, one->outcome);
}

/* Neighbouring sequences that were tried, the cheapest first. */
static void write_tried(const struct tried *tried, struct result_group *group)
{
#define AT(name) offsetof(struct tried_sequence, name)
    static const struct result_field fields[] = {
        { .name = "neighbour_what", RESULT_TEXT, AT(what), NULL, "how it differs", .room = sizeof tried->list->what },
        { .name = "neighbour_sequence", RESULT_TEXT, AT(sequence) },
        { .name = "neighbour_objective", RESULT_DOUBLE, AT(objective), NULL,
          "on the grid of the search, as objective_compared; about, where it was given up; NaN: no solution" },
        { .name = "neighbour_outcome", RESULT_TEXT, .long_name = "solved, or why not", .text = outcome_of_try },
        { .name = "neighbour_violation", RESULT_DOUBLE, AT(violation), NULL, "that is left" },
    };
#undef AT
    const int axis = result_axis(group, "neighbour", tried->n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ tried->list, sizeof *tried->list, tried->n },
                  COUNT(fields), fields);
}

/* Solutions that could not be verified. */
static void write_refused(const struct refused *refused, struct result_group *group)
{
#define AT(name) offsetof(struct refused_sequence, name)
    static const struct result_field fields[] = {
        { .name = "refused_sequence", RESULT_TEXT, AT(sequence) },
        { .name = "refused_objective", RESULT_DOUBLE, AT(objective), NULL, "of a solution that could not be verified" },
        { .name = "refused_reason", RESULT_TEXT, AT(reason), .room = sizeof refused->list->reason },
    };
#undef AT
    const int axis = result_axis(group, "refused", refused->n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ refused->list, sizeof *refused->list, refused->n },
                  COUNT(fields), fields);
}

/* Which moves led from the sequence that the generator proposed to this one. */
static void write_moves(const struct finish *best, struct result_group *group)
{
#define AT(name) offsetof(struct finish_move, name)
    static const struct result_field fields[] = {
        { .name = "moved_by",
          RESULT_TEXT,
          AT(what),
          NULL,
          "moves from the sequence of found_by to this one, in their order",
          .room = sizeof best->move->what },
    };
#undef AT
    const int axis = result_axis(group, "move", best->n_move, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ best->move, sizeof *best->move, best->n_move },
                  COUNT(fields), fields);
}

struct mechanism_done { enum mechanism what; struct count count; };

static const char *name_of(const void *row)
{
    return mechanisms[((const struct mechanism_done *)row)->what].name;
}

static const char *kind_of(const void *row)
{
    return mechanism_kind_name(mechanisms[((const struct mechanism_done *)row)->what].kind);
}

/* /phases/discovery: what each mechanism of the search that was called has done. */
static void write_discovery(const struct counts *counts, struct result *result)
{
#define AT(name) offsetof(struct mechanism_done, count.name)
    static const struct result_field fields[] = {
        { .name = "name", RESULT_TEXT, .long_name = "as in finish.without", .text = name_of },
        { .name = "kind", RESULT_TEXT, .long_name = "generator, move, continuation or gate", .text = kind_of },
        { .name = "calls", RESULT_INT, AT(calls), NULL, "times it was called" },
        { .name = "candidates",
          RESULT_INT,
          AT(candidates),
          NULL,
          "sequences whose smooth program it has had solved" },
        { .name = "repeated", RESULT_INT, AT(repeated), NULL, "sequences that had been tried before" },
        { .name = "solved", RESULT_INT, AT(solved), NULL, "candidates with a solution" },
        { .name = "best", RESULT_INT, AT(best), NULL, "solutions that were the best so far" },
        { .name = "iterations", RESULT_INT, AT(iterations), NULL, "of IPOPT, with those of mechanisms within it" },
        { .name = "seconds", RESULT_DOUBLE, AT(seconds), "s", "by the clock, likewise" },
    };
#undef AT
    struct mechanism_done done[N_MECHANISM];
    int n = 0;
    for (int i = 0; i < N_MECHANISM; i++)
        if (counts->of[i].calls > 0)
            done[n++] = (struct mechanism_done){ (enum mechanism)i, counts->of[i] };
    struct result_group *group = result_group(result, "/phases/discovery");
    const int axis = result_axis(group, "mechanism", n, NULL, NULL, NULL);
    result_fields(group, 1, &axis, (struct result_rows){ done, sizeof *done, n }, COUNT(fields), fields);
}

static void set_sequence(struct result_group *group, const char *name, const struct sequence *seq)
{
    char *text = sequence_text(seq);
    result_set_text(group, name, text);
    free(text);
}

/* What is known of other sequences that the motion has, too. */
static void write_stationarity(const struct stationarity *known, struct result_group *group)
{
    if (known->is == STATIONARITY_NOT_ASKED)
        return;
    result_set_text(group, "stationarity", stationarity_word(known->is));
    result_set_int(group, "biactive", known->n_pair);
    result_set_int(group, "branches", known->n_branch);
    if (known->is != STATIONARITY_DESCENT)
        return;
    result_set_double(group, "descent", known->fall);
    result_set_text(group, "descent_what", known->what);
    if (known->seq)
        set_sequence(group, "descent_sequence", known->seq);
}

static void write_phases(const struct finished *found, struct result *result)
{
    const struct solution *solution = &found->solution;
    const struct record *record = &found->record;
    const struct phases *ph = solution->best.ph;
    struct result_group *group = result_group(result, "/phases");
    set_sequence(group, "sequence", ph->seq);
    if (solution->best.found_by)
        result_set_text(group, "found_by", solution->best.found_by);
    result_set_int(group, "starts", record->n_start);
    result_set_int(group, "finished", record->n_finished);
    result_set_int(group, "neighbours_tried", record->tries);
    result_set_text(group, "optimality", finished_optimality_text(record->tried.n > 0, solution->exhausted));
    if (solution->minimum != MINIMUM_NOT_ASKED)
        result_set_int(group, "strict_minimum", solution->minimum == MINIMUM_STRICT);
    write_stationarity(&solution->stationarity, group);
    if (record->tried.n)
        result_set_double(group, "objective_compared", solution->compared);
    result_set_double(group, "replay_error", solution->replay.error);
    if (solution->replay.unstable)
        result_set_double(group, "replay_interval", solution->replay.interval);
    result_set_text(group, "scheme", rk_name(ph->grid.scheme));
    result_set_int(group, "stages", ph->grid.stages);
    result_set_int(group, "elements", ph->grid.elements);
    if (ph->grid.yield > 0)
        result_set_double(group, "slip_yield", ph->grid.yield);
    if (ph->grid.n_end > 0)
        write_mesh(ph, group);
    write_checks(ph, group);
    write_tried(&record->tried, group);
    if (record->refused.n)
        write_refused(&record->refused, group);
    write_modes(found, result, group);
    write_phase_events(&solution->best, group);
    write_moves(&solution->best, group);
    write_discovery(&record->counts, result);
}

/* --- The rest ------------------------------------------------------------------------------------------------ */

static void write_effort(const struct solver_settings *solver, const struct finished *found, struct result *result)
{
    const struct nlp *nlp = &found->solution.best.ph->mpcc.nlp;
    output_write_effort(solver,
                        &(struct output_effort){ nlp->n_w, nlp->n_g, 0, nlp->jac.nnz, nlp->hess.nnz,
                                                 found->record.work.iterations, found->record.seconds,
                                                 found->record.work.eval_seconds, found->record.work.linear },
                        result);
}

struct result *finished_result(const struct output_origin *origin, const struct solver_settings *solver,
                               const struct finished *found, int n_uniform)
{
    const struct solution *solution = &found->solution;
    const struct finish *best = &solution->best;
    struct phase_trace *trace = phase_trace_create(best->ph, best->w);
    const char *why = solution->failure ? solution->failure : solution->reason;
    const struct output_head head = { solution->status, best->objective, phases_complementarity(best->ph, best->w),
                                      best->violation, solution->status == STATUS_OK ? NULL : why };
    struct result *result = output_begin(origin, &head, trace->p);
    const struct layout to = { result, origin->model, LAYOUT_PIECES, trace->p, false };
    write_trajectory(&to, best, trace, n_uniform);
    write_events(&to, trace);
    write_grid(&to, best, trace);
    layout_bounds(&to, "/trajectory");
    layout_bounds(&to, "/uniform");
    scene_write(origin->model, trace->p, result);
    write_phases(found, result);
    program_values_write(best, result);
    output_write_spec(origin, result);
    write_effort(solver, found, result);
    phase_trace_free(trace);
    return result;
}
