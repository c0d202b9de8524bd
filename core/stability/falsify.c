#include "core/stability/falsify.h"

#include "core/base/stop.h"
#include "core/stability/vec3.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ZERO = 1e-11;           /* a velocity, relative to the size of the motion, that is none */
static const double SETTLED = 1e-6;         /* of the size at the start: the motion has come to rest */
static const double DRIFT = 1e5;            /* growth of sqrt(X): runs down the slope without growing otherwise */

struct motion {
    const struct zod *zod;
    uint64_t random;
    double t, X, gap[2], v[3], size;
    bool down[2];                           /* gap and gap rate 0, and kept so by a force */
};

struct mode { double a[3]; bool down[2]; int slip[2]; };        /* slip: +1, -1, 0 sticks; of feet that are down */

/* --- Chance: a linear congruential generator (Knuth's MMIX) -------------------------------------------------- */

static double draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double draw_signed(uint64_t *state)
{
    return 2 * draw(state) - 1;
}

static double size_of(const struct motion *motion)
{
    return fmax(sqrt(dot3(motion->v, motion->v)), sqrt(fmax(0, fmax(motion->gap[0], motion->gap[1]))));
}

/* Feet up to 1 above ground, or on it; any velocity. */
static void start(struct motion *motion, const struct zod *zod, uint64_t seed)
{
    *motion = (struct motion){ .zod = zod, .random = seed };
    for (int k = 0; k < 5; k++)
        (void)draw(&motion->random);        /* neighbouring seeds part */
    for (int k = 0; k < 3; k++)
        motion->v[k] = draw_signed(&motion->random);
    for (int i = 0; i < 2; i++) {
        const double height = draw(&motion->random);
        motion->gap[i] = draw(&motion->random) < 0.4 ? 0 : height * height;
    }
    motion->size = size_of(motion);
}

/* --- Impacts ------------------------------------------------------------------------------------------------- */

static double rate(const struct motion *motion, int i)
{
    return dot3(motion->zod->n[i], motion->v);
}

static double slip(const struct motion *motion, int i)
{
    return dot3(motion->zod->t[i], motion->v);
}

static bool is_zero(const struct motion *motion, double velocity)
{
    return fabs(velocity) <= ZERO * motion->size;
}

/* Sticking if the impulse stays inside the cone, else the slip that its law allows. */
static void hit(struct motion *motion, int i)
{
    const struct zod *zod = motion->zod;
    double impulse[2], M[9], v[3];
    zod_stick_impulse(zod, i, motion->v, impulse);
    zod_impact_stick(zod, i, M);
    if (fabs(impulse[1]) > zod->body.mu[i] * impulse[0])
        for (int s = 0; s < 2; s++) {
            double slipping[9];
            zod_impact_slip(zod, i, s, slipping);
            apply3(slipping, motion->v, v);
            if (slip_sign(s) * dot3(zod->t[i], v) >= 0)
                memcpy(M, slipping, sizeof M);
        }
    apply3(M, motion->v, motion->v);
}

/* Bounces too small to follow have ended: the rate of foot i becomes 0, the slip and the other rate stay. */
static void settle_rate(struct motion *motion, int i)
{
    combine3(1, motion->v, -rate(motion, i), motion->zod->m[i], motion->v);
}

/* A closed foot that moves into the ground; of two, one by chance. -1: none. */
static int next_impact(struct motion *motion)
{
    bool hits[2];
    for (int i = 0; i < 2; i++)
        hits[i] = motion->gap[i] <= 0 && rate(motion, i) < 0 && !is_zero(motion, rate(motion, i));
    if (hits[0] && hits[1])
        return draw(&motion->random) < 0.5 ? 0 : 1;
    return hits[0] ? 0 : hits[1] ? 1 : -1;
}

/* --- Modes --------------------------------------------------------------------------------------------------- */

/* Offers a mode; of n offered ones each is kept with the same chance. */
static void offer(struct motion *motion, const struct mode *mode, int *n, struct mode *chosen)
{
    ++*n;
    if (draw(&motion->random) * *n < 1)
        *chosen = *mode;
}

