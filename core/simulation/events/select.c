#include "core/simulation/events/select.h"

#include "core/base/mem.h"
#include "core/contact/combine.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const double TOL = 1e-9;             /* of an inequality, relative to the size of what it compares */
static const double AHEAD = 1e-6;           /* s: how far ahead what is zero is looked at again */
static const double SLOPE = 1e-6;           /* of a slope, relative likewise, per s: above the rounding of the above */
static const double SAME = 1e-7;            /* x' of two combinations that go on alike, relative */
enum {
    COMBINATIONS_MAX = 1100,        /* five contacts at rest in the plane: some milliseconds */
    TURNING_MAX = 2,                /* contacts at rest in space, whose directions are sought in each combination */
    EXCHANGES_MAX = 60
};

enum verdict { STRICT, MARGINAL, TURNS_BAD, VIOLATED };     /* from good to bad */

void select_init(struct select *select, struct arena *mem, struct flow *flow)
{
    const struct system *sys = flow->sys;
    const size_t n = (size_t)sys->n_subject;
    *select = (struct select){ .flow = flow };
    mode_init(&select->trial, mem, sys);
    mode_init(&select->best, mem, sys);
    select->subject = arena_alloc(mem, n, sizeof(int));
    select->option = arena_alloc(mem, n, sizeof *select->option);
    select->n_of = arena_alloc(mem, n, sizeof(int));
    select->at = arena_alloc(mem, n, sizeof(int));
    select->test = arena_alloc(mem, 3 * n, sizeof(double));
    select->later = arena_alloc(mem, 3 * n, sizeof(double));
    select->tol = arena_alloc(mem, 3 * n, sizeof(double));
    select->x = arena_alloc(mem, (size_t)sys->n_x, sizeof(double));
    select->dx = arena_alloc(mem, (size_t)sys->n_x, sizeof(double));
    select->dx_first = arena_alloc(mem, (size_t)sys->n_x, sizeof(double));
    align_init(&select->align, mem, flow);
    select->direction = arena_alloc(mem, SLIP_MAX * (size_t)sys->n_c, sizeof(double));
    select->owner = arena_alloc(mem, 3 * n, sizeof(int));
}

bool select_touches(const struct contact_at *at, int n_q)
{
    return at->gap <= SELECT_TOUCH || at->gap <= SELECT_TOUCH * sqrt(vec_dot(n_q, at->J_n, at->J_n));
}

void select_ban(struct select *select, const struct mode *mode)
{
    const int n = select->flow->sys->n_subject;
    select->banned = mem_grow(select->banned, select->n_banned, 1, (size_t)n * sizeof *select->banned);
    memcpy(&select->banned[select->n_banned++ * n], mode->of, (size_t)n * sizeof *mode->of);
}

static bool is_banned(const struct select *select, const struct mode *mode)
{
    const int n = select->flow->sys->n_subject;
    for (int k = 0; k < select->n_banned; k++)
        if (memcmp(&select->banned[k * n], mode->of, (size_t)n * sizeof *mode->of) == 0)
            return true;
    return false;
}

/* --- Options ------------------------------------------------------------------------------------------------- */

static void add_options(struct select *select, int subject, int n, const int *option)
{
    const int k = select->n_option++;
    select->subject[k] = subject;
    select->n_of[k] = n;
    memcpy(select->option[k], option, (size_t)n * sizeof *option);
}

/* Direction of slip of contact c in the mode that is tried: [SLIP_MAX]. */
static double *trial_direction(const struct select *select, int c)
{
    double *all = select->trial.direction;
    return all + SLIP_MAX * (ptrdiff_t)c;
}

static bool slips_already(const struct contact_at *at)
{
    return slip_size(at->v_t) > SELECT_REST;
}

static void contact_options(struct select *select, int c)
{
    const struct system *sys = select->flow->sys;
    const struct contact_at at = system_contact(sys, c);
    const int n_t = sys->model->contacts.contact[c].n_t;
    if (!select_touches(&at, sys->n_q) || at.v_n > SELECT_REST) {
        select->trial.of[c] = SIM_OPEN;
    } else if (!system_has_friction(sys, c)) {
        add_options(select, c, 2, (int[]){ SIM_OPEN, SIM_FORWARD });
    } else if (!slips_already(&at)) {
        add_options(select, c, n_t == 1 ? 4 : 3, (int[]){ SIM_OPEN, SIM_STICKS, SIM_FORWARD, SIM_BACKWARD });
    } else {
        add_options(select, c, 2, (int[]){ SIM_OPEN, n_t == 1 && at.v_t[0] < 0 ? SIM_BACKWARD : SIM_FORWARD });
        slip_unit(at.v_t, trial_direction(select, c));
    }
}

