/* What happens at an event: impacts, the mode to go on with, a word for each change. */
#include "core/simulation/events/run.h"

#include <math.h>
#include <string.h>

enum { ROUNDS_MAX = 50 };           /* impacts that follow upon each other at one time */

static const double IMPULSE_MIN = 1e-13;        /* relative to the largest of the event: below it is rounding */

/* --- Impacts ------------------------------------------------------------------------------------------------- */

struct touching { int n; bool approach; };              /* contacts that are closed; does one of them approach? */

static struct touching find_touching(struct sim *sim)
{
    struct system *sys = sim->sys;
    struct touching found = { 0, false };
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sys);
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        sim->now.touches[c] = select_touches(&at, sys->n_q) || sim->rest.accumulates[c];
        found.n += sim->now.touches[c];
        found.approach = found.approach || (sim->now.touches[c] && at.v_n < -SELECT_REST);
    }
    return found;
}

static enum status check_slopes(struct sim *sim)
{
    (void)find_touching(sim);
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->now.touches[c] && run_check_slope(sim, c, sim->t) != STATUS_OK)
            return sim->status;
    return STATUS_OK;
}

/* The problem of the touching contacts; arrays in mem. */
static struct jump_impact gather(const struct sim *sim, struct arena *mem)
{
    int *contact = arena_alloc(mem, (size_t)sim->sys->n_c, sizeof *contact), n = 0;
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->now.touches[c])
            contact[n++] = c;
    system_eval_dynamics(sim->sys);
    return system_impact(sim->sys, n, contact, mem);
}

static enum status apply_law(struct sim *sim, const struct jump_impact *in, enum jump_law law,
                             double *impulse, struct jump_info *info)
{
    char why[200] = "";
    enum status st;
    *info = (struct jump_info){ 1, 0 };
    if (sim->task.law && law != JUMP_WITHOUT_COLLISION) {
        st = sim->task.law(sim->task.law_user, in, sim->now.v_plus, impulse, why, sizeof why);
        info->loss = dense_kinetic(in->n_q, in->M, in->v_minus) - dense_kinetic(in->n_q, in->M, sim->now.v_plus);
    } else {
        st = jump_solve(law, in, sim->now.v_plus, impulse, info, why, sizeof why);
    }
    return st == STATUS_OK ? st : run_fail(sim, st, "impact at t = %.9g: %s", sim->t, why);
}

static bool any_moves(const struct sim *sim)
{
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->sys->model->contacts.contact[c].moves)
            return true;
    return false;
}

static void note_impact(struct sim *sim, const struct jump_info *info, double kinetic)
{
    if (info->n_solutions > 1 && sim->n_ambiguous++ == 0)
        run_note(sim,
                 "impact at t = %.9g: %d outcomes obey the law; the one that leaves the least kinetic energy is "
                 "taken",
                 sim->t, info->n_solutions);
    if (info->loss < -1e-9 * (1 + kinetic) && !any_moves(sim))
        run_note(sim,
                 "impact at t = %.9g: the law of restitution adds %.3g to the energy (simulate.impact_law: poisson adds none "
                 "with equal coefficients)",
                 sim->t, -info->loss);
}

/* One impact of all touching contacts; velocities are those after it. */
static enum status collide(struct sim *sim, enum jump_law law)
{
    struct arena mem = { NULL };
    const struct jump_impact in = gather(sim, &mem);
    double *impulse = arena_alloc(&mem, CONTACT_ROWS * (size_t)in.n_c, sizeof *impulse);
    struct jump_info info;
    const enum status st = apply_law(sim, &in, law, impulse, &info);
    if (st == STATUS_OK) {
        if (law != JUMP_WITHOUT_COLLISION)
            note_impact(sim, &info, dense_kinetic(in.n_q, in.M, in.v_minus));
        sim->now.loss += info.loss;
        for (int k = 0; k < in.n_c; k++)
            for (int i = 0; i < CONTACT_ROWS; i++)
                sim->now.impulse[CONTACT_ROWS * in.contact[k] + i] += impulse[CONTACT_ROWS * k + i];
        for (int i = 0; i < in.n_q; i++)
            sim->x[sim->sys->model->mechanics.v_index[i]] = sim->now.v_plus[i];
    }
    arena_free(&mem);
    return st;
}