/* Foot i alone is down. must_lift: the other one touches, so that it has to accelerate upwards. */
static void offer_single(struct motion *motion, int i, bool must_lift, int *n, struct mode *chosen)
{
    const struct zod *zod = motion->zod;
    struct mode mode = { .down = { i == 0, i == 1 } };
    const double moving = slip(motion, i);
    double lambda[2];
    for (int s = 0; s < 2; s++) {
        mode.slip[i] = s == 0 ? 1 : -1;
        if (!zod_slip(zod, i, s, mode.a, lambda) || (must_lift && !(dot3(zod->n[1 - i], mode.a) > 0)))
            continue;
        const double way = slip_sign(s) * (is_zero(motion, moving) ? dot3(zod->t[i], mode.a) : moving);
        if (way > 0)
            offer(motion, &mode, n, chosen);
    }
    mode.slip[i] = 0;
    if (is_zero(motion, moving) && zod_stick(zod, i, mode.a, lambda) &&
        !(must_lift && !(dot3(zod->n[1 - i], mode.a) > 0)))
        offer(motion, &mode, n, chosen);
}

static void offer_double(struct motion *motion, int *n, struct mode *chosen)
{
    const struct zod *zod = motion->zod;
    const double moving = dot3(zod->tau, motion->v);
    double lambda[2];
    for (int s = 0; s < 2; s++) {
        struct mode mode = { .down = { true, true }, .slip = { 1, 1 } };
        if (!zod_double(zod, s, mode.a, lambda))
            continue;
        const double way = slip_sign(s) * (is_zero(motion, moving) ? dot3(zod->tau, mode.a) : moving);
        if (way > 0)
            offer(motion, &mode, n, chosen);
    }
}

static bool touches(const struct motion *motion, int i)
{
    return motion->gap[i] <= 0 && is_zero(motion, rate(motion, i));
}

/* A consistent mode by chance. False: there is none but rest, or none at all. */
static bool choose_mode(struct motion *motion, struct mode *chosen)
{
    const bool at[2] = { touches(motion, 0), touches(motion, 1) };
    int n = 0;
    for (int i = 0; i < 2; i++)
        if (at[i])
            offer_single(motion, i, at[1 - i], &n, chosen);
    if (at[0] && at[1])
        offer_double(motion, &n, chosen);
    if (!at[0] && !at[1]) {
        *chosen = (struct mode){ .down = { false, false } };
        memcpy(chosen->a, motion->zod->body.g, sizeof chosen->a);
        n = 1;
    }
    return n > 0;
}

/* --- Time to the next event ---------------------------------------------------------------------------------- */

/* First t > 0 with gap + rate t + acc t^2/2 = 0; INFINITY: never. */
static double touch_down(double gap, double rate_now, double acc)
{
    if (gap <= 0)
        return rate_now > 0 && acc < 0 ? -2 * rate_now / acc : INFINITY;
    const double D = rate_now * rate_now - 2 * acc * gap;
    if (D < 0 || (acc >= 0 && rate_now >= 0))
        return INFINITY;
    return 2 * gap / (-rate_now + sqrt(D));         /* without cancellation: the smaller root */
}

/* When a velocity that is not 0 gets there. */
static double stop(double velocity, double acc)
{
    return velocity * acc < 0 ? -velocity / acc : INFINITY;
}

struct next { double t; int touch; int stopped; };      /* foot that touches, foot that stops (2: both); -1 */

static void earlier(struct next *next, double t, int touch, int stopped)
{
    if (t < next->t)
        *next = (struct next){ t, touch, stopped };
}

static struct next next_event(const struct motion *motion, const struct mode *mode)
{
    const struct zod *zod = motion->zod;
    struct next next = { INFINITY, -1, -1 };
    for (int i = 0; i < 2; i++) {
        if (!mode->down[i])
            earlier(&next, touch_down(motion->gap[i], rate(motion, i), dot3(zod->n[i], mode->a)), i, -1);
        else if (mode->slip[i] && !mode->down[1 - i] && !is_zero(motion, slip(motion, i)))
            earlier(&next, stop(slip(motion, i), dot3(zod->t[i], mode->a)), -1, i);
    }
    if (mode->down[0] && mode->down[1] && !is_zero(motion, dot3(zod->tau, motion->v)))
        earlier(&next, stop(dot3(zod->tau, motion->v), dot3(zod->tau, mode->a)), -1, 2);
    return next;
}