/* Is switching function k zero, but for the rounding of the point? That of a steep one is large. */
static bool switch_rests(const struct system *sys, int k)
{
    double rounding = fabs(sys->at.c_t[k]) * fmax(1, fabs(*sys->t));
    for (int i = 0; i < sys->n_x; i++)
        rounding += fabs(sys->at.c_x[k * sys->n_x + i]) * fmax(1, fabs(sys->x[i]));
    return fabs(sys->at.c[k]) <= fmax(SELECT_REST, 8 * DBL_EPSILON * rounding);
}

static void switch_options(struct select *select, int k)
{
    const struct system *sys = select->flow->sys;
    if (system_is_pair(sys, k))                                 /* what its H is hangs on the others */
        add_options(select, sys->n_c + k, 2, (int[]){ SIM_POSITIVE, SIM_SLIDES });
    else if (switch_rests(sys, k) && sys->relay[k])
        add_options(select, sys->n_c + k, 2, (int[]){ SIM_NEGATIVE, SIM_POSITIVE });
    else if (sys->wall[k] && (sys->at.c[k] < 0 || switch_rests(sys, k)))
        add_options(select, sys->n_c + k, 2, (int[]){ SIM_POSITIVE, SIM_SLIDES });
    else if (switch_rests(sys, k))
        add_options(select, sys->n_c + k, 3, (int[]){ SIM_NEGATIVE, SIM_POSITIVE, SIM_SLIDES });
    else
        select->trial.of[sys->n_c + k] = sys->at.c[k] > 0 ? SIM_POSITIVE : SIM_NEGATIVE;
}

static void list_options(struct select *select, const struct mode *mode, double t, const double *x)
{
    struct flow *flow = select->flow;
    struct system *sys = flow->sys;
    mode_copy(&select->trial, mode, sys);
    select->n_option = 0;
    flow_set_inputs(flow, mode, t, x);
    for (int k = 0; k < sys->n_s; k++)
        if (mode->of[sys->n_c + k] == SIM_SLIDES)
            sys->alpha[k] = flow->alpha[k];
    system_eval_contacts(sys);
    system_eval_switches(sys);
    for (int c = 0; c < sys->n_c; c++)
        contact_options(select, c);
    for (int k = 0; k < sys->n_s; k++)
        switch_options(select, k);
}

/* --- Inequalities of a combination --------------------------------------------------------------------------- */

struct tests { int n; double *value, *tol; int *owner; };       /* owner: the option that the inequality is of */

static void add(struct tests *tests, double value, double tol)
{
    tests->value[tests->n] = value;
    tests->tol[tests->n++] = tol;
}

static void test_contact(const struct select *select, int c, struct tests *tests)
{
    const struct flow *flow = select->flow;
    const struct system *sys = flow->sys;
    const double *force = &flow->force[CONTACT_ROWS * c], most = sys->mu[c] * force[0];
    const enum sim_mode is = select->trial.of[c];
    const struct contact_at at = system_contact(sys, c);
    double a[CONTACT_ROWS];
    flow_contact_acceleration(flow, c, a);
    const double tol_f = TOL * flow->scale_f, tol_a = TOL * fmax(flow->scale_a, hypot(a[0], slip_size(a + 1)));
    add(tests, is == SIM_OPEN ? a[0] : force[0], is == SIM_OPEN ? tol_a : tol_f);
    if (is == SIM_OPEN || !system_has_friction(sys, c))
        return;
    if (is == SIM_STICKS) {
        add(tests, most - slip_size(force + 1), tol_f);
    } else if (!slips_already(&at)) {
        const double *d = trial_direction(select, c);
        add(tests,
            sys->model->contacts.contact[c].n_t == 1 ? (is == SIM_FORWARD ? a[1] : -a[1]) : slip_dot(a + 1, d),
            tol_a);
    }
}

/* Is switching function k, which was zero before, beside it in the trial mode, as another switch has moved it? */
static bool is_moved(const struct select *select, int k)
{
    const struct system *sys = select->flow->sys;
    return !sys->relay[k] && !sys->wall[k] && !switch_rests(sys, k);
}