static bool got_impulse(const struct sim *sim, int c)
{
    double most = 0;
    for (int k = 0; k < sim->sys->n_c; k++)
        most = fmax(most, sim->now.impulse[CONTACT_ROWS * k]);
    return sim->now.impulse[CONTACT_ROWS * c] > IMPULSE_MIN * most;
}

/* --- The end of a Zeno sequence ------------------------------------------------------------------------------ */

/* Columns of J that come to rest: the normals of contacts that accumulate, and their tangents where slip is as
 * slow as the bounces that are left, so that friction stops it in the same time. Returns their number. */
static int gather_stops(struct sim *sim, const struct jump_impact *in, double *J, double *drift)
{
    const size_t n_q = (size_t)in->n_q;
    double slow = 0;
    int n = 0;
    for (int k = 0; k < in->n_c; k++) {
        const struct contact_at at = system_contact(sim->sys, in->contact[k]);
        slow = sim->rest.accumulates[in->contact[k]] ? fmax(slow, 10 * in->mu[k] * fabs(at.v_n)) : slow;
    }
    for (int k = 0; k < in->n_c; k++) {
        const struct contact_at at = system_contact(sim->sys, in->contact[k]);
        const bool stops = in->mu[k] > 0 && slip_size(at.v_t) <= slow;
        if (!sim->rest.accumulates[in->contact[k]] && !mode_is_closed(sim->mode.of[in->contact[k]]))
            continue;
        drift[n] = at.drift[0];
        memcpy(&J[(size_t)n++ * n_q], at.J_n, n_q * sizeof *J);
        for (int i = 0; i < in->n_t[k] && stops; i++) {
            drift[n] = at.drift[1 + i];
            memcpy(&J[(size_t)n++ * n_q], at.J_t[i], n_q * sizeof *J);
        }
    }
    return n;
}

/* v := v - M^-1 J (J'M^-1 J)^-1 (J'v + drift): the least change of velocity, in the sense of M, after which J'v +
 * drift = 0. */
static void stop_motion(struct sim *sim, const struct jump_impact *in, int n, const double *J, const double *drift,
                        struct arena *mem)
{
    const int n_q = in->n_q;
    double *W = arena_alloc(mem, (size_t)(n_q * n), sizeof *W), *G = arena_alloc(mem, (size_t)(n * n), sizeof *G);
    double *u = arena_alloc(mem, 2 * (size_t)n, sizeof *u), *r = u + n;
    bool is_redundant;
    if (!dense_delassus(n_q, in->M, n, J, W, G))
        return;
    for (int j = 0; j < n; j++)
        u[j] = -vec_dot(n_q, J + j * n_q, in->v_minus) - drift[j];
    (void)dense_solve(&sim->flow.dense, n, G, u, NULL, r, &is_redundant);
    for (int k = 0; k < n_q; k++)
        for (int j = 0; j < n; j++)
            sim->x[sim->sys->model->mechanics.v_index[k]] += W[j * n_q + k] * r[j];
}