static void advance(struct motion *motion, const struct mode *mode, const struct next *next)
{
    const struct zod *zod = motion->zod;
    const double t = next->t;
    motion->t += t;
    motion->X += t * dot3(zod->tau, motion->v) + 0.5 * t * t * dot3(zod->tau, mode->a);
    for (int i = 0; i < 2; i++)
        motion->gap[i] = mode->down[i] || next->touch == i ? 0
                         : motion->gap[i] + t * rate(motion, i) + 0.5 * t * t * dot3(zod->n[i], mode->a);
    combine3(1, motion->v, t, mode->a, motion->v);
    for (int i = 0; i < 2; i++)
        if (mode->down[i])
            settle_rate(motion, i);
    if (next->stopped == 2)
        combine3(1, motion->v, -dot3(zod->tau, motion->v), zod->dir, motion->v);
    else if (next->stopped >= 0)
        combine3(1, motion->v, -slip(motion, next->stopped), zod->d[next->stopped], motion->v);
}

/* --- A run --------------------------------------------------------------------------------------------------- */

struct log { int n, room; struct falsify_event *event; };

static void note(struct log *log, const struct motion *motion, const char *what, int contact)
{
    if (!log || log->n >= log->room)
        return;
    struct falsify_event *event = &log->event[log->n++];
    *event = (struct falsify_event){ .t = motion->t, .X = motion->X, .size = motion->size, .what = what,
                                     .contact = contact };
    memcpy(event->gap, motion->gap, sizeof event->gap);
    memcpy(event->v, motion->v, sizeof event->v);
}

/* One event; false when there are no more. */
static bool step(struct motion *motion, struct log *log, double *factor)
{
    struct mode mode;
    const int i = next_impact(motion);
    if (i >= 0) {
        hit(motion, i);
        motion->size = size_of(motion);
        if (is_zero(motion, rate(motion, i)))
            settle_rate(motion, i);
        note(log, motion, "impact", i);
        return true;
    }
    if (!choose_mode(motion, &mode))
        return false;
    const struct next next = next_event(motion, &mode);
    const bool sticks_down = mode.down[0] && mode.down[1] && !mode.slip[0];
    if (!(next.t < INFINITY)) {
        *factor = sticks_down ? *factor : (double)INFINITY;
        note(log, motion, "goes on forever", -1);
        return false;
    }
    advance(motion, &mode, &next);
    motion->size = size_of(motion);
    note(log, motion, next.touch >= 0 ? "touch-down" : "slip ends", next.touch >= 0 ? next.touch
         : next.stopped < 2 ? next.stopped : -1);
    return true;
}

/* The largest size over that of the start. */
static double run(const struct zod *zod, uint64_t seed, int max_events, struct log *log)
{
    struct motion motion;
    start(&motion, zod, seed);
    const double first = motion.size;
    double factor = 1;
    note(log, &motion, "start", -1);
    for (int k = 0; k < max_events && factor < FALSIFY_GROWTH && !stop_asked(); k++) {
        if (!step(&motion, log, &factor) || motion.size < SETTLED * first)
            break;
        factor = fmax(factor, motion.size / first);
        factor = fmax(factor, sqrt(fabs(motion.X)) / first * (FALSIFY_GROWTH / DRIFT));
    }
    return factor;
}

struct falsify_settings falsify_defaults(uint64_t seed)
{
    return (struct falsify_settings){ .n_run = 200, .max_events = 3000, .seed = seed };
}

void falsify_trace(const struct body *body, uint64_t seed, int max_events, struct arena *mem,
                   struct falsify_result *out)
{
    struct zod zod;
    *out = (struct falsify_result){ .factor = 1 };
    if (!zod_init(body, &zod))
        return;
    struct log log = { 0, max_events + 1, NULL };
    log.event = arena_alloc(mem, (size_t)log.room, sizeof *log.event);
    out->factor = run(&zod, seed, max_events, &log);
    out->grows = out->factor >= FALSIFY_GROWTH;
    out->event = log.event;
    out->n_event = log.n;
}

void falsify(const struct body *body, const struct falsify_settings *settings, struct arena *mem,
             struct falsify_result *out)
{
    struct zod zod;
    *out = (struct falsify_result){ .factor = 1 };
    if (!zod_init(body, &zod))
        return;
    for (int k = 0; k < settings->n_run && !out->grows && !stop_asked(); k++) {
        const uint64_t seed = settings->seed * UINT64_C(1000003) + (uint64_t)k;
        const double factor = run(&zod, seed, settings->max_events, NULL);
        if (factor >= FALSIFY_GROWTH)
            falsify_trace(body, seed, settings->max_events, mem, out);
        else
            out->factor = fmax(out->factor, factor);
    }
}