/* Then it slides no longer, and its sign is the one that it has. */
static bool moved_switch_is_wrong(const struct select *select)
{
    const struct system *sys = select->flow->sys;
    for (int i = 0; i < select->n_option; i++) {
        const int k = select->subject[i] - sys->n_c;
        if (k < 0 || !is_moved(select, k))
            continue;
        const enum sim_mode is = select->trial.of[sys->n_c + k];
        if (is == SIM_SLIDES || (is == SIM_POSITIVE) != (sys->at.c[k] > 0))
            return true;
    }
    return false;
}

static void test_switch(const struct select *select, int k, struct tests *tests)
{
    const struct flow *flow = select->flow;
    const enum sim_mode is = select->trial.of[flow->sys->n_c + k];
    const double rate = flow_switch_rate(flow, k);
    if (flow->sys->relay[k] && is != select->before->of[flow->sys->n_c + k]) {
        add(tests, 0, TOL);                                     /* the other state holds, but only if this one does not */
    } else if (is == SIM_SLIDES) {
        if (!flow->sys->wall[k])
            add(tests, flow->alpha[k], TOL);
        add(tests, 1 - flow->alpha[k], system_is_pair(flow->sys, k) ? TOL * fmax(1, fabs(flow->alpha[k])) : TOL);
    } else if (system_is_pair(flow->sys, k)) {
        add(tests, flow->sys->at.c[k], TOL * fmax(1, fabs(flow->sys->at.c[k])));
    } else {
        const bool holds = is_moved(select, k);                 /* whatever its rate */
        add(tests, holds ? 1 : is == SIM_POSITIVE ? rate : -rate, TOL * fmax(1, fabs(rate)));
    }
}

/* Inequalities of the trial mode at (t, x), whose x' is left in the flow; false if no forces hold it. */
static bool run_tests(struct select *select, double t, const double *x, struct tests *tests)
{
    struct flow *flow = select->flow;
    tests->n = 0;
    if (flow_eval(flow, &select->trial, t, x) != FLOW_OK)
        return false;
    system_eval_contacts(flow->sys);
    system_eval_switches(flow->sys);
    for (int k = 0; k < select->n_option; k++) {
        const int first = tests->n, subject = select->subject[k];
        if (subject < flow->sys->n_c)
            test_contact(select, subject, tests);
        else
            test_switch(select, subject - flow->sys->n_c, tests);
        for (int i = first; i < tests->n; i++)
            tests->owner[i] = k;
    }
    return true;
}

/* --- Judging ------------------------------------------------------------------------------------------------- */

/* Which contacts slip from rest at (t, x) in the trial mode. */
static int list_slips(struct select *select, double t, const double *x)
{
    flow_set_inputs(select->flow, &select->trial, t, x);
    system_eval_contacts(select->flow->sys);
    align_list(&select->align, &select->trial, 0);
    return select->align.n;
}

/* Where slip of the trial mode goes AHEAD, by velocities and accelerations at x as of the last evaluation: those of
 * the state there are off by curvature, which turns what is slow. */
static void turn_ahead(struct select *select)
{
    const struct flow *flow = select->flow;
    const struct system *sys = flow->sys;
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        double a[CONTACT_ROWS], v_t[SLIP_MAX], *d = trial_direction(select, c);
        if (select->trial.of[c] != SIM_FORWARD || !slips_already(&at))
            continue;
        flow_contact_acceleration(flow, c, a);
        for (int k = 0; k < SLIP_MAX; k++)
            v_t[k] = at.v_t[k] + AHEAD * a[1 + k];
        if (slip_dot(v_t, d) > 0)
            slip_unit(v_t, d);
    }
}

/* select->x is where the trial mode leads, AHEAD of x. What slips from rest at x still rests there. */
static void go_ahead(struct select *select, double t, const double *x)
{
    struct mode *trial = &select->trial;
    for (int i = 0; i < select->flow->sys->n_x; i++)
        select->x[i] = x[i] + AHEAD * select->dx[i];
    const int n = list_slips(select, t, x);
    for (int k = 0; k < n; k++)
        trial->of[select->align.contact[k]] = SIM_STICKS;
    if (n > 0)
        flow_project(select->flow, trial, t + AHEAD, select->x, 0);
    for (int k = 0; k < n; k++)
        trial->of[select->align.contact[k]] = SIM_FORWARD;
}