static void note_rest(struct sim *sim)
{
    for (int c = 0; c < sim->sys->n_c; c++) {
        const struct zeno *zeno = &sim->rest.zeno[c];
        if (!sim->rest.accumulates[c])
            continue;
        sim->rest.t[c] = zeno_end(zeno);
        sim->rest.n_resolved += zeno->n_impact;
        const char *const unit = sim->sys->model->time.unit;
        const bool tells = sim->sys->model->contacts.contact[c].load_of < 0;    /* a seat's contact tells for it */
        if (tells && zeno_is_regular(zeno))
            run_note(sim, "%s: %d impacts resolved one by one, at rest from t = %.12g on (they accumulate, each interval "
                     "%.6g of the one before)", sim->sys->model->contacts.contact[c].name, zeno->n_impact,
                     sim->rest.t[c], zeno->limit);
        else if (tells && sim->n_irregular++ == 0)
            run_note(sim, "%s: impacts accumulate, in no geometric sequence: at rest from t = %.12g on, as the last one took %.1e %s at "
                     "%.1e m/%s", sim->sys->model->contacts.contact[c].name, sim->rest.t[c], zeno->interval, unit,
                     zeno->speed, unit);
        zeno_init(&sim->rest.zeno[c]);
    }
}

/* The contacts that accumulate close for good; what is left of their bounces is too small to follow. */
static void come_to_rest(struct sim *sim)
{
    (void)find_touching(sim);
    struct arena mem = { NULL };
    const struct jump_impact in = gather(sim, &mem);
    double *J = arena_alloc(&mem, (size_t)(CONTACT_ROWS * in.n_c * in.n_q), sizeof *J);
    double *drift = arena_alloc(&mem, (size_t)(CONTACT_ROWS * in.n_c), sizeof *drift);
    const int n = gather_stops(sim, &in, J, drift);
    stop_motion(sim, &in, n, J, drift, &mem);
    arena_free(&mem);
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->rest.accumulates[c])
            sim->mode.of[c] = SIM_FORWARD;                      /* closed, to be projected; select_mode decides */
    flow_project(&sim->flow, &sim->mode, sim->t, sim->x, 0);
    memset(sim->rest.accumulates, 0, (size_t)sim->sys->n_c * sizeof(bool));
}

/* Impacts until no closed contact approaches. */
static enum status collide_all(struct sim *sim)
{
    for (int round = 0; round < ROUNDS_MAX && find_touching(sim).approach; round++) {
        const enum status st = collide(sim, sim->task.restitution);
        if (st != STATUS_OK)
            return st;
    }
    if (find_touching(sim).approach)
        return run_fail(sim, STATUS_NUMERIC, "impact at t = %.9g: after %d impacts contacts still approach",
                        sim->t, ROUNDS_MAX);
    bool any = false;
    for (int c = 0; c < sim->sys->n_c; c++)
        if (got_impulse(sim, c)) {
            zeno_impact(&sim->rest.zeno[c], sim->t, system_contact(sim->sys, c).v_n);
            any = true;
        }
    if (any && zeno_find(sim->sys->n_c, sim->rest.zeno, sim->t, sim->rest.accumulates)) {
        note_rest(sim);
        come_to_rest(sim);
    }
    return STATUS_OK;
}

/* --- The mode ------------------------------------------------------------------------------------------------ */

/* The mode of contact c, which was hit and does not rebound, by how it slides. */
static enum sim_mode mode_after_impact(const struct sim *sim, int c)
{
    const struct contact_at at = system_contact(sim->sys, c);
    const int n_t = sim->sys->model->contacts.contact[c].n_t;
    if (!system_has_friction(sim->sys, c))
        return SIM_FORWARD;
    if (hypot(at.v_t[0], at.v_t[1]) <= SELECT_REST)
        return SIM_STICKS;
    return n_t == 1 && at.v_t[0] < 0 ? SIM_BACKWARD : SIM_FORWARD;
}

/* Where several modes are consistent after an impact (a foot under a straight leg may stick or leave), what it left
 * closed is what they are compared with, not what was open before it: forces go on as its impulses were. */
static void close_hit(struct sim *sim)
{
    (void)find_touching(sim);
    for (int c = 0; c < sim->sys->n_c; c++)
        if (sim->now.touches[c] && got_impulse(sim, c) && fabs(system_contact(sim->sys, c).v_n) <= SELECT_REST)
            sim->mode.of[c] = mode_after_impact(sim, c);
}

