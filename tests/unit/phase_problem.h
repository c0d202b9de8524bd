/* tests/unit/phase_problem.h - the program of phases of a spec in a string and a sequence in a string */
#ifndef COCP_TESTS_UNIT_PHASE_PROBLEM_H
#define COCP_TESTS_UNIT_PHASE_PROBLEM_H

#include "tests/unit/small_problem.h"

#include "transcription/finish/finish.h"
#include "transcription/multiphase/phase_trace.h"

struct phase_problem {
    struct small_problem small;
    struct phase_system *sys;
    struct finish_task task;
};

static inline struct phase_problem phase_read(const char *spec, int stages, int elements)
{
    struct phase_problem problem = { .small = small_read(spec) };
    if (phase_system_create(problem.small.model, &problem.sys, problem.small.diag) != STATUS_OK)
        small_fail(&problem.small);
    problem.task = (struct finish_task){ .sys = problem.sys, .grid = { .stages = stages, .elements = elements },
                                         .deadline = INFINITY };
    return problem;
}

static inline void phase_free(struct phase_problem *problem)
{
    phase_system_free(problem->sys);
    small_free(&problem->small);
}

static inline struct sequence *phase_sequence(const struct phase_problem *problem, const char *text)
{
    struct sequence *seq = sequence_read(problem->sys->n_contact, problem->sys->n_switch, problem->sys->n_machine, text);
    if (!seq)
        fail_msg("no sequence: %s", text);
    return seq;
}

/* The initial state at all times, events at t. */
static inline struct samples *phase_constant(const struct phase_problem *problem, const struct sequence *seq,
                                             const double *t)
{
    const struct model *model = problem->small.model;
    struct samples *samples = samples_create(problem->sys, seq->n_event);
    for (int j = 0; j < seq->n_event; j++)
        samples->t_event[j] = t[j];
    for (int j = 0; j <= seq->n_event; j++) {
        double *y = samples_add(samples, j ? t[j - 1] : 0, j);
        for (int i = 0; i < samples->n_y; i++)
            y[i] = i >= model->n_x ? samples->t[j] : model->x[i].initial.kind == END_FIXED ? model->x[i].initial.lo : 0.3;
    }
    for (int i = 0; i < samples->n_interval * samples->n_u; i++)
        samples->u[i] = isnan(model->u[i % samples->n_u].guess) ? 0 : model->u[i % samples->n_u].guess;
    return samples;
}

/* Solved from the initial state at all times; fails the test if it is not. finish_free afterwards. */
static inline struct finish phase_solve(struct phase_problem *problem, const char *text, const double *t)
{
    struct finish out;
    struct sequence *seq = phase_sequence(problem, text);
    struct samples *samples = phase_constant(problem, seq, t);
    if (finish_solve(&problem->task, seq, samples, FINISH_COLD, 200, &out, problem->small.diag) != STATUS_OK)
        small_fail(&problem->small);
    if (!out.solved)
        fail_msg("%s: %s, violation %.2g", text, nlp_outcome_text(out.outcome), out.violation);
    samples_free(samples);
    sequence_free(seq);
    return out;
}

/* State i at the end of the horizon. */
static inline double phase_final(const struct finish *finish, int i)
{
    return finish->w[phases_left(finish->ph, finish->ph->n_element)[i]];
}

#endif