/* Inequalities AHEAD on the flow of the mode, with the directions of then; false if there are none. */
static bool test_ahead(struct select *select, double t, const double *x, struct tests *later)
{
    const struct system *sys = select->flow->sys;
    const size_t bytes = SLIP_MAX * (size_t)sys->n_c * sizeof(double);
    memcpy(select->direction, select->trial.direction, bytes);
    turn_ahead(select);
    go_ahead(select, t, x);
    select->flow->held_direction = select->trial.direction;
    if (list_slips(select, t + AHEAD, select->x) > 0
        && !align_find(&select->align, &select->trial, t + AHEAD, select->x, 0, TOL * select->flow->scale_a))
        memcpy(select->trial.direction, select->direction, bytes);
    const bool holds = run_tests(select, t + AHEAD, select->x, later);
    select->flow->held_direction = NULL;
    memcpy(select->trial.direction, select->direction, bytes);
    return holds;
}

/* What is zero now is looked at a little later. */
static enum verdict look_ahead(struct select *select, double t, const double *x, const struct tests *now)
{
    struct tests later = { 0, select->later, select->tol, select->owner };
    if (!test_ahead(select, t, x, &later) || later.n != now->n)
        return TURNS_BAD;
    for (int k = 0; k < now->n; k++)
        if (fabs(now->value[k]) <= now->tol[k]
            && later.value[k] - now->value[k] < -SLOPE * AHEAD * now->tol[k] / TOL)
            return TURNS_BAD;
    return MARGINAL;
}

static enum verdict judge_aligned(struct select *select, double t, const double *x)
{
    struct tests tests = { 0, select->test, select->tol, select->owner };
    bool is_marginal = false;
    if (!run_tests(select, t, x, &tests) || moved_switch_is_wrong(select))
        return VIOLATED;
    memcpy(select->dx, select->flow->dx, (size_t)select->flow->sys->n_x * sizeof(double));
    for (int k = 0; k < tests.n; k++) {
        if (!(tests.value[k] >= -tests.tol[k]))
            return VIOLATED;
        is_marginal = is_marginal || tests.value[k] <= tests.tol[k];
    }
    return is_marginal ? look_ahead(select, t, x, &tests) : STRICT;
}

/* Sets the trial mode from the options at select->at and judges it; select->dx is then its x'. */
static enum verdict judge(struct select *select, double t, const double *x)
{
    for (int k = 0; k < select->n_option; k++)
        select->trial.of[select->subject[k]] = (enum sim_mode)select->option[k][select->at[k]];
    if (is_banned(select, &select->trial))
        return VIOLATED;
    if (list_slips(select, t, x) == 0)
        return judge_aligned(select, t, x);
    for (int start = 0; start < ALIGN_STARTS; start++) {
        (void)list_slips(select, t, x);                         /* a look ahead makes a list of its own */
        if (align_find(&select->align, &select->trial, t, x, start, TOL * select->flow->scale_a)) {
            const enum verdict verdict = judge_aligned(select, t, x);
            if (verdict != VIOLATED)
                return verdict;
        }
    }
    return VIOLATED;
}

/* --- Choosing ------------------------------------------------------------------------------------------------ */

/* How far mode a is from b. What is neither forced nor leaves, as a wall that is touched without a force, stays
 * closed. */
static int n_changes(const struct mode *a, const struct mode *b, int n, bool is_marginal)
{
    int changes = 0;
    for (int k = 0; k < n; k++)
        changes += (a->of[k] != b->of[k]) + (is_marginal && a->of[k] == SIM_OPEN ? n : 0);
    return changes;
}

static bool differs(int n, const double *a, const double *b)
{
    return dense_distance(n, a, b) > SAME * fmax(1, fmax(dense_largest(n, a), dense_largest(n, b)));
}

/* The best combination: the most certain one, then the one with the fewest changes. */
static enum verdict try_all(struct select *select, const struct mode *mode, double t, const double *x)
{
    const struct system *sys = select->flow->sys;
    const int n = sys->n_subject;
    enum verdict best = VIOLATED;
    int fewest = 0;
    select->n_solutions = 0;
    memset(select->at, 0, (size_t)select->n_option * sizeof(int));
    do {
        const enum verdict verdict = judge(select, t, x);
        if (verdict > MARGINAL && (verdict == VIOLATED || best <= MARGINAL))
            continue;
        if (verdict == STRICT && (select->n_solutions == 0 || differs(sys->n_x, select->dx, select->dx_first))) {
            if (select->n_solutions++ == 0)
                memcpy(select->dx_first, select->dx, (size_t)sys->n_x * sizeof *select->dx);
        }
        const int changes = n_changes(&select->trial, mode, n, verdict != STRICT);
        if (verdict < best || (verdict == best && changes < fewest)) {
            best = verdict;
            fewest = changes;
            mode_copy(&select->best, &select->trial, sys);
        }
    } while (combine_next(select->n_option, select->n_of, select->at));
    return best;
}