static enum status no_mode(struct sim *sim)
{
    char why[500] = "";
    if (flow_eval(&sim->flow, &sim->mode, sim->t, sim->x) == FLOW_NAN && system_trace(sim->sys, why, sizeof why))
        return run_fail(sim, STATUS_NUMERIC, "t = %.9g: %s", sim->t, why);
    return run_fail(sim, STATUS_NUMERIC, sim->sys->has_pairs
                    ? "t = %.9g: no mode is consistent: the sides H of the pairs do not determine their forces here"
                    : "t = %.9g: no mode of contacts and switches is consistent", sim->t);
}

/* Where several modes go on differently: with contacts a paradox of Painleve, of switches alone a surface that the
 * motion leaves either way. */
static void note_paradox(struct sim *sim)
{
    const int n = sim->select.n_solutions;
    if (n <= 1 || sim->n_paradox++ > 0)
        return;
    const bool touches = find_touching(sim).n > 0;
    run_note(
        sim,
        "t = %.9g: %d modes of %s are consistent and differ in acceleration (%s); the one nearest to the mode before is taken",
        sim->t, n, touches ? "the contacts" : "switches",
        touches ? "a paradox of Painleve" : "the motion may leave to either side");
}

/* Contacts that leave so slowly that no step can follow their flights, once these have been tried: they rest. */
static bool end_lost_flights(struct sim *sim)
{
    bool any = false;
    (void)find_touching(sim);
    for (int c = 0; c < sim->sys->n_c; c++) {
        const double v_n = system_contact(sim->sys, c).v_n;
        sim->rest.accumulates[c] = sim->now.touches[c] && v_n > SELECT_REST && zeno_is_slow(v_n);
        any = any || sim->rest.accumulates[c];
    }
    if (!any)
        return false;
    come_to_rest(sim);
    select_forget_banned(&sim->select);
    return true;
}

/* Slip into a contact that would approach without force: a paradox of Painleve. No mode is consistent, and an
 * impact without collision stops the slip. */
static enum status choose_mode(struct sim *sim)
{
    for (int round = 0; round < 3; round++) {
        if (select_mode(&sim->select, &sim->mode, sim->t, sim->x)
            || (end_lost_flights(sim) && select_mode(&sim->select, &sim->mode, sim->t, sim->x))) {
            note_paradox(sim);
            return STATUS_OK;
        }
        if (flow_eval(&sim->flow, &sim->mode, sim->t, sim->x) == FLOW_NAN)
            return no_mode(sim);
        const double before = sim->now.loss;
        if (find_touching(sim).n == 0)
            return no_mode(sim);
        enum status st = collide(sim, JUMP_WITHOUT_COLLISION);
        if (st != STATUS_OK || !(sim->now.loss > before))
            return st != STATUS_OK ? st : no_mode(sim);
        run_note(sim, "t = %.9g: no mode of the contacts is consistent (a paradox of Painleve); an impact without "
                 "collision takes %.3g of the energy", sim->t, sim->now.loss - before);
        select_forget_banned(&sim->select);
        if ((st = collide_all(sim)) != STATUS_OK)
            return st;
    }
    return no_mode(sim);
}

/* --- Words --------------------------------------------------------------------------------------------------- */

static void tell(struct sim *sim, bool is_start)
{
    const struct system *sys = sim->sys;
    const size_t n_x = (size_t)sys->n_x;
    const double *x_minus = arena_copy(&sim->mem, sim->now.x_minus, n_x, sizeof(double));
    const double *x_plus = arena_copy(&sim->mem, sim->x, n_x, sizeof(double));
    double loss = sim->now.loss;
    for (int s = 0; s < sys->n_c + sys->n_s; s++) {
        const enum sim_mode before = sim->now.before[s], now = sim->mode.of[s];
        if (s < sys->n_c && got_impulse(sim, s)) {
            const double *r = &sim->now.impulse[CONTACT_ROWS * s];
            run_add_event(sim, (struct sim_event){
                                   sim->t, SIM_IMPACT, s, { r[0], r[1], r[2], r[3] }, loss, x_minus, x_plus });
            loss = 0;
        } else if (before != now && !is_start) {
            run_add_event(
                sim, (struct sim_event){ sim->t, run_kind_of_change(before, now), s, { 0 }, 0, x_minus, x_plus });
        }
    }
}

