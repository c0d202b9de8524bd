/* The flow of a simulation by CVODE (Adams, root finding on the guards) in place of our collocation: error at the
 * end and time, both from one run. Modes, guards and jumps are ours in both cases, as is the set-up, which counts.
 * Errors are against our steps at rtol 1e-15, which the unit tests hold against closed forms. */
#define _POSIX_C_SOURCE 200809L

#include "core/simulation/events/run.h"
#include "tests/unit/event_run.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <time.h>

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int field(double t, N_Vector x, N_Vector dx, void *user)
{
    struct sim *sim = user;
    if (flow_eval(&sim->flow, &sim->mode, t, N_VGetArrayPointer(x)) != FLOW_OK)
        return 1;
    memcpy(N_VGetArrayPointer(dx), sim->flow.dx, (size_t)sim->sys->n_x * sizeof(double));
    return 0;
}

static int roots(double t, N_Vector x, double *g, void *user)
{
    struct sim *sim = user;
    if (guards_eval(&sim->guards, &sim->flow, &sim->mode, t, N_VGetArrayPointer(x)) != FLOW_OK)
        return 1;
    memcpy(g, sim->guards.value, (size_t)sim->guards.n * sizeof(double));
    return 0;
}

/* Goes on from where sim is; false if CVODE gives up. */
static bool run_cvode(struct sim *sim, double t_end, double rtol, double atol, long *n_eval)
{
    SUNContext context;
    const int n_x = sim->sys->n_x;
    bool done = false;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    N_Vector x = N_VMake_Serial(n_x, sim->x, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(x, 0, context);
    *n_eval = 0;
    for (int round = 0; round < 10000 && !done; round++) {
        void *cvode = CVodeCreate(CV_ADAMS, context);
        int falls[64];
        guards_list(&sim->guards, sim->sys, &sim->mode);
        for (int k = 0; k < sim->guards.n; k++)
            falls[k] = -1;
        CVodeInit(cvode, field, sim->t, x);
        CVodeSetUserData(cvode, sim);
        CVodeSStolerances(cvode, rtol, atol);
        CVodeSetNonlinearSolver(cvode, solver);
        CVodeSetMaxNumSteps(cvode, 1000000);
        CVodeSetStopTime(cvode, t_end);
        CVodeRootInit(cvode, sim->guards.n, roots);
        CVodeSetRootDirection(cvode, falls);
        CVodeSetNoInactiveRootWarn(cvode);
        const int flag = CVode(cvode, t_end, x, &sim->t, CV_NORMAL);
        long n = 0;
        CVodeGetNumRhsEvals(cvode, &n);
        *n_eval += n;
        CVodeFree(&cvode);
        if (flag < 0)
            break;
        done = flag == CV_TSTOP_RETURN || sim->t >= t_end;
        flow_project(&sim->flow, &sim->mode, sim->t, sim->x);
        if (!done && sim_settle(sim, false) != STATUS_OK)
            break;
    }
    SUNNonlinSolFree(solver);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return done;
}

static double error_of(int n_x, const double *x, const double *wanted)
{
    double worst = 0;
    for (int i = 0; i < n_x; i++)
        worst = fmax(worst, fabs(x[i] - wanted[i]) / fmax(1, fabs(wanted[i])));
    return worst;
}

static void compare(const char *path)
{
    enum { REPEAT = 20 };
    struct event_run r = event_run_read(path);
    const int n_x = r.model->n_x;
    double *wanted = malloc((size_t)n_x * sizeof *wanted), *x = malloc((size_t)n_x * sizeof *x);
    const double t_end = r.task.t_end, first = 1e-6 * t_end;
    r.task.on_note = NULL;
    r.task.rtol = r.task.atol = 1e-15;
    (void)event_run_go(&r);
    sim_eval(r.sim, t_end, -1, wanted);
    printf("%s, %d events\n", r.model->name, sim_n_events(r.sim));
    for (double tol = 1e-8; tol > 1e-14; tol *= 1e-2) {
        double ours = 0, theirs = 0;
        long n_eval = 0;
        r.task.rtol = tol;
        r.task.atol = 1e-2 * tol;
        for (int k = 0; k < REPEAT; k++) {                      /* both with the same set-up */
            double start = seconds_now();
            r.task.t_end = first;
            (void)event_run_go(&r);
            const bool done = run_cvode(r.sim, t_end, tol, 1e-2 * tol, &n_eval);
            theirs += done ? seconds_now() - start : NAN;
            memcpy(x, r.sim->x, (size_t)n_x * sizeof *x);
            r.task.t_end = t_end;
            start = seconds_now();
            (void)event_run_go(&r);
            ours += seconds_now() - start;
        }
        printf("  rtol %.0e   collocation: error %.1e, %7.3f ms   CVODE: error %.1e, %7.3f ms, %ld evaluations\n",
               tol, error_of(n_x, r.sim->x, wanted), 1e3 * ours / REPEAT, error_of(n_x, x, wanted),
               1e3 * theirs / REPEAT, n_eval);
    }
    free(wanted);
    free(x);
    event_run_free(&r);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        compare(argv[k]);
    return 0;
}