/* The subject (as index of options) whose inequality is violated most; -1 if the mode holds. */
static int worst_option(struct select *select, double t, const double *x)
{
    struct tests tests = { 0, select->test, select->tol, select->owner };
    int worst = -1;
    double most = 1;
    if (!run_tests(select, t, x, &tests))
        return 0;
    for (int i = 0; i < tests.n; i++)
        if (-tests.value[i] / tests.tol[i] > most) {
            most = -tests.value[i] / tests.tol[i];
            worst = tests.owner[i];
        }
    return worst;
}

/* The option of a contact that is the given mode; one without friction has FORWARD alone. */
static int option_of(const struct select *select, int k, enum jump_rest rest)
{
    static const enum sim_mode mode[] = { [JUMP_OPENS] = SIM_OPEN, [JUMP_STICKS] = SIM_STICKS,
                                          [JUMP_FORWARD] = SIM_FORWARD, [JUMP_BACKWARD] = SIM_BACKWARD };
    for (int i = 0; i < select->n_of[k]; i++)
        if (select->option[k][i] == (int)mode[rest])
            return i;
    return select->n_of[k] - 1;
}

/* Forces and accelerations of the n contacts that have a choice, the first options, as one complementarity problem:
 * select->at and directions of slip say what it finds, if it has a solution. */
static void solve_contacts(struct select *select, int n)
{
    const struct system *sys = select->flow->sys;
    const size_t N = (size_t)n;
    struct arena mem = { 0 };
    double *a_free = arena_alloc(&mem, CONTACT_ROWS * N, sizeof *a_free);
    double *given = arena_alloc(&mem, SLIP_MAX * N, sizeof *given);
    double *found = arena_alloc(&mem, SLIP_MAX * N, sizeof *found);
    bool *slips = arena_alloc(&mem, N, sizeof *slips);
    enum jump_rest *rest = arena_alloc(&mem, N, sizeof *rest);
    system_eval_contacts(select->flow->sys);
    for (int k = 0; k < n; k++) {
        const int c = select->subject[k];
        slips[k] = select->n_of[k] == 2 && sys->mu[c] > 0;
        memcpy(&given[SLIP_MAX * k], trial_direction(select, c), SLIP_MAX * sizeof *given);
        if (sys->model->contacts.contact[c].n_t == 1)
            memcpy(&given[SLIP_MAX * k], (double[SLIP_MAX]){ system_contact(sys, c).v_t[0] < 0 ? -1 : 1 },
                   SLIP_MAX * sizeof *given);
        flow_contact_acceleration(select->flow, c, &a_free[CONTACT_ROWS * k]);
    }
    const struct jump_impact in = system_impact(sys, n, select->subject, &mem);
    const bool solved = jump_forces(&in, a_free, slips, given, rest, found) == STATUS_OK;
    for (int k = 0; k < n && solved; k++) {
        select->at[k] = option_of(select, k, rest[k]);
        if (in.n_t[k] > 1 && rest[k] == JUMP_FORWARD)
            memcpy(trial_direction(select, select->subject[k]), &found[SLIP_MAX * k], SLIP_MAX * sizeof *found);
    }
    arena_free(&mem);
}

/* Is option k about how a contact goes on from rest in space? */
static bool turns(const struct select *select, int k)
{
    const struct system *sys = select->flow->sys;
    const int c = select->subject[k];
    return c < sys->n_c && sys->model->contacts.contact[c].n_t > 1 && select->n_of[k] == 3;
}

/* Sets select->at to the options of a mode, where they are among those that there are. */
static void take_options(struct select *select, const struct mode *mode)
{
    for (int k = 0; k < select->n_option; k++) {
        select->at[k] = 0;
        for (int i = 0; i < select->n_of[k]; i++)
            if (select->option[k][i] == (int)mode->of[select->subject[k]])
                select->at[k] = i;
    }
}

/* Options of contacts by a complementarity problem at (t, x), with switches as they are at. */
static void guess_contacts(struct select *select, double t, const double *x)
{
    const int n_c = select->flow->sys->n_c;
    int n = 0;
    for (int k = 0; k < select->n_option; k++) {
        const int subject = select->subject[k];
        select->trial.of[subject] = subject < n_c ? SIM_OPEN : (enum sim_mode)select->option[k][select->at[k]];
        n += subject < n_c;
    }
    if (n > 0 && flow_eval(select->flow, &select->trial, t, x) == FLOW_OK)
        solve_contacts(select, n);
}