/* How slow is rest? In space, where no step can follow slip any more, slower than otherwise. */
static double rest_of(const struct sim *sim, int c)
{
    return sim->now.creeps && sim->sys->model->contacts.contact[c].n_t > 1 ? CREEP : SELECT_REST;
}

/* Onto what holds at the velocities of now: an impact may have moved what rested or touched before it. */
static void project_onto_rest(struct sim *sim)
{
    const struct system *sys = sim->sys;
    struct mode *now = &sim->select.trial;
    mode_copy(now, &sim->mode, sys);
    for (int c = 0; c < sys->n_c; c++) {
        const struct contact_at at = system_contact(sys, c);
        if (fabs(at.v_n) > SELECT_REST)
            now->of[c] = SIM_OPEN;
        else if (now->of[c] == SIM_STICKS && slip_size(at.v_t) > rest_of(sim, c))
            now->of[c] = SIM_FORWARD;
    }
    flow_project(&sim->flow, now, sim->t, sim->x, 0);
}

/* Slip that is all but over, or in space that no step can follow any more, is: its direction is rounding, and how
 * it goes on is decided from rest. A contact whose load stays at the edge of what friction bears sticks from then
 * on; slip that is 0 but for rounding would end and begin for ever. */
static void end_slips(struct sim *sim)
{
    const struct system *sys = sim->sys;
    bool any = false;
    flow_set_inputs(&sim->flow, &sim->mode, sim->t, sim->x);
    system_eval_contacts(sim->sys);
    for (int c = 0; c < sys->n_c; c++) {
        const bool slips = sim->mode.of[c] == SIM_FORWARD || sim->mode.of[c] == SIM_BACKWARD;
        if (slips && system_has_friction(sys, c) && slip_size(system_contact(sys, c).v_t) <= rest_of(sim, c)) {
            sim->mode.of[c] = SIM_STICKS;
            any = true;
        }
    }
    if (any)
        project_onto_rest(sim);
    sim->now.creeps = false;
}

enum status events_settle(struct sim *sim, bool is_start)
{
    const struct system *sys = sim->sys;
    memcpy(sim->now.x_minus, sim->x, (size_t)sys->n_x * sizeof(double));
    memcpy(sim->now.before, sim->mode.of, (size_t)sys->n_subject * sizeof *sim->now.before);
    memset(sim->now.impulse, 0, CONTACT_ROWS * (size_t)sys->n_c * sizeof(double));
    sim->now.loss = 0;
    enum status st = phases_begin(sim);
    if (st == STATUS_OK)
        st = jumps_make(sim);
    if (st == STATUS_OK)
        st = machines_run(sim);
    corners_settle(sim);
    if (st == STATUS_OK && sys->n_c > 0)
        st = check_slopes(sim);
    if (st == STATUS_OK && sys->n_c > 0)
        st = collide_all(sim);
    corners_settle(sim);                        /* an impact may have turned it back */
    if (st == STATUS_OK && sys->n_c > 0 && !(is_start && sim->task.is_part))     /* a part starts after its impacts: */
        close_hit(sim);                                                         /* what approaches there is rounding */
    if (st == STATUS_OK && sys->n_c > 0)
        end_slips(sim);
    if (st == STATUS_OK)
        st = choose_mode(sim);
    if (st != STATUS_OK)
        return st;
    flow_project(&sim->flow, &sim->mode, sim->t, sim->x, 0);
    tell(sim, is_start);
    return STATUS_OK;
}