/* Judges what select->at says, and keeps it if it is better than the best so far: more
 * certain, or with fewer changes. */
static void try_one(struct select *select, const struct mode *mode, double t, const double *x, enum verdict *best)
{
    const int n = select->flow->sys->n_subject;
    const enum verdict verdict = judge(select, t, x);
    if (verdict > *best || verdict == VIOLATED)
        return;
    if (verdict == *best
        && n_changes(&select->trial, mode, n, true) >= n_changes(&select->best, mode, n, true))
        return;
    *best = verdict;
    mode_copy(&select->best, &select->trial, select->flow->sys);
}

/* The complementarity problem here, and a moment later on the flow of what it says: at an event forces are at the
 * edge of what contacts bear, and what goes on is told by where they go. */
static void try_solver(struct select *select, const struct mode *mode, double t, const double *x,
                       enum verdict *best)
{
    const int n_x = select->flow->sys->n_x;
    double *there = select->dx_first;
    take_options(select, mode);
    guess_contacts(select, t, x);
    try_one(select, mode, t, x, best);
    if (*best <= MARGINAL || flow_eval(select->flow, &select->trial, t, x) != FLOW_OK)
        return;
    for (int i = 0; i < n_x; i++)
        there[i] = x[i] + AHEAD * select->flow->dx[i];
    guess_contacts(select, t + AHEAD, there);
    try_one(select, mode, t, x, best);
}

/* For many: the present mode if it goes on, else what the complementarity problem says; from there what is violated
 * most takes its next option. */
static enum verdict try_many(struct select *select, const struct mode *mode, double t, const double *x)
{
    enum verdict best = VIOLATED;
    select->n_solutions = 0;
    take_options(select, mode);
    try_one(select, mode, t, x, &best);
    if (best == STRICT)
        return best;
    try_solver(select, mode, t, x, &best);
    for (int round = 0; round < EXCHANGES_MAX && best > MARGINAL; round++) {
        const int worst = worst_option(select, t, x);
        const int k = worst >= 0 ? worst : round % select->n_option;
        select->at[k] = (select->at[k] + 1) % select->n_of[k];
        try_one(select, mode, t, x, &best);
    }
    return best;
}

/* Directions to start from of contacts at rest in space: against the friction that would make all of them stick. */
static void guess_directions(struct select *select, double t, const double *x)
{
    struct mode *trial = &select->trial;
    bool any = false;
    for (int k = 0; k < select->n_option; k++) {
        trial->of[select->subject[k]] = (enum sim_mode)select->option[k][select->n_of[k] > 1];
        any = any || turns(select, k);
    }
    if (!any || flow_eval(select->flow, trial, t, x) != FLOW_OK)
        return;
    for (int k = 0; k < select->n_option; k++) {
        const int c = select->subject[k];
        double *d = trial_direction(select, c), *friction = &select->flow->force[CONTACT_ROWS * c + 1];
        if (!turns(select, k) || !(slip_size(friction) > 0))
            continue;
        slip_unit(friction, d);
        for (int i = 0; i < SLIP_MAX; i++)
            d[i] = -d[i];
    }
}

/* Are there few enough combinations to try them all? */
static bool are_few(const struct select *select)
{
    return combine_count(select->n_option, select->n_of) <= COMBINATIONS_MAX;
}

/* Each contact that turns from rest makes one of them dear: then they come last. */
static bool are_cheap(const struct select *select)
{
    int turning = 0;
    for (int k = 0; k < select->n_option; k++)
        turning += turns(select, k);
    return are_few(select) && turning <= TURNING_MAX;
}

static enum verdict try_combinations(struct select *select, const struct mode *mode, double t, const double *x)
{
    guess_directions(select, t, x);
    return try_all(select, mode, t, x);
}

bool select_mode(struct select *select, struct mode *mode, double t, const double *x)
{
    enum verdict verdict = VIOLATED;
    select->before = mode;
    list_options(select, mode, t, x);
    if (are_cheap(select))
        verdict = try_combinations(select, mode, t, x);
    if (verdict == VIOLATED && select->n_option > 0)            /* slip that only just begins has a direction there */
        verdict = try_many(select, mode, t, x);
    if (verdict == VIOLATED && are_few(select) && !are_cheap(select))
        verdict = try_combinations(select, mode, t, x);
    if (verdict == VIOLATED)
        return false;
    mode_copy(mode, &select->best, select->flow->sys);
    return true;
}
